import Glibc

/// A lock on a directory for as long as this value lives. The system releases it when the process ends, even when it is
/// killed.
package final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Parameter directory: an existing directory; a file `lock` is created in it.
    /// - Throws: `LocalServerError` at once when another process holds the lock, or when the file cannot be written.
    package init(_ directory: String) throws {
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
