import CFFmpeg
package import ExportPlan
import Vocabulary

/// Filters of a sound, one after the other, by libavfilter. They remember what they have heard, so a sound goes through
/// one chain from its beginning on.
///
/// Sample `n` that comes out belongs to sample `n` that went in: a filter's own delay is taken away, which `ffmpeg` leaves.
package final class SoundFilterChain {
    /// The greatest sample that may come out; 1 is full scale.
    private static let loudest: Float = 1e6

    private let graph: FilterGraph
    private let sampleRate: Int
    private let channels: Int
    private let hasPlugin: Bool
    private let input: UnsafeMutablePointer<AVFrame>
    private let output: UnsafeMutablePointer<AVFrame>
    /// How many samples have gone in, and come out.
    private var (fed, given) = (0, 0)
    /// How many samples that come out are still left out.
    private var delay: Int

    /// The samples that a plug-in gets at once. It is always the same number, so that a plug-in that changes something with
    /// each block gives the same sound wherever segments are cut.
    private static let pluginBlock = 4096

    /// - Parameters:
    ///   - filters: at least one.
    ///   - impulses: the impulse responses that the filters read, in their order, in interleaved samples of the chain's
    ///     rate and channels.
    ///   - libraries: the paths of the libraries of LADSPA plug-ins, by content hash.
    /// - Throws: `MediaError` `missingCodec` if this installation of FFmpeg lacks a filter.
    package init(
        _ filters: [SoundFilter], sampleRate: Int, channels: Int, impulses: [[Float]] = [], libraries: [String: String] = [:]
    ) throws(MediaError) {
        self.sampleRate = sampleRate
        self.channels = channels
        hasPlugin = !filters.plugins.isEmpty
        let layout = [1: "mono", 2: "stereo", 6: "5.1"][channels] ?? "\(channels)c"
        let arguments = "sample_rate=\(sampleRate):sample_fmt=flt:channel_layout=\(layout):time_base=1/\(sampleRate)"
        graph = try FilterGraph(
            SoundFilterChain.description(filters, channels, libraries)
                + ",aformat=sample_fmts=flt:channel_layouts=\(layout)[out]",
            soundInputs: [String](repeating: arguments, count: 1 + impulses.count))
        delay = filters.reduce(0) { $0 + $1.delay(sampleRate: sampleRate) }
        input = try LibavResult.allocated(av_frame_alloc(), "sound")
        output = try LibavResult.allocated(av_frame_alloc(), "sound")
        for (index, impulse) in impulses.enumerated() {
            try impulse.withUnsafeBufferPointer { samples throws(MediaError) in try push(samples, at: 0, into: index + 1) }
            try graph.push(frame: nil, into: index + 1)
        }
    }

    deinit {
        var frames: [UnsafeMutablePointer<AVFrame>?] = [input, output]
        for index in frames.indices { av_frame_free(&frames[index]) }
    }

    /// Sends the next interleaved samples through the filters.
    /// - Parameter result: gets the samples that come out, which may be fewer or more than went in.
    package func process(_ samples: UnsafeBufferPointer<Float>, into result: inout [Float]) throws(MediaError) {
        let known = result.count
        try push(samples, at: fed, into: 0)
        fed += samples.count / channels
        while try graph.pull(into: output) {
            defer { av_frame_unref(output) }
            let count = Int(output.pointee.nb_samples)
            given += count
            let left = min(delay, count)
            delay -= left
            output.pointee.data.0?.withMemoryRebound(to: Float.self, capacity: count * channels) { heard in
                result.append(contentsOf: UnsafeBufferPointer(start: heard + left * channels, count: (count - left) * channels))
            }
        }
        // Gains that are added up may leave the range of numbers, and no encoder takes that.
        guard result[known...].allSatisfy({ abs($0) < SoundFilterChain.loudest }) else {
            throw MediaError(
                .overLimit, subject: "audioFilters",
                message: "make a sound louder than 120 dB above full scale; lower their gains")
        }
        // No filter holds back as much. One that gives nothing would be waited for without end.
        guard fed - given < 10 * sampleRate else {
            throw MediaError(
                hasPlugin ? .unusablePlugin : .internalFailure, subject: "sound",
                message: "does not come out of its filters within 10 s; leave out the one that holds it back")
        }
    }

    private func push(_ samples: UnsafeBufferPointer<Float>, at time: Int, into number: Int) throws(MediaError) {
        guard let base = samples.baseAddress, !samples.isEmpty else { return }
        av_frame_unref(input)
        input.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        input.pointee.sample_rate = Int32(sampleRate)
        input.pointee.nb_samples = Int32(samples.count / channels)
        input.pointee.pts = Int64(time)
        av_channel_layout_default(&input.pointee.ch_layout, Int32(channels))
        try LibavResult.check(av_frame_get_buffer(input, 0), "sound", "cannot be allocated", .outOfMemory)
        UnsafeMutableRawPointer(input.pointee.data.0)?.copyMemory(from: base, byteCount: samples.count * 4)
        try graph.push(frame: input, into: number)
    }

    /// The filters in libavfilter's syntax, without the output.
    private static func description(
        _ filters: [SoundFilter], _ channels: Int, _ libraries: [String: String]
    ) -> String {
        var next = 1
        var text = "[in0]"
        for (index, filter) in filters.enumerated() {
            if index > 0 { text += filter.impulse == nil ? "," : "[f\(index)];[f\(index)]" }
            if filter.impulse != nil {
                text += "[in\(next)]"
                next += 1
            }
            guard let plugin = filter.plugin else {
                text += filter.libavfilter
                continue
            }
            let call = filter.call(of: plugin, libraries[plugin.contentHash] ?? "")
            text += "asetnsamples=n=\(pluginBlock):p=0,"
            text += filter.kind == .lv2 && plugin.channels < channels ? forEachChannel(call, channels, index) : call
        }
        return text
    }

    /// A filter that runs once for each channel. libavfilter's host of LADSPA plug-ins does that itself. Its host of LV2
    /// plug-ins gives a channel without a name, which only `amerge` and `pan` take.
    /// - Parameter index: the filter's number, which makes the names of its channels its own.
    private static func forEachChannel(_ call: String, _ channels: Int, _ index: Int) -> String {
        let (taken, given) = ((0..<channels).map { "[t\(index)c\($0)]" }, (0..<channels).map { "[g\(index)c\($0)]" })
        return "asplit=\(channels)\(taken.joined());"
            + (0..<channels).map { "\(taken[$0])pan=mono|c0=c\($0),\(call)\(given[$0]);" }.joined()
            + "\(given.joined())amerge=inputs=\(channels)"
    }
}

