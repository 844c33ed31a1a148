import Glibc

/// Moves files into place so that they survive a power cut. A rename is on the disk only once the folder has been
/// synced, and a new folder only once its parent has been. Everything that moves a finished file into place does it
/// here.
package struct DurableFiles: Sendable {
    /// A call that the system refused.
    package struct Failure: Error, Hashable, Sendable {
        /// The file or folder that could not be written.
        package var path: String
        /// The value of `errno`.
        package var code: Int32

        package init(_ path: String, _ code: Int32) {
            self.path = path
            self.code = code
        }

        /// The system's description of the code.
        package var reason: String { String(cString: strerror(code)) }
    }

    private let syncing: @Sendable (String) -> Int32

    package init() {
        syncing = DurableFiles.fsync
    }

    /// - Parameter syncing: replaces the system's sync for tests. It is called with the path of each file and folder,
    ///   and returns 0 or a value of `errno`.
    package init(syncing: @escaping @Sendable (String) -> Int32) {
        self.syncing = syncing
    }

    /// Waits until a file's bytes, or the names in a folder, are on the disk.
    package func sync(_ path: String) throws(Failure) {
        let code = syncing(path)
        guard code == 0 else { throw Failure(path, code) }
    }

    /// Creates a folder and its parents, where they do not exist.
    package func makeFolder(_ path: String) throws(Failure) {
        if mkdir(path, 0o777) == 0 { return try sync(DurableFiles.folder(of: path)) }
        switch errno {
        case EEXIST: return
        case ENOENT:
            try makeFolder(DurableFiles.folder(of: path))
            // Another process may have created it meanwhile.
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw Failure(path, errno) }
            try sync(DurableFiles.folder(of: path))
        case let code: throw Failure(path, code)
        }
    }

    /// Renames a file, replacing any file of that name, and syncs the folder. The file's own bytes must be synced
    /// before; otherwise the name could survive a power cut without them.
    package func move(_ file: String, to path: String) throws(Failure) {
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
        // Some network and user-space file systems cannot sync a folder; there is no alternative on them.
        return errno == EINVAL || errno == EOPNOTSUPP ? 0 : errno
    }
}

/// The system's `fsync`; inside the type its method of the same name would be called.
private func posixSync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
