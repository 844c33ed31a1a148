import ExportPlan
import Media

/// A mix that goes through filters from its beginning to its end.
struct FilteredMix: Mix {
    let mix: JoinedMix
    let filters: [SoundFilter]
    /// The paths of the libraries of LADSPA plug-ins, by content hash.
    let libraries: [String: String]
    let encode: AudioEncodeSettings
    /// The samples of the mix.
    let sampleCount: Int

    /// - Throws: `MediaError` of the filters, and the errors of reading the mix.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        let chain = try SoundFilterChain(filters, sampleRate: encode.sampleRate, channels: encode.channels, libraries: libraries)
        var left = sampleCount
        var filtered: [Float] = []
        func send(_ block: UnsafeBufferPointer<Float>) throws {
            filtered.removeAll(keepingCapacity: true)
            try chain.process(block, into: &filtered)
            let count = min(left, filtered.count / encode.channels)
            guard count > 0 else { return }
            left -= count
            try filtered.withUnsafeBufferPointer { try emit(UnsafeBufferPointer(rebasing: $0[..<(count * encode.channels)])) }
        }
        try mix.read(send)
        // Filters that delay the sound give its last samples while silence follows.
        let silence = [Float](repeating: 0, count: 4096 * encode.channels)
        while left > 0 { try silence.withUnsafeBufferPointer(send) }
    }
}
