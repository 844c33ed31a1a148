package import FoundationEssentials
import Glibc

/// The hidden file beside an output in which it is written until it is complete: `.NAME.PID.partial`.
package struct PartialFile: Sendable {
    private static let ending = ".partial"

    private let output: String
    private let folder: String
    private let name: String
    private let files: DurableFiles

    /// - Parameter output: the final path of the file.
    package init(of output: String) {
        self.init(of: output, files: DurableFiles())
    }

    package init(of output: String, files: DurableFiles) {
        self.output = output
        self.files = files
        folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        name = URL(fileURLWithPath: output).lastPathComponent
    }

    /// The path of this process's partial file.
    package var path: String { "\(folder)/.\(name).\(getpid())\(PartialFile.ending)" }

    /// Writes the whole file. Its permissions are from the start those of the file that it replaces, so that nobody
    /// else can read it meanwhile.
    /// - Throws: `OutputCheck.Fault` when the system refuses; what has been written stays until `remove`.
    package func write(_ bytes: Data) throws(OutputCheck.Fault) { try write(bytes, O_TRUNC) }

    /// Writes more bytes behind those that `write` has written.
    /// - Throws: as `write`.
    package func append(_ bytes: Data) throws(OutputCheck.Fault) { try write(bytes, O_APPEND) }

    private func write(_ bytes: Data, _ mode: Int32) throws(OutputCheck.Fault) {
        let permissions = FilePermissions(ofFile: output)?.mode ?? 0o666
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, permissions)
        guard descriptor >= 0 else { throw .unwritten(output, errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritten(output, count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Renames the file to the output's name in one step once its bytes are on the disk, and waits until the new name
    /// is on the disk, too.
    /// - Parameter replacing: whether an existing file of that name is replaced.
    /// - Throws: `OutputCheck.Fault`: `place` when an existing file must stay, `writing` when the system refuses.
    package func complete(replacing: Bool = true) throws(OutputCheck.Fault) {
        try PartialFile.move(path, to: output, replacing: replacing, files)
    }

    /// Renames a finished file of the same file system to an output's name in one step, as `complete` does. Every
    /// command that writes a file ends with this. The file gets the permissions of a file that it replaces, and its
    /// owner where this user may change owners.
    /// - Parameters:
    ///   - file: the finished file; it stays at its path when it cannot be renamed.
    ///   - replacing: whether an existing file of that name is replaced.
    /// - Throws: the same faults as `complete`.
    package static func move(_ file: String, to output: String, replacing: Bool) throws(OutputCheck.Fault) {
        try move(file, to: output, replacing: replacing, DurableFiles())
    }

    private static func move(
        _ file: String, to output: String, replacing: Bool, _ files: DurableFiles
    ) throws(OutputCheck.Fault) {
        if replacing { FilePermissions(ofFile: output)?.give(to: file) }
        do throws(DurableFiles.Failure) { try files.sync(file) } catch { throw .unwritten(output, error.code) }
        try name(file, output, replacing: replacing)
        do throws(DurableFiles.Failure) {
            try files.sync(URL(fileURLWithPath: output).deletingLastPathComponent().path)
        } catch {
            // A folder that may be written but not read, such as a drop box, cannot be synced. The file is in it all
            // the same.
            guard error.code == EACCES else { throw .unwritten(output, error.code) }
        }
    }

    private static func name(_ file: String, _ output: String, replacing: Bool) throws(OutputCheck.Fault) {
        if replacing {
            guard rename(file, output) == 0 else { throw .unwritten(output, errno) }
            return
        }
        // A hard link fails when the name exists, so it cannot replace another file, even one created just now.
        if link(file, output) == 0 {
            unlink(file)
            return
        }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw refusal(of: output, errno) }
        // The file system has no hard links. Create an empty file under the name, which fails when the name exists, and
        // then replace it.
        let reserved = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard reserved >= 0 else { throw refusal(of: output, errno) }
        close(reserved)
        guard rename(file, output) == 0 else {
            let code = errno
            unlink(output)
            throw .unwritten(output, code)
        }
    }

    private static func refusal(of output: String, _ code: Int32) -> OutputCheck.Fault {
        code == EEXIST ? .kept(output) : .unwritten(output, code)
    }

    package func remove() { unlink(path) }

    /// Removes the partial files of this output whose processes are gone.
    package func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            guard entry.hasPrefix(".\(name)."), entry.hasSuffix(PartialFile.ending) else { continue }
            let process = entry.dropFirst(name.count + 2).dropLast(PartialFile.ending.count)
            guard let identifier = Int32(process), ScratchFile.isGone(identifier) else { continue }
            unlink("\(folder)/\(entry)")
        }
    }
}

/// The system's `write`; inside the type its method of the same name would be called.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
