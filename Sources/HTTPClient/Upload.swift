import Glibc
import Synchronization

/// The bytes of a request's body, from their beginning. It owns the open file.
final class Upload: Sendable {
    private let body: OutgoingRequest.Body
    /// The number of bytes that were handed out.
    private let position = Atomic(0)
    private let descriptor: Int32

    /// - Throws: `TransferError` when the file cannot be opened.
    init(_ body: OutgoingRequest.Body) throws(TransferError) {
        self.body = body
        guard case .file(let path, _, _) = body else {
            descriptor = -1
            return
        }
        // Without O_NONBLOCK, opening a named pipe that has replaced the file would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Upload.unreadable(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes the next bytes into `space`.
    /// - Returns: their number; 0 at the end.
    func next(_ space: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        let done = position.load(ordering: .relaxed)
        switch body {
        case .none: return 0
        case .bytes(let bytes):
            let count = min(space.count, bytes.count - done)
            bytes.withUnsafeBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + count])) }
            position.store(done + count, ordering: .relaxed)
            return count
        case .file(let path, let offset, let byteCount):
            // A file that grows meanwhile must not make the body longer than announced.
            let wanted = min(space.count, Int(byteCount) - done)
            guard wanted > 0 else { return 0 }
            while true {
                let count = pread(descriptor, space.baseAddress, wanted, off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Upload.unreadable(path) }
                guard count > 0 else { throw TransferError(.unreadableFile, "'\(path)' became shorter while it was sent") }
                position.store(done + count, ordering: .relaxed)
                return count
            }
        }
    }

    /// Goes to an offset in bytes, to send what follows once more.
    func seek(to offset: Int) { position.store(min(max(0, offset), Int(body.size)), ordering: .relaxed) }

    private static func unreadable(_ path: String) -> TransferError {
        TransferError(.unreadableFile, "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
    }
}
