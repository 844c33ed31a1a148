import CRubberBand
import ExportPlan
import Media

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Plays another voice faster or slower at its own pitch, or at another pitch at its own speed, by Rubber Band's offline
/// engine: the source is studied once from start to end and then stretched to exactly the wanted number of samples.
final class StretchedVoice: Voice {
    private static let longestBlock = 4096
    /// Rubber Band looks up its key frame map once for each block: in blocks of 4096 samples sounds are 75 ms from where they belong, in these 7.
    private static let mappedBlock = 128

    private let voice: any Voice
    private let block: Int
    private let sourceSampleCount: Int
    private let channels: Int
    private let stretcher: RubberBandState
    /// Next source sample to hand in.
    private var fed = 0
    /// Stretched samples not yet read, of which the first is number `first`.
    private var ready: [Float] = []
    private var first = 0

    init(
        _ voice: any Voice, _ stretch: AudioSliceInput.Stretch, sampleCount: Int, sampleRate: Int, channels: Int
    ) throws(MediaError) {
        self.voice = voice
        sourceSampleCount = stretch.sourceSampleCount
        block = stretch.legs == nil ? StretchedVoice.longestBlock : StretchedVoice.mappedBlock
        self.channels = channels
        let options = [
            RubberBandOptionProcessOffline, RubberBandOptionEngineFiner, RubberBandOptionThreadingNever,
            RubberBandOptionChannelsTogether, RubberBandOptionPitchHighQuality,
        ].reduce(0) { $0 | Int32(truncatingIfNeeded: $1.rawValue) }
        guard
            let made = rubberband_new(
                UInt32(sampleRate), UInt32(channels), options, Double(sampleCount) / Double(max(1, sourceSampleCount)),
                pow(2, stretch.pitch / 12))
        else { throw MediaError(.outOfMemory, subject: "time stretcher", message: "cannot be set up") }
        stretcher = made
        rubberband_set_max_process_size(stretcher, UInt32(block))
        rubberband_set_expected_input_duration(stretcher, UInt32(sourceSampleCount))
        if let legs = stretch.legs { follow(legs) }
        try study()
    }

    deinit { rubberband_delete(stretcher) }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        while first + ready.count / channels < from + count, fed < sourceSampleCount {
            // What nobody wants to hear is not kept.
            if first + ready.count / channels <= from {
                first += ready.count / channels
                ready.removeAll(keepingCapacity: true)
            }
            try stretchMore()
        }
        for index in 0..<count {
            for channel in 0..<channels {
                let place = (from + index - first) * channels + channel
                output[index * channels + channel] = place >= 0 && place < ready.count ? ready[place] : 0
            }
        }
        let passed = min(max(0, from + count - first), ready.count / channels)
        ready.removeFirst(passed * channels)
        first += passed
    }

    /// Says which source sample is to be heard at which, at every edge between two speeds.
    private func follow(_ legs: [AudioSliceInput.Leg]) {
        var (sources, samples): ([UInt32], [UInt32]) = ([], [])
        var (source, sample) = (0, 0)
        for leg in legs.dropLast() {
            source += leg.sourceSampleCount
            sample += leg.sampleCount
            // The map has to rise.
            guard UInt32(source) > sources.last ?? 0, UInt32(sample) > samples.last ?? 0 else { continue }
            sources.append(UInt32(source))
            samples.append(UInt32(sample))
        }
        rubberband_set_key_frame_map(stretcher, UInt32(sources.count), &sources, &samples)
    }

    private func study() throws(MediaError) {
        try forEachBlock { planes, count, isLast in
            rubberband_study(stretcher, planes, UInt32(count), isLast ? 1 : 0)
        }
        fed = 0
    }

    private func stretchMore() throws(MediaError) {
        try nextBlock { planes, count, isLast in
            rubberband_process(stretcher, planes, UInt32(count), isLast ? 1 : 0)
        }
        retrieve()
    }

    private func forEachBlock(_ body: (UnsafePointer<UnsafePointer<Float>?>, Int, Bool) -> Void) throws(MediaError) {
        while fed < sourceSampleCount { try nextBlock(body) }
    }

    /// Hands the next source samples to `body`, one plane a channel.
    private func nextBlock(_ body: (UnsafePointer<UnsafePointer<Float>?>, Int, Bool) -> Void) throws(MediaError) {
        let count = min(block, sourceSampleCount - fed)
        let interleaved = UnsafeMutablePointer<Float>.allocate(capacity: count * channels)
        let planes = UnsafeMutablePointer<Float>.allocate(capacity: count * channels)
        defer {
            interleaved.deallocate()
            planes.deallocate()
        }
        try voice.read(from: fed, count: count, into: interleaved)
        for channel in 0..<channels {
            for index in 0..<count { planes[channel * count + index] = interleaved[index * channels + channel] }
        }
        fed += count
        let pointers: [UnsafePointer<Float>?] = (0..<channels).map { UnsafePointer(planes + $0 * count) }
        pointers.withUnsafeBufferPointer { pointers in
            if let base = pointers.baseAddress { body(base, count, fed >= sourceSampleCount) }
        }
    }

    private func retrieve() {
        while true {
            let available = Int(rubberband_available(stretcher))
            guard available > 0 else { return }
            let planes = UnsafeMutablePointer<Float>.allocate(capacity: available * channels)
            defer { planes.deallocate() }
            let pointers: [UnsafeMutablePointer<Float>?] = (0..<channels).map { planes + $0 * available }
            let count = pointers.withUnsafeBufferPointer { pointers in
                pointers.baseAddress.map { Int(rubberband_retrieve(stretcher, $0, UInt32(available))) } ?? 0
            }
            guard count > 0 else { return }
            ready.reserveCapacity(ready.count + count * channels)
            for index in 0..<count {
                for channel in 0..<channels { ready.append(planes[channel * available + index]) }
            }
        }
    }
}
