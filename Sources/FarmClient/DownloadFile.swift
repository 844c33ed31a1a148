import BlockingWork
import ContentHashing
import NIOCore
import OwnedFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A download as it grows beside its place; written on a thread of its own.
actor DownloadFile {
    private let thread = BlockingThread(name: "file-writer")
    private let output: String
    private let partial: PartialFile
    private var descriptor: Int32 = -1

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter output: the path that the file has in the end.
    init(of output: String) {
        self.output = output
        partial = PartialFile(of: output)
    }

    /// Creates it, and removes those whose processes are gone.
    func open() throws {
        partial.removeLeftovers()
        descriptor = Glibc.open(partial.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
    }

    func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure() }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Begins again from nothing.
    func clear() throws {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure() }
    }

    /// sha256 of its bytes.
    func hash() throws -> String {
        do throws(ContentHash.ReadError) { return try ContentHash.ofFile(partial.path).hash } catch { throw failure() }
    }

    /// Gives it its name in one step.
    /// - Parameter replacing: whether a file that has the name by now is replaced.
    /// - Throws: `OutputCheck.Fault` where it cannot have the name.
    func complete(replacing: Bool) throws {
        try partial.complete(replacing: replacing)
    }

    /// Closes it; what has not become the output is gone.
    func end() {
        if descriptor >= 0 {
            close(descriptor)
            partial.remove()
        }
        descriptor = -1
    }

    private func failure() -> ClientFailure {
        ClientFailure(.file, "'\(output)' cannot be written: \(String(cString: strerror(errno)))")
    }
}
