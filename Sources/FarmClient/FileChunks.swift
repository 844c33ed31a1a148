import BlockingWork
import ContentHashing
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file's bytes in pieces, from the beginning for every one who iterates: an upload may be repeated.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let path: String

    func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    struct Iterator: AsyncIteratorProtocol {
        private let path: String
        private let reader = FileReader()

        init(path: String) {
            self.path = path
        }

        func next() async throws -> ByteBuffer? { try await reader.next(of: path) }
    }
}

/// Reads a file on a thread of its own, so that a slow disk delays nobody else.
actor FileReader {
    private let thread = BlockingThread(name: "file-reader")
    private var descriptor: Int32 = -1

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func hash(_ path: String) throws(ContentHash.ReadError) -> (hash: String, byteCount: Int) {
        try ContentHash.ofFile(path)
    }

    /// In bytes.
    func size(_ path: String) throws -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        return Int(status.st_size)
    }

    /// The next piece; nil at the end.
    func next(of path: String) throws -> ByteBuffer? {
        if descriptor < 0 {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw failure(path) }
        }
        var buffer = ByteBufferAllocator().buffer(capacity: 1 << 18)
        let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 18) { bytes in
            while true {
                let count = read(descriptor, bytes.baseAddress, bytes.count)
                if count >= 0 { return count }
                if errno != EINTR { throw failure(path) }
            }
        }
        return count > 0 ? buffer : nil
    }

    private func failure(_ path: String) -> ClientFailure {
        ClientFailure(.file, "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
    }
}
