import BlockingWork
import ContentHashing
import Glibc

/// Hashes files on its own thread, so that a slow disk delays nothing else.
actor FileReader {
    private let thread = BlockingThread(name: "file-reader")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    func hash(_ path: String) throws(ContentHash.ReadError) -> (hash: String, byteCount: Int) {
        try ContentHash.ofFile(path)
    }

    /// The file's size in bytes.
    /// - Throws: `ClientFailure` with the code `file`.
    func size(_ path: String) throws -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ClientFailure(.file, "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
        }
        return Int64(status.st_size)
    }
}
