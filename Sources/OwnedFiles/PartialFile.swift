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

/// The hidden file beside an output under which it grows until it is complete: `.NAME.PID.partial`.
public struct PartialFile: Sendable {
    private static let ending = ".partial"

    private let output: String
    private let folder: String
    private let name: String
    private let files: DurableFiles

    /// - Parameter output: the path that the file has in the end.
    public init(of output: String) {
        self.init(of: output, files: DurableFiles())
    }

    package init(of output: String, files: DurableFiles) {
        self.output = output
        self.files = files
        folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        name = URL(fileURLWithPath: output).lastPathComponent
    }

    /// Where this process writes it.
    public var path: String { "\(folder)/.\(name).\(getpid())\(PartialFile.ending)" }

    /// Gives the output its name in one step, once its bytes are on the disk, and waits until the name is there, too.
    /// - Parameter replacing: whether a file that has the name by now is replaced.
    /// - Throws: `OutputCheck.Fault`: `place` where a file has the name and stays, `writing` where the system refuses.
    public func complete(replacing: Bool = true) throws(OutputCheck.Fault) {
        try PartialFile.move(path, to: output, replacing: replacing, files)
    }

    /// Gives a finished file of the same file system an output's name in one step, as `complete` does: every command that writes a
    /// file ends with this.
    /// - Parameters:
    ///   - file: the finished file; it stays where it is when it does not get the name.
    ///   - replacing: whether a file that has the name by now is replaced.
    /// - Throws: as `complete`.
    public static func move(_ file: String, to output: String, replacing: Bool) throws(OutputCheck.Fault) {
        try move(file, to: output, replacing: replacing, DurableFiles())
    }

    private static func move(
        _ file: String, to output: String, replacing: Bool, _ files: DurableFiles
    ) throws(OutputCheck.Fault) {
        do throws(DurableFiles.Failure) { try files.sync(file) } catch { throw .unwritten(output, error.code) }
        try name(file, output, replacing: replacing)
        do throws(DurableFiles.Failure) {
            try files.sync(URL(fileURLWithPath: output).deletingLastPathComponent().path)
        } catch {
            // A folder that may be written and not be read, such as a drop box, cannot be synced; the file is in it all the same.
            guard error.code == EACCES else { throw .unwritten(output, error.code) }
        }
    }

    private static func name(_ file: String, _ output: String, replacing: Bool) throws(OutputCheck.Fault) {
        if replacing {
            guard rename(file, output) == 0 else { throw .unwritten(output, errno) }
            return
        }
        // A link never takes another file's name, however late that file came.
        if link(file, output) == 0 {
            unlink(file)
            return
        }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw refusal(of: output, errno) }
        // The file system has no links. An empty file takes the name, which fails where there is one, and is then replaced.
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

    public func remove() { unlink(path) }

    /// Removes the partial files of this output whose processes are gone.
    public func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            guard entry.hasPrefix(".\(name)."), entry.hasSuffix(PartialFile.ending) else { continue }
            let process = entry.dropFirst(name.count + 2).dropLast(PartialFile.ending.count)
            guard let identifier = Int32(process), ScratchFile.isGone(identifier) else { continue }
            unlink("\(folder)/\(entry)")
        }
    }
}
