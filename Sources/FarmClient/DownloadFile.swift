import BlockingWork
import ContentHashing
import ArtifactStore
import Glibc

/// The partial file of a download, beside its final place. It is written on its own thread.
actor DownloadFile {
    private let thread = BlockingThread(name: "file-writer")
    private let output: String
    private let partial: PartialFile
    private var descriptor: Int32 = -1

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter output: the final path of the file.
    init(of output: String) {
        self.output = output
        partial = PartialFile(of: output)
    }

    /// Creates the file, and removes partial files whose processes are gone.
    /// - Throws: `OutputCheck.Fault`, as all methods here do.
    func open() throws {
        partial.removeLeftovers()
        descriptor = Glibc.open(partial.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw OutputCheck.Fault.unwritten(output, errno) }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw OutputCheck.Fault.unwritten(output, errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Empties the file, so that the download starts again.
    func clear() throws {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw OutputCheck.Fault.unwritten(output, errno)
        }
    }

    /// The sha256 of the file's bytes.
    func hash() throws -> String {
        do throws(ContentHash.ReadError) {
            return try ContentHash.ofFile(partial.path).hash
        } catch {
            throw OutputCheck.Fault.unwritten(output, error.code)
        }
    }

    /// Renames the file to the output's name in one step.
    /// - Parameter replacing: whether an existing file of that name is replaced.
    /// - Throws: `OutputCheck.Fault` when the file cannot be renamed.
    func complete(replacing: Bool) throws {
        try partial.complete(replacing: replacing)
    }

    /// Closes the file, and removes it unless it has become the output.
    func end() {
        if descriptor >= 0 {
            close(descriptor)
            partial.remove()
        }
        descriptor = -1
    }
}
