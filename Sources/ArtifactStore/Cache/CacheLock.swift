import Glibc

/// The lock on a local cache. Every process that uses the cache's artifacts shares it for as long as it does, so that
/// nobody removes them meanwhile: artifacts go only while a process has the lock for itself (`LocalCache`).
///
/// The system releases the lock when the process ends, even when it is killed; rendering processes do not inherit it.
/// Where there can be no lock, because the file system has none or the lock's file cannot be opened, the process works
/// without it and removes nothing.
package final class CacheLock: Sendable {
    /// The name of the lock's file in the cache's directory. It is hidden, so that `StoredFiles` does not count it.
    package static let fileName = ".lock"

    private let path: String
    private let descriptor: Int32

    private init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    // MARK: Sharing it

    /// Shares the lock, after waiting for a process that removes artifacts.
    /// - Parameter directory: the cache's directory, which exists.
    /// - Returns: nil where there can be no lock.
    /// - Throws: `CancellationError`.
    package static func shared(of directory: String) async throws -> CacheLock? {
        while let lock = opened("\(directory)/\(fileName)") {
            switch lock.share() {
            case .taken: return lock
            case .impossible: return nil
            case .busy: try await Task.sleep(for: .milliseconds(10))
            }
        }
        return nil
    }

    private static func opened(_ path: String) -> CacheLock? {
        // The cache of another user may only be readable, which is enough for a lock.
        for mode in [O_RDWR | O_CREAT, O_RDONLY] {
            // A link in the place of the file is not followed, and a pipe is opened without waiting and then refused.
            let descriptor = open(path, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
            guard descriptor >= 0 else { continue }
            let lock = CacheLock(path, descriptor)
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? lock : nil
        }
        return nil
    }

    private enum Attempt {
        case taken, busy, impossible
    }

    private func share() -> Attempt {
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EINTR else { return errno == EAGAIN ? .busy : .impossible }
        }
        // Where the file was removed or replaced meanwhile, others lock another one, so that it is opened once more.
        return isInPlace ? .taken : .busy
    }

    /// Whether the file that was opened is still the one that others would open.
    private var isInPlace: Bool {
        var own = stat()
        var there = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_ino == there.st_ino
            && own.st_dev == there.st_dev
    }

    // MARK: Having it alone

    /// Does something while no other process has the lock, and releases the lock in any case: this process may not use
    /// the artifacts any more. When several processes end their use at the same time, one of them is alone in the end.
    /// - Returns: nil, at once, where another process has the lock.
    package func release<Value>(doingAlone body: () throws -> Value) rethrows -> Value? {
        defer { flock(descriptor, LOCK_UN) }
        // The system releases the shared lock first, also where it then refuses the other one.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isInPlace else { return nil }
        return try body()
    }
}
