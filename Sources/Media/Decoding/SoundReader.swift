import CFFmpeg
package import ExactTime
package import ExportPlan

/// Returns a source's sound at any sample, in the film's rate and channels: interleaved 32-bit floats, with silence
/// outside of the source.
///
/// Samples are numbered from source time 0 at the output rate. The resampler always starts at a multiple of its own
/// period and runs in before the requested sample, so a sample has the same value wherever reading began.
package final class SoundReader {
    private let decoder: SoundDecoder
    private let source: String
    private let damage: DamageLog?
    /// Ranges of source samples that could not be decoded, as far as is known.
    private var missing: [Range<Int>] = []
    private let resampler: Resampler
    private let channels: Int
    /// Output samples of `channels` floats each, the first of which has the number `first`.
    private var buffer: [Float] = []
    private var first = 0
    private var ended = false
    private var isPositioned = false
    /// The number of source samples fed to the resampler, counted from source time 0.
    private var fed = 0
    private let sourceRate: Int

    /// - Parameters:
    ///   - sampleRate: output samples per second.
    ///   - channels: 1 or 2.
    ///   - playbackRate: how much faster than recorded the source runs (varispeed); above zero.
    ///   - damage: records which of the samples that were read could not be decoded and are silent.
    package init(
        _ source: SourceReference, sampleRate: Int, channels: Int, playbackRate: Rational = .one, damage: DamageLog? = nil
    ) throws(MediaError) {
        guard let audio = source.facts.audio else {
            throw MediaError(.noStream, subject: source.path, message: "has no sound")
        }
        decoder = try SoundDecoder(audio, try SourceFile(source), origin: source.facts.origin)
        self.source = source.facts.contentHash
        self.damage = damage
        self.channels = channels
        sourceRate = audio.sampleRate
        resampler = Resampler(
            subject: source.path, sourceRate: Rational(audio.sampleRate) * playbackRate, targetRate: sampleRate,
            channels: channels)
    }

    /// The number of source samples per output sample. At 1, nothing is resampled.
    package var sourceSamplesPerOutput: Rational { resampler.sourceSamplesPerOutput }

    /// Fills `output` with samples `from ..< from + count`.
    /// - Parameter output: room for `count * channels` floats.
    package func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
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
        note(from..<(from + count))
        let passed = min(max(0, from + count - first), buffer.count / channels)
        if passed > resampler.targetRate {
            buffer.removeFirst(passed * channels)
            first += passed
        }
    }

    /// Records the missing source samples in a range of output samples that was read.
    private func note(_ read: Range<Int>) {
        guard let damage, !missing.isEmpty else { return }
        func place(_ sample: Int) -> Int { Int((Rational(sample) * resampler.sourceSamplesPerOutput).floor) }
        let heard = place(read.lowerBound)..<place(read.upperBound)
        for range in missing where range.overlaps(heard) {
            damage.addSilence(source: source, samples: range.clamped(to: heard), rate: sourceRate)
        }
    }

    /// Seeks so far before `sample` that the decoder and the resampler have settled when they reach it.
    private func start(at sample: Int) throws(MediaError) {
        let period = resampler.period
        let runIn = sourceRate / 2
        let wanted = Int((Rational(sample) * resampler.sourceSamplesPerOutput).floor) - runIn
        try decoder.seek(toSample: max(0, wanted - period.source))
        try resampler.reset()
        buffer = []
        isPositioned = true
        ended = false
        missing = []
        guard let sound = try decoder.next() else {
            ended = true
            first = sample
            return
        }
        let position = sound.firstSample
        if sound.isBehindDamage, max(0, wanted) < position { missing.append(max(0, wanted)..<position) }
        // Starts at the first multiple of the period at or after the decoded position, or at the one before it near the
        // start of the source.
        let periods = Rational(Int64(position), Int64(period.source))
        let aligned = position <= sourceRate / 10 || wanted <= position ? periods.floor : periods.ceil
        fed = aligned * period.source
        first = aligned * period.output
        try feed(sound.frame, at: position)
    }

    private func decodeMore(keepingFrom needed: Int) throws(MediaError) {
        guard let sound = try decoder.next() else {
            try resampler.drain(into: &buffer)
            ended = true
            return
        }
        if sound.isBehindDamage, fed < sound.firstSample { missing.append(fed..<sound.firstSample) }
        try feed(sound.frame, at: sound.firstSample)
        // A long skip must not fill the buffer.
        let behind = needed - first
        if behind > resampler.targetRate * 4 {
            let drop = min(behind - resampler.targetRate, buffer.count / channels)
            buffer.removeFirst(drop * channels)
            first += drop
        }
    }

    /// Feeds a frame at its position: a gap before it becomes silence, and samples that overlap earlier ones are
    /// dropped.
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
