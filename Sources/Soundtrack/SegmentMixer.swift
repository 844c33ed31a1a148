package import ExportPlan
package import Media

/// Mixes one sound segment: the sum of its inputs with their gains, in interleaved 32-bit floats.
///
/// Nothing is clipped here; the encoder clips once at the end. Mixing works in blocks, so memory does not grow with the
/// length.
package struct SegmentMixer {
    private static let block = 16_384

    private let slice: AudioSlice
    private let sources: [String: SourceReference]
    private let damage: DamageLog?

    /// - Parameters:
    ///   - sources: every source that the slice names, by content hash.
    ///   - damage: records which samples of the sources could not be decoded and are silent.
    package init(_ slice: AudioSlice, sources: [String: SourceReference], damage: DamageLog? = nil) {
        self.slice = slice
        self.sources = sources
        self.damage = damage
    }

    /// How the segment is mixed. Sets up the voices that would play its inputs, but reads no sound.
    /// - Throws: `MediaError` if a source cannot be read.
    package func explanation() throws(MediaError) -> Explanation {
        Explanation(.sounds, parts: try tracks(slice.inputs, nil).map(\.explanation))
    }

    private func tracks(_ inputs: [AudioSliceInput], _ chain: SideChainDucker?) throws(MediaError) -> [Track] {
        var stretchers = SharedStretchers()
        var impulses: [String: [Float]] = [:]
        return try inputs.map { input throws(MediaError) in
            var voice = try makeVoice(
                input, try source(input.source), sampleRate: slice.sampleRate, channels: slice.channels, damage: damage,
                &stretchers)
            if let filters = input.filters {
                for hash in filters.impulses where impulses[hash] == nil {
                    impulses[hash] = try readImpulse(
                        try source(hash), sampleRate: slice.sampleRate, channels: slice.channels)
                }
                voice = try FilteredVoice(
                    voice, filters, sampleCount: input.sampleCount, sampleRate: slice.sampleRate, channels: slice.channels,
                    impulses: filters.impulses.compactMap { impulses[$0] })
            }
            return Track(input, voice, slice: slice, chain)
        }
    }

    private func source(_ hash: String) throws(MediaError) -> SourceReference {
        guard let source = sources[hash] else {
            throw MediaError(.missing, subject: hash, message: "is not among the sources of this job")
        }
        return source
    }

    /// Mixes the segment from its first sample to its last.
    /// - Parameter emit: called with one block of interleaved samples after the other, `sampleCount * channels` in
    ///   total.
    /// - Throws: `MediaError` if a source cannot be read, and the errors of `emit`.
    package func mix(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        let chain = try slice.sideChain.map { chain in
            SideChainDucker(
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
    private let pan: StereoPan?
    private let chain: SideChainDucker?
    private var samples: [Float] = []
    private var gains: [Float] = []

    /// - Parameter chain: the side chain that ducks inputs that have a `duck`.
    init(_ input: AudioSliceInput, _ voice: any Voice, slice: AudioSlice, _ chain: SideChainDucker?) {
        self.input = input
        self.voice = voice
        self.chain = chain
        channels = slice.channels
        pan = input.pan.map { StereoPan($0, sampleRate: slice.sampleRate, channels: slice.channels) }
        gain = GainEvaluator(input.gains, sampleRate: slice.sampleRate)
    }

    var explanation: Explanation {
        Explanation(
            .sound(source: input.source, firstSample: input.firstSample, sampleCount: input.sampleCount),
            decisions: voice.decisions + (input.pan.map { [.pan($0)] } ?? []) + input.gains.map { .gain($0) }
                + (input.duck.map { [.duck($0)] } ?? []))
    }

    /// Adds the input's sound during segment samples `start ..< start + count`.
    func add(to mixed: inout [Float], from start: Int, count: Int) throws {
        let heard = (input.firstSample..<(input.firstSample + input.sampleCount)).clamped(to: start..<(start + count))
        guard !heard.isEmpty else { return }
        if samples.count < heard.count * channels { samples = [Float](repeating: 0, count: heard.count * channels) }
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            try voice.read(from: heard.lowerBound - input.firstSample, count: heard.count, into: base)
            pan?.apply(to: buffer, from: heard.lowerBound, count: heard.count, channels: channels)
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