extension SoundFilter {
    /// The filter in libavfilter's syntax.
    fileprivate var libavfilter: String {
        func value(_ name: String) -> Double { parameters[name] ?? 0 }
        switch kind {
        case .highpass, .lowpass:
            return
                "\(kind.rawValue)=frequency=\(value("frequency")):width_type=q:width=\(value("width")):poles=\(Int(value("poles")))"
        case .equalizer:
            return (parts ?? []).map { band in
                "equalizer=frequency=\(band["frequency"] ?? 0):width_type=q:width=\(band["width"] ?? 0):gain=\(band["gain"] ?? 0)"
            }.joined(separator: ",")
        case .compressor: return "acompressor=" + options(kind.parameters)
        case .gate: return "agate=" + options(kind.parameters)
        case .denoise: return "afftdn=nr=\(value("noiseReduction")):nf=\(value("noiseFloor"))"
        case .deesser: return "deesser=i=\(value("intensity")):m=\(value("max")):f=\(value("frequency"))"
        case .echo:
            func list(_ name: String) -> String { (parts ?? []).map { "\($0[name] ?? 0)" }.joined(separator: "|") }
            return "aecho=in_gain=\(value("inGain")):out_gain=\(value("outGain")):delays=\(list("delay")):decays=\(list("decay"))"
        case .reverb: return "afir=dry=\(value("dry")):wet=\(value("wet"))"
        case .ladspa, .lv2: return "anull"  // a plug-in that the plan does not name
        }
    }

    /// The call of a plug-in in libavfilter's syntax.
    /// - Parameter library: the path of a LADSPA plug-in's library.
    fileprivate func call(of plugin: SoundPlugin, _ library: String) -> String {
        let controls = parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "|")
        var options: [(String, String)] = []
        switch SoundPluginName(plugin.name) {
        case .ladspa(_, let label): options = [("file", library), ("plugin", label), ("latency", "1")]
        case .lv2(let uri): options = [("plugin", uri)]
        case nil: break
        }
        if !controls.isEmpty { options.append(("controls", controls)) }
        return "\(kind.rawValue)=" + options.map { "\($0)=\(escaped($1))" }.joined(separator: ":")
    }

    /// A value as libavfilter reads it: escaped once in the list of a filter's options, and once in the graph.
    private func escaped(_ value: String) -> String {
        func escaping(_ text: String, _ special: String) -> String {
            text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        return escaping(escaping(value, "\\':"), "\\'[],;")
    }

    /// The parameters whose names are those of libavfilter's options.
    private func options(_ parameters: [AudioFilterKind.Parameter]) -> String {
        parameters.map { "\($0.name)=\(self.parameters[$0.name] ?? 0)" }.joined(separator: ":")
    }

    /// The samples by which libavfilter's filter delays the sound. `afftdn` works in overlapping windows of three steps, each
    /// an eightieth of a second long, and gives a step when the window is full.
    fileprivate func delay(sampleRate: Int) -> Int { kind == .denoise ? 2 * (sampleRate / 80) : 0 }
}
