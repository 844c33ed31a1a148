/// The libraries and codecs that the renderer finds on its machine.
package struct InstalledCodecs: Hashable, Sendable, Codable {
    /// A library in use and its version.
    package struct Library: Hashable, Sendable, Codable {
        package var name: String
        package var version: String

        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A codec, by FFmpeg's name.
    package struct Codec: Hashable, Sendable, Codable {
        package var name: String
        package var isInstalled: Bool

        package init(name: String, isInstalled: Bool) {
            self.name = name
            self.isInstalled = isInstalled
        }
    }

    package var libraries: [Library]
    /// The encoders that every export needs.
    package var encoders: [Codec]
    /// The encoders of less common formats.
    package var furtherEncoders: [Codec]
    /// The decoders that users' sources need.
    package var decoders: [Codec]
    /// The muxers of the containers that exports can write.
    package var muxers: [Codec]

    package init(libraries: [Library], encoders: [Codec], furtherEncoders: [Codec], decoders: [Codec], muxers: [Codec]) {
        self.libraries = libraries
        self.encoders = encoders
        self.furtherEncoders = furtherEncoders
        self.decoders = decoders
        self.muxers = muxers
    }
}
