public import ExportPlan
public import Media

/// Mixes one sound segment: the sum of its inputs, each with its gains, in interleaved 32-bit floats.
///
/// Nothing is clipped here; the encoder does that once, at the end. Works in blocks, so memory does not grow with length.
public struct SegmentMixer {
    private static let block = 16_384

    private let slice: AudioSlice
    private let sources: [String: SourceReference]
    private let damage: DamageLog?

    /// - Parameters:
    ///   - sources: by content hash; every source that the slice names.
    ///   - damage: is told what of the sources could not be decoded and is silent.
    public init(_ slice: AudioSlice, sources: [String: SourceReference], damage: DamageLog? = nil) {
        self.slice = slice
        self.sources = sources
        self.damage = damage
    }

    /// How the segment is mixed. Opens the sources, and reads nothing.
    /// - Throws: `MediaError` when a source cannot be read.
    public func program() throws(MediaError) -> SoundProgram {
        SoundProgram(
            inputs: try slice.inputs.map { input throws(MediaError) in
                let reader = try SoundReader(
                    try source(of: input), sampleRate: slice.sampleRate, channels: slice.channels,
                    playbackRate: input.playbackRate)
                return SoundProgram.Input(
                    source: input.source, firstSample: input.firstSample, sampleCount: input.sampleCount,
                    voice: VoiceProgram(input, reader), gains: input.gains, duck: input.duck)
            })
    }

    private func source(of input: AudioSliceInput) throws(MediaError) -> SourceReference {
        guard let source = sources[input.source] else {
            throw MediaError(.missing, subject: input.source, message: "is not among the sources of this job")
        }
        return source
    }

    /// Mixes the segment from its first sample to its last.
    /// - Parameter emit: takes block after block of interleaved samples; together exactly `sampleCount * channels`.
    /// - Throws: `MediaError` when a source cannot be read, and whatever `emit` throws.
    public func mix(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        func tracks(_ inputs: [AudioSliceInput], _ chain: SideChainDetector?) throws -> [Track] {
            var stretchers = SharedStretchers()
            return try inputs.map { try Track($0, slice: slice, source: try source(of: $0), chain, damage, &stretchers) }
        }
        let chain = try slice.sideChain.map { chain in
            SideChainDetector(
                chain, try tracks(chain.inputs, nil), sampleRate: slice.sampleRate, channels: slice.channels)
        }
        let voices = try tracks(slice.inputs, chain)
        var mixed = [Float](repeating: 0, count: SegmentMixer.block * slice.channels)
        var start = 0
        while start < slice.sampleCount {
            let count = min(SegmentMixer.block, slice.sampleCount - start)
            mixed.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
            for voice in voices { try voice.add(to: &mixed, from: start, count: count) }
            try mixed.withUnsafeBufferPointer { try emit(UnsafeBufferPointer(rebasing: $0[..<(count * slice.channels)])) }
            start += count
        }
    }
}

/// One input of a segment: its samples in order, with its gains.
final class Track {
    private let input: AudioSliceInput
    private let channels: Int
    private let voice: any Voice
    private let gain: GainEvaluator
    private let chain: SideChainDetector?
    private var samples: [Float] = []
    private var gains: [Float] = []

    /// - Parameters:
    ///   - chain: what an input with a `duck` steps back for.
    ///   - stretchers: those of the inputs before it.
    init(
        _ input: AudioSliceInput, slice: AudioSlice, source: SourceReference, _ chain: SideChainDetector?,
        _ damage: DamageLog?, _ stretchers: inout SharedStretchers
    ) throws {
        self.input = input
        self.chain = chain
        channels = slice.channels
        voice = try makeVoice(
            input, source, sampleRate: slice.sampleRate, channels: slice.channels, damage: damage, &stretchers)
        gain = GainEvaluator(input.gains, sampleRate: slice.sampleRate)
    }

    /// Adds what it sounds during segment samples `start ..< start + count`.
    func add(to mixed: inout [Float], from start: Int, count: Int) throws {
        let heard = (input.firstSample..<(input.firstSample + input.sampleCount)).clamped(to: start..<(start + count))
        guard !heard.isEmpty else { return }
        if samples.count < heard.count * channels { samples = [Float](repeating: 0, count: heard.count * channels) }
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            try voice.read(from: heard.lowerBound - input.firstSample, count: heard.count, into: base)
        }
        gain.evaluate(from: heard.lowerBound, count: heard.count, into: &gains)
        if let duck = input.duck, let chain { try chain.multiply(&gains, from: heard.lowerBound, by: duck) }
        let offset = (heard.lowerBound - start) * channels
        for index in 0..<heard.count {
            for channel in 0..<channels {
                mixed[offset + index * channels + channel] += samples[index * channels + channel] * gains[index]
            }
        }
    }
}
