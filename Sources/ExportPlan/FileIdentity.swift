#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What tells one state of a file from another without reading it: size, modification time and inode.
///
/// What is known of a source holds for one identity of its file. Jobs compare it before they read the source and after, so that
/// nothing is kept that was made from other bytes.
public struct FileIdentity: Hashable, Sendable, Codable {
    public var byteCount: Int
    /// Nanoseconds since 1970.
    public var modified: Int
    public var inode: UInt64
    /// The name of the machine that looked: file systems on the network may show other inodes on other machines.
    public var machine: String

    /// Of an open file.
    /// - Returns: nil when the system does not say.
    public init?(ofDescriptor descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of the file that a path leads to now.
    /// - Returns: nil when there is none, or it cannot be looked at.
    public init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        byteCount = Int(status.st_size)
        // Times after the year 2262 wrap around: they need only differ.
        modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
        machine = FileIdentity.thisMachine
    }

    /// Whether both are one state of one file, as far as can be told. Inodes count where one machine looked at both.
    public func isSame(as other: FileIdentity) -> Bool {
        byteCount == other.byteCount && modified == other.modified && (machine != other.machine || inode == other.inode)
    }

    private static let thisMachine: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()
}
