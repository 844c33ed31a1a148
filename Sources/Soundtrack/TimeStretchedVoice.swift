import CRubberBand
import ExportPlan
import Media
import Glibc

/// Plays another voice at another speed with its own pitch, or at another pitch with its own speed (time-stretching),
/// with Rubber Band's offline engine. The engine studies the source once from start to end and then stretches it to
/// exactly the requested number of samples.
final class TimeStretchedVoice: Voice {
    private static let longestBlock = 4096
    /// The block size for changing speeds. Rubber Band looks up its key frame map once per block: blocks of 4096
    /// samples shift sounds by up to 75 ms, blocks of this size by 7 ms.
    private static let mappedBlock = 128

    private let voice: any Voice
    private let timeStretch: AudioSliceInput.TimeStretch
    private let block: Int
    private let sourceSampleCount: Int
    private let channels: Int
    private let stretcher: RubberBandState
    /// Whether the engine has seen the whole source. It does so before the first sample is read.
    private var isStudied = false
    /// The next source sample to send to the engine.
    private var fed = 0
    /// Stretched samples that were not read yet, the first of which has the number `first`.
    private var ready: [Float] = []
    private var first = 0

    init(
        _ voice: any Voice, _ timeStretch: AudioSliceInput.TimeStretch, sampleCount: Int, sampleRate: Int, channels: Int
    ) throws(MediaError) {
        self.voice = voice
        self.timeStretch = timeStretch
        sourceSampleCount = timeStretch.sourceSampleCount
        block = timeStretch.speedRanges == nil ? TimeStretchedVoice.longestBlock : TimeStretchedVoice.mappedBlock
        self.channels = channels
        let options = [
            RubberBandOptionProcessOffline, RubberBandOptionEngineFiner, RubberBandOptionThreadingNever,
            RubberBandOptionChannelsTogether, RubberBandOptionPitchHighQuality,
        ].reduce(0) { $0 | Int32(truncatingIfNeeded: $1.rawValue) }
        guard
            let made = rubberband_new(
                UInt32(sampleRate), UInt32(channels), options, Double(sampleCount) / Double(max(1, sourceSampleCount)),
                pow(2, timeStretch.pitch / 12))
        else { throw MediaError(.outOfMemory, subject: "time stretcher", message: "cannot be set up") }
        stretcher = made
        rubberband_set_max_process_size(stretcher, UInt32(block))
        rubberband_set_expected_input_duration(stretcher, UInt32(sourceSampleCount))
        if let speedRanges = timeStretch.speedRanges { follow(speedRanges) }
    }

    deinit { rubberband_delete(stretcher) }

    var decisions: [Explanation.Decision] { voice.decisions + [.timeStretch(timeStretch)] }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        if !isStudied { try study() }
        while first + ready.count / channels < from + count, fed < sourceSampleCount {
            // Samples before the requested ones are dropped.
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

    /// Sets the engine's map from source samples to output samples, with one entry at each change of speed.
    private func follow(_ speedRanges: [AudioSliceInput.SpeedRange]) {
        var (sources, samples): ([UInt32], [UInt32]) = ([], [])
        var (source, sample) = (0, 0)
        for range in speedRanges.dropLast() {
            source += range.sourceSampleCount
            sample += range.sampleCount
            // The entries of the map must rise.
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
        isStudied = true
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

    /// Passes the next source samples to `body`, with one plane per channel.
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
