import ArtifactStore
import ContentHashing
import ExportPlan
import Glibc

/// A part of a file of this machine.
enum FilePart {
    /// The sha256 of a part.
    /// - Throws: `BlobError` `cannotRead`, also where the file ends within the part.
    static func hash(of path: String, _ range: Range<Int64>) throws(BlobError) -> String {
        // Without O_NONBLOCK, opening a named pipe that has replaced the file would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var hash = IncrementalHash()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { chunk.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let count = pread(descriptor, chunk.baseAddress, min(chunk.count, Int(range.upperBound - position)), off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw unreadable(path, count == 0 ? "it has become shorter" : String(cString: strerror(errno)))
            }
            hash.update(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            position += Int64(count)
        }
        return hash.finish()
    }

    private static func unreadable(_ path: String, _ reason: String) -> BlobError {
        BlobError(.cannotRead, subject: path, message: "cannot be read: \(reason)")
    }
}
