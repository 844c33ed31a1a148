package import Vocabulary

/// A filter of a sound, with all of its parameters.
package struct SoundFilter: Hashable, Sendable, Codable {
    package var kind: AudioFilterKind
    package var parameters: [String: Double]
    /// The parameters of each of its parts; nil where the filter has none.
    package var parts: [[String: Double]]?
    /// The content hash of the impulse response that the filter reads; nil where it reads none.
    package var impulse: String?

    package init(
        kind: AudioFilterKind, parameters: [String: Double], parts: [[String: Double]]? = nil, impulse: String? = nil
    ) {
        self.kind = kind
        self.parameters = parameters
        self.parts = parts
        self.impulse = impulse
    }
}

extension [SoundFilter] {
    /// The content hashes of the impulse responses that the filters read, in their order.
    package var impulses: [String] { compactMap(\.impulse) }
}
