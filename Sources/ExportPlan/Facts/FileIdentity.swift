import Glibc

/// The size, modification time and inode of a file, which tell one state of the file from another without reading it.
///
/// Source facts hold for one identity of the file. Jobs compare it before and after they read the source, so that no
/// artifact made from other bytes is kept.
package struct FileIdentity: Hashable, Sendable, Codable {
    package var byteCount: Int
    /// Nanoseconds since 1970.
    package var modified: Int
    package var inode: UInt64
    /// The name of the machine that looked at the file. Network file systems may show different inodes on different
    /// machines.
    package var machine: String

    /// The identity of an open file.
    /// - Returns: nil when the system does not give it.
    package init?(ofDescriptor descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The identity of the file at a path.
    /// - Returns: nil when there is no such file, or it cannot be examined.
    package init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        byteCount = Int(status.st_size)
        // Times after the year 2262 wrap around, which does no harm: times only have to differ.
        modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
        machine = FileIdentity.thisMachine
    }

    /// Whether both are the same state of the same file, as far as can be told. Inodes count only where one machine
    /// looked at both.
    package func isSame(as other: FileIdentity) -> Bool {
        byteCount == other.byteCount && modified == other.modified && (machine != other.machine || inode == other.inode)
    }

    private static let thisMachine: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()
}
