import ExportPlan
import Media

/// A source as one input plays it: samples 0, 1, 2, ... of the input, at the right speed and in the right direction.
protocol Voice: AnyObject {
    /// Fills `output` (interleaved) with the input's samples `from ..< from + count`. Callers read in rising order.
    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError)
    /// What was decided about how the samples are made from the source.
    var decisions: [Explanation.Decision] { get }
}

func makeVoice(
    _ input: AudioSliceInput, _ source: SourceReference, sampleRate: Int, channels: Int, damage: DamageLog?,
    _ stretchers: inout SharedStretchers
) throws(MediaError) -> any Voice {
    guard let window = input.timeStretch?.window else {
        return try makeUnwindowedVoice(input, source, sampleRate: sampleRate, channels: channels, damage: damage)
    }
    return try stretchers.voice(for: input, window) { () throws(MediaError) in
        try makeUnwindowedVoice(input, source, sampleRate: sampleRate, channels: channels, damage: damage)
    }
}

/// Creates a voice for the whole stretched sound, of which the input may be a part.
private func makeUnwindowedVoice(
    _ input: AudioSliceInput, _ source: SourceReference, sampleRate: Int, channels: Int, damage: DamageLog?
) throws(MediaError) -> any Voice {
    let reader = try SoundReader(
        source, sampleRate: sampleRate, channels: channels, playbackRate: input.playbackRate, damage: damage)
    let direct: any Voice =
        input.reversed
        ? ReversedVoice(reader, lastSample: input.sourceSample, sampleRate: sampleRate, channels: channels)
        : ForwardVoice(reader, firstSample: input.sourceSample)
    let played: any Voice = input.varispeed.map { VarispeedVoice(direct, speedRanges: $0, channels: channels) } ?? direct
    guard let timeStretch = input.timeStretch else { return played }
    return try TimeStretchedVoice(
        played, timeStretch, sampleCount: timeStretch.window?.stretchedSampleCount ?? input.sampleCount, sampleRate: sampleRate,
        channels: channels)
}

/// Plays a source unchanged from one of its samples on.
final class ForwardVoice: Voice {
    private let reader: SoundReader
    private let firstSample: Int

    init(_ reader: SoundReader, firstSample: Int) {
        self.reader = reader
        self.firstSample = firstSample
    }

    var decisions: [Explanation.Decision] { [.resampling(ratio: reader.sourceSamplesPerOutput)] }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        try reader.read(from: firstSample + from, count: count, into: output)
    }
}

/// Plays a source backwards from one of its samples. It reads blocks of four seconds forwards, the last one first.
final class ReversedVoice: Voice {
    private let reader: SoundReader
    private let lastSample: Int
    private let channels: Int
    private let blockLength: Int
    /// The source samples `blockStart ..< blockStart + blockLength`.
    private var block: [Float] = []
    private var blockStart = Int.max

    init(_ reader: SoundReader, lastSample: Int, sampleRate: Int, channels: Int) {
        self.reader = reader
        self.lastSample = lastSample
        self.channels = channels
        blockLength = sampleRate * 4
    }

    var decisions: [Explanation.Decision] { [.resampling(ratio: reader.sourceSamplesPerOutput), .reversal] }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        for index in 0..<count {
            let sample = lastSample - from - index
            if sample < blockStart || sample >= blockStart + blockLength { try load(endingAt: sample) }
            for channel in 0..<channels {
                output[index * channels + channel] = block[(sample - blockStart) * channels + channel]
            }
        }
    }

    private func load(endingAt sample: Int) throws(MediaError) {
        if block.isEmpty { block = [Float](repeating: 0, count: blockLength * channels) }
        blockStart = sample - blockLength + 1
        let start = blockStart
        var failure: MediaError?
        block.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            do throws(MediaError) {
                try reader.read(from: start, count: blockLength, into: base)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

/// Reads another voice from its first sample on, whichever is wanted first, because its samples depend on where reading
/// starts.
final class ReadThroughVoice: Voice {
    private static let block = 16_384

    private let voice: any Voice
    private let channels: Int
    /// The number of samples that were read.
    private var place = 0

    init(_ voice: any Voice, channels: Int) {
        self.voice = voice
        self.channels = channels
    }

    var decisions: [Explanation.Decision] { voice.decisions }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        if place < from {
            let skipped = UnsafeMutablePointer<Float>.allocate(capacity: ReadThroughVoice.block * channels)
            defer { skipped.deallocate() }
            while place < from {
                let part = min(ReadThroughVoice.block, from - place)
                try voice.read(from: place, count: part, into: skipped)
                place += part
            }
        }
        try voice.read(from: from, count: count, into: output)
        place = from + count
    }
}
