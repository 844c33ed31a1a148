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
    private let libraries: [String: String]
    private let damage: DamageLog?

    /// - Parameters:
    ///   - sources: every source that the slice names, by content hash.
    ///   - libraries: the paths of the libraries of LADSPA plug-ins, by content hash.
    ///   - damage: records which samples of the sources could not be decoded and are silent.
    package init(
        _ slice: AudioSlice, sources: [String: SourceReference], libraries: [String: String] = [:], damage: DamageLog? = nil
    ) {
        self.slice = slice
        self.libraries = libraries
        self.sources = sources
        self.damage = damage
    }

    /// How the segment is mixed. Sets up the voices that would play its inputs, but reads no sound.
    /// - Throws: `MediaError` if a source cannot be read.
    package func explanation() throws(MediaError) -> Explanation {
        var impulses: [String: [Float]] = [:]
        return Explanation(.sounds, parts: try tracks(slice.inputs, slice.groups, nil, &impulses).map(\.explanation))
    }

    /// The tracks of inputs and groups that are heard together.
    /// - Parameter impulses: the impulse responses that were read so far, by content hash.
    private func tracks(
        _ inputs: [AudioSliceInput], _ groups: [AudioSliceGroup]?, _ chain: SideChainDucker?, _ impulses: inout [String: [Float]]
    ) throws(MediaError) -> [Track] {
        var stretchers = SharedStretchers()
        var tracks: [Track] = []
        for input in inputs {
            let voice = try makeVoice(
                input, try source(input.source), sampleRate: slice.sampleRate, channels: slice.channels, damage: damage,
                &stretchers)
            let read: any Voice = input.fromStart == true ? ReadThroughVoice(voice, channels: slice.channels) : voice
            let filtered = try filtered(read, input.filters, sampleCount: input.sampleCount, &impulses)
            tracks.append(Track(input, filtered, slice: slice, chain))
        }
        for group in groups ?? [] {
            let parts = try self.tracks(group.inputs, group.groups, nil, &impulses)
            let voice = GroupVoice(parts, firstSample: group.firstSample, channels: slice.channels)
            let filtered = try filtered(voice, group.filters, sampleCount: group.sampleCount, &impulses)
            tracks.append(Track(group, filtered, parts, slice: slice))
        }
        return tracks
    }

    private func filtered(
        _ voice: any Voice, _ filters: [SoundFilter]?, sampleCount: Int, _ impulses: inout [String: [Float]]
    ) throws(MediaError) -> any Voice {
        guard let filters else { return voice }
        for hash in filters.impulses where impulses[hash] == nil {
            impulses[hash] = try readImpulse(try source(hash), sampleRate: slice.sampleRate, channels: slice.channels)
        }
        return try FilteredVoice(
            voice, filters, sampleCount: sampleCount, sampleRate: slice.sampleRate, channels: slice.channels,
            impulses: filters.impulses.compactMap { impulses[$0] }, libraries: libraries)
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
        var impulses: [String: [Float]] = [:]
        let chain = try slice.sideChain.map { chain in
            SideChainDucker(
                chain, try tracks(chain.inputs, nil, nil, &impulses), sampleRate: slice.sampleRate, channels: slice.channels)
        }
        let voices = try tracks(slice.inputs, slice.groups, chain, &impulses)
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
