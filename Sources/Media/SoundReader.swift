import CFFmpeg
public import ExactTime
public import ExportPlan

/// A source's sound at any sample, in the film's rate and channels: interleaved 32-bit floats, silence outside.
///
/// Samples are numbered from source time 0 at the output rate. The resampler always starts on a multiple of its own
/// period before the wanted sample and runs in, so a sample has the same value wherever reading began.
public final class SoundReader {
    private let decoder: SoundDecoder
    private let resampler: Resampler
    private let channels: Int
    /// Output samples, `channels` floats each, of which the first is number `first`.
    private var buffer: [Float] = []
    private var first = 0
    private var ended = false
    private var isPositioned = false
    /// Source samples handed to the resampler, counted from source time 0.
    private var fed = 0
    private let sourceRate: Int

    /// - Parameters:
    ///   - sampleRate: output samples per second.
    ///   - channels: 1 or 2.
    ///   - playbackRate: how much faster than recorded the source runs (varispeed); above zero.
    public init(_ source: SourceReference, sampleRate: Int, channels: Int, playbackRate: Rational = .one) throws(MediaError) {
        guard let audio = source.facts.audio else {
            throw MediaError(.noStream, subject: source.path, message: "has no sound")
        }
        decoder = try SoundDecoder(audio, path: source.path, origin: source.facts.origin)
        self.channels = channels
        sourceRate = audio.sampleRate
        resampler = Resampler(
            subject: source.path, sourceRate: Rational(audio.sampleRate) * playbackRate, targetRate: sampleRate,
            channels: channels)
    }

    /// Source samples for each sample that is read; at 1 none is resampled.
    public var sourceSamplesPerOutput: Rational { resampler.sourceSamplesPerOutput }

    /// Fills `output` with samples `from ..< from + count`.
    /// - Parameter output: room for `count * channels` floats.
    public func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        if !isPositioned || from < first || from > first + buffer.count / channels + resampler.targetRate * 2 {
            try start(at: from)
        }
        while first + buffer.count / channels < from + count, !ended { try decodeMore(keepingFrom: from) }
        for index in 0..<count {
            let place = from + index - first
            for channel in 0..<channels {
                let sample = place * channels + channel
                output[index * channels + channel] = place >= 0 && sample < buffer.count ? buffer[sample] : 0
            }
        }
        let passed = min(max(0, from + count - first), buffer.count / channels)
        if passed > resampler.targetRate {
            buffer.removeFirst(passed * channels)
            first += passed
        }
    }

    /// Seeks far enough before `sample` that the decoder and the resampler have settled when it comes.
    private func start(at sample: Int) throws(MediaError) {
        let period = resampler.period
        let runIn = sourceRate / 2
        let wanted = Int((Rational(sample) * resampler.sourceSamplesPerOutput).floor) - runIn
        try decoder.seek(toSample: max(0, wanted - period.source))
        try resampler.reset()
        buffer = []
        isPositioned = true
        ended = false
        guard let (frame, position) = try decoder.next() else {
            ended = true
            first = sample
            return
        }
        // The first multiple of the period at or after what came out; at the source's own start, the one before it.
        let periods = Rational(Int64(position), Int64(period.source))
        let aligned = position <= sourceRate / 10 || wanted <= position ? periods.floor : periods.ceil
        fed = aligned * period.source
        first = aligned * period.output
        try feed(frame, at: position)
    }

    private func decodeMore(keepingFrom needed: Int) throws(MediaError) {
        guard let (frame, position) = try decoder.next() else {
            try resampler.drain(into: &buffer)
            ended = true
            return
        }
        try feed(frame, at: position)
        // Long skips must not pile up.
        let behind = needed - first
        if behind > resampler.targetRate * 4 {
            let drop = min(behind - resampler.targetRate, buffer.count / channels)
            buffer.removeFirst(drop * channels)
            first += drop
        }
    }

    /// Hands a frame on in its place: a gap before it becomes silence, what overlaps is dropped.
    private func feed(_ frame: UnsafeMutablePointer<AVFrame>, at position: Int) throws(MediaError) {
        let gap = position - fed
        // A gap of more than ten minutes is a broken timestamp.
        if gap > 0, gap < sourceRate * 600 {
            try resampler.feedSilence(gap, like: frame, into: &buffer)
            fed += gap
        }
        let count = Int(frame.pointee.nb_samples)
        let skip = min(count, max(0, -gap))
        if skip < count { try resampler.feed(frame, skipping: skip, into: &buffer) }
        fed += count - skip
    }
}
