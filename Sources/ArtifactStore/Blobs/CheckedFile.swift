import ContentHashing
import ExportPlan
import Glibc

/// A new file whose bytes are hashed while they are written. Its calls may wait for the disk. It belongs to one thread.
package final class CheckedFile {
    package let path: String
    private let descriptor: Int32
    private var hash = IncrementalHash()
    private var position: Int64 = 0
    /// Why the file cannot be completed: a write has failed, and the bytes after it would not follow those before.
    private var fault: BlobError?

    /// - Throws: `BlobError` `cannotWrite`, also where there is a file of this name.
    package init(creating path: String) throws(BlobError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw BlobError(.cannotWrite, subject: path, message: "cannot be created: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Begins again with no bytes.
    package func restart() throws(BlobError) {
        guard ftruncate(descriptor, 0) == 0 else { throw failure(errno) }
        hash = IncrementalHash()
        position = 0
        fault = nil
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError) {
        if let fault { throw fault }
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure(count == 0 ? ENOSPC : errno)
                fault = error
                throw error
            }
            done += count
            position += Int64(count)
        }
        hash.update(bytes)
    }

    /// Waits until the bytes are on the disk.
    /// - Returns: their sha256 and number.
    package func finish() throws(BlobError) -> (hash: String, byteCount: Int64) {
        if let fault { throw fault }
        guard fsync(descriptor) == 0 else { throw failure(errno) }
        return (hash.finish(), position)
    }

    /// Removes the file.
    package func remove() { unlink(path) }

    private func failure(_ code: Int32) -> BlobError {
        BlobError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(code)))")
    }
}
