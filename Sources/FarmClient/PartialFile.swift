import BlockingWork
import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The hidden file beside a film under which a download grows until it is whole: `.NAME.PID.partial`. Written on a thread of
/// its own.
actor PartialFile {
    private let thread = BlockingThread(name: "file-writer")
    private let output: String
    private let folder: String
    private let name: String
    private var descriptor: Int32 = -1

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter output: the path that the file has in the end.
    init(of output: String) {
        self.output = output
        folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        name = URL(fileURLWithPath: output).lastPathComponent
    }

    private var path: String { "\(folder)/.\(name).\(getpid()).partial" }

    /// Creates it, and removes those whose processes are gone.
    func open() throws {
        removeLeftovers()
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
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

    /// Gives it its name in one step.
    func complete() throws {
        guard fsync(descriptor) == 0, rename(path, output) == 0 else { throw failure() }
    }

    /// Closes it; what has not become the output is gone.
    func end() {
        if descriptor >= 0 {
            close(descriptor)
            unlink(path)
        }
        descriptor = -1
    }

    private func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            guard entry.hasPrefix(".\(name)."), entry.hasSuffix(".partial") else { continue }
            let process = entry.dropFirst(name.count + 2).dropLast(".partial".count)
            guard let identifier = Int32(process), kill(identifier, 0) != 0, errno == ESRCH else { continue }
            unlink("\(folder)/\(entry)")
        }
    }

    private func failure() -> ClientFailure {
        ClientFailure(.file, "'\(output)' cannot be written: \(String(cString: strerror(errno)))")
    }
}
