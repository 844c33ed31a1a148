#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A directory that belongs to this process for as long as this value lives. The system lets go of it when the process ends, however it ends.
public final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Parameter directory: one that is there; a file `lock` is made in it.
    /// - Throws: `LocalServerError` at once when another process has it, or the file cannot be written.
    public init(_ directory: String) throws {
        let path = directory + "/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw LocalServerError("'\(path)' cannot be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw LocalServerError(
                "another 'spool up' runs in '\(directory)'; stop it, or choose another place with --directory")
        }
    }

    deinit { close(descriptor) }
}
