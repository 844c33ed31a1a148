#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Puts files in their places so that they outlast a power cut: a rename is on the disk only once the folder has been synced, and so
/// is a new folder only once the folder above it has been. Everything that moves a finished file into its place does it here.
public struct DurableFiles: Sendable {
    /// What the system refused.
    public struct Failure: Error, Hashable, Sendable {
        /// The file or folder that was to be written.
        public var path: String
        /// The value of `errno`.
        public var code: Int32

        public init(_ path: String, _ code: Int32) {
            self.path = path
            self.code = code
        }

        /// The system's words for the code.
        public var reason: String { String(cString: strerror(code)) }
    }

    private let syncing: @Sendable (String) -> Int32

    public init() {
        syncing = DurableFiles.fsync
    }

    /// - Parameter syncing: called with the path of each file and folder instead of the system; returns 0 or a value of `errno`.
    package init(syncing: @escaping @Sendable (String) -> Int32) {
        self.syncing = syncing
    }

    /// Waits until a file's bytes, or the names in a folder, are on the disk.
    public func sync(_ path: String) throws(Failure) {
        let code = syncing(path)
        guard code == 0 else { throw Failure(path, code) }
    }

    /// Makes a folder and those above it, where they are not there.
    public func makeFolder(_ path: String) throws(Failure) {
        if mkdir(path, 0o777) == 0 { return try sync(DurableFiles.folder(of: path)) }
        switch errno {
        case EEXIST: return
        case ENOENT:
            try makeFolder(DurableFiles.folder(of: path))
            // Another process may have made it meanwhile.
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure(path, errno) }
            try sync(DurableFiles.folder(of: path))
        case let code: throw Failure(path, code)
        }
    }

    /// Gives a file another name, in the place of whatever has that name, and syncs the folder. The file's bytes have to be synced
    /// before, or the name outlasts them.
    public func move(_ file: String, to path: String) throws(Failure) {
        guard rename(file, path) == 0 else { throw Failure(path, errno) }
        try sync(DurableFiles.folder(of: path))
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func fsync(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        guard posixSync(descriptor) != 0 else { return 0 }
        // Some file systems of a network or in user space cannot sync a folder; nothing better can be done there.
        return errno == EINVAL || errno == EOPNOTSUPP ? 0 : errno
    }
}

/// The system's `fsync`, which the method of the same name hides.
private func posixSync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
