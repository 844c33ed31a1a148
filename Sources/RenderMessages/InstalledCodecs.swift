/// What the renderer finds of the media libraries on its machine.
public struct InstalledCodecs: Hashable, Sendable, Codable {
    /// A library in use and its version.
    public struct Library: Hashable, Sendable, Codable {
        public var name: String
        public var version: String

        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A codec by FFmpeg's name for it.
    public struct Codec: Hashable, Sendable, Codable {
        public var name: String
        public var isInstalled: Bool

        public init(name: String, isInstalled: Bool) {
            self.name = name
            self.isInstalled = isInstalled
        }
    }

    public var libraries: [Library]
    /// Those without which nothing can be exported.
    public var encoders: [Codec]
    /// Those of the formats that few want.
    public var furtherEncoders: [Codec]
    /// Those that users' sources need.
    public var decoders: [Codec]

    public init(libraries: [Library], encoders: [Codec], furtherEncoders: [Codec], decoders: [Codec]) {
        self.libraries = libraries
        self.encoders = encoders
        self.furtherEncoders = furtherEncoders
        self.decoders = decoders
    }
}
