import ExportPlan
import Media

/// A source as one input plays it: samples 0, 1, 2, ... of the input, already at the right speed and direction.
protocol Voice: AnyObject {
    /// Fills `output` (interleaved) with the input's samples `from ..< from + count`. Callers ask in rising order.
    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError)
}

extension VoiceProgram {
    /// How `makeVoice` plays an input.
    init(_ input: AudioSliceInput, _ reader: SoundReader) {
        self.init(
            sourceSamplesPerOutput: reader.sourceSamplesPerOutput, reversed: input.reversed, bend: input.bend,
            stretch: input.stretch)
    }
}

func makeVoice(
    _ input: AudioSliceInput, _ source: SourceReference, sampleRate: Int, channels: Int, damage: DamageLog?,
    _ stretchers: inout SharedStretchers
) throws(MediaError) -> any Voice {
    guard let window = input.stretch?.window else {
        return try makeWholeVoice(input, source, sampleRate: sampleRate, channels: channels, damage: damage)
    }
    return try stretchers.voice(for: input, window) { () throws(MediaError) in
        try makeWholeVoice(input, source, sampleRate: sampleRate, channels: channels, damage: damage)
    }
}

/// Plays all that is stretched, of which the input may be a part.
private func makeWholeVoice(
    _ input: AudioSliceInput, _ source: SourceReference, sampleRate: Int, channels: Int, damage: DamageLog?
) throws(MediaError) -> any Voice {
    let reader = try SoundReader(
        source, sampleRate: sampleRate, channels: channels, playbackRate: input.playbackRate, damage: damage)
    let program = VoiceProgram(input, reader)
    let direct: any Voice =
        program.reversed
        ? ReversedVoice(reader, lastSample: input.sourceSample, sampleRate: sampleRate, channels: channels)
        : ForwardVoice(reader, firstSample: input.sourceSample)
    let bent: any Voice = program.bend.map { BentVoice(direct, legs: $0, channels: channels) } ?? direct
    guard let stretch = program.stretch else { return bent }
    return try StretchedVoice(
        bent, stretch, sampleCount: stretch.window?.stretchedSampleCount ?? input.sampleCount, sampleRate: sampleRate,
        channels: channels)
}

/// Plays a source as it is, from one of its samples on.
final class ForwardVoice: Voice {
    private let reader: SoundReader
    private let firstSample: Int

    init(_ reader: SoundReader, firstSample: Int) {
        self.reader = reader
        self.firstSample = firstSample
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        try reader.read(from: firstSample + from, count: count, into: output)
    }
}

/// Plays a source backwards from one of its samples: reads pieces of four seconds forwards, from the last to the first.
final class ReversedVoice: Voice {
    private let reader: SoundReader
    private let lastSample: Int
    private let channels: Int
    private let pieceLength: Int
    /// Source samples `pieceStart ..< pieceStart + pieceLength`.
    private var piece: [Float] = []
    private var pieceStart = Int.max

    init(_ reader: SoundReader, lastSample: Int, sampleRate: Int, channels: Int) {
        self.reader = reader
        self.lastSample = lastSample
        self.channels = channels
        pieceLength = sampleRate * 4
    }

    func read(from: Int, count: Int, into output: UnsafeMutablePointer<Float>) throws(MediaError) {
        for index in 0..<count {
            let sample = lastSample - from - index
            if sample < pieceStart || sample >= pieceStart + pieceLength { try load(endingAt: sample) }
            for channel in 0..<channels {
                output[index * channels + channel] = piece[(sample - pieceStart) * channels + channel]
            }
        }
    }

    private func load(endingAt sample: Int) throws(MediaError) {
        if piece.isEmpty { piece = [Float](repeating: 0, count: pieceLength * channels) }
        pieceStart = sample - pieceLength + 1
        let start = pieceStart
        var failure: MediaError?
        piece.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            do throws(MediaError) {
                try reader.read(from: start, count: pieceLength, into: base)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
