package import Vocabulary

/// A filter of a sound, with all of its parameters.
package struct SoundFilter: Hashable, Sendable, Codable {
    package var kind: AudioFilterKind
    package var parameters: [String: Double]
    /// The parameters of each of its parts; nil where the filter has none.
    package var parts: [[String: Double]]?
    /// The content hash of the impulse response that the filter reads; nil where it reads none.
    package var impulse: String?
    /// The plug-in that filters the sound, whose controls are the parameters; nil where FFmpeg's own filter does.
    package var plugin: SoundPlugin?

    package init(
        kind: AudioFilterKind, parameters: [String: Double], parts: [[String: Double]]? = nil, impulse: String? = nil,
        plugin: SoundPlugin? = nil
    ) {
        self.plugin = plugin
        self.kind = kind
        self.parameters = parameters
        self.parts = parts
        self.impulse = impulse
    }
}

/// A plug-in of the machine that filters sounds.
package struct SoundPlugin: Hashable, Sendable, Codable {
    /// The name of `SoundPluginName`.
    package var name: String
    /// Decides which plug-in it is: the hash of its file, or of its bundle.
    package var contentHash: String
    /// The channels that it takes at once. One that takes a single channel runs once for each.
    package var channels: Int

    package init(name: String, contentHash: String, channels: Int) {
        self.name = name
        self.contentHash = contentHash
        self.channels = channels
    }
}

extension [SoundFilter] {
    /// The plug-ins among the filters.
    package var plugins: [SoundPlugin] { compactMap(\.plugin) }

    /// The content hashes of the impulse responses that the filters read, in their order.
    package var impulses: [String] { compactMap(\.impulse) }

}
