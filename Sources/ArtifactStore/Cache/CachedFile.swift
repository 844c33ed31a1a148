import ExportPlan
import Glibc

/// A file of a `BlobCache` that is in use: it stays in the cache until this value is gone.
///
/// The use is a shared lock on the open file. Removing a file takes the lock for itself, and so passes over a file that any
/// process of the machine uses. The system releases the lock when the process ends, even when it is killed.
package final class CachedFile: Sendable {
    package let path: String
    package let byteCount: Int64
    private let descriptor: Int32

    private init(_ path: String, _ byteCount: Int64, _ descriptor: Int32) {
        self.path = path
        self.byteCount = byteCount
        self.descriptor = descriptor
    }

    /// Begins the use of a file.
    /// - Parameter place: where the file is moved to next; nil where it stays.
    /// - Returns: nil where there is no such file, or it is being removed.
    /// - Throws: `BlobError` `cannotRead` where that cannot be decided.
    static func opened(_ path: String, as place: String? = nil) throws(BlobError) -> CachedFile? {
        // A link in the place of the file is not followed, and a pipe is opened without waiting and then refused.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) else { throw failure(path, errno) }
            return nil
        }
        var (own, there) = (stat(), stat())
        let code = fstat(descriptor, &own) == 0 ? 0 : errno
        let file = CachedFile(place ?? path, Int64(own.st_size), descriptor)
        guard code == 0 else { throw failure(path, code) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
            guard errno == EAGAIN || errno == EINTR else { throw failure(path, errno) }
            return nil
        }
        // Where the file was removed before it was locked, others would no longer find it.
        guard own.st_mode & S_IFMT == S_IFREG, lstat(path, &there) == 0, own.st_ino == there.st_ino,
            own.st_dev == there.st_dev
        else { return nil }
        StoredFiles.noteUse(of: path)
        return file
    }

    deinit { close(descriptor) }

    private static func failure(_ path: String, _ code: Int32) -> BlobError {
        BlobError(.cannotRead, subject: path, message: "cannot be read in the cache: \(String(cString: strerror(code)))")
    }
}
