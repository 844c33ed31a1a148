import CommandLineInterface
import ContentHashing
import FoundationEssentials
import Glibc
import RenderingProcesses

/// Reads documents that a command line names: drafts, patches and settings. They are read whole. When one cannot be
/// read, the message gives the reason and the remedy.
enum InputFile {
    /// - Parameters:
    ///   - path: a file, or `-` for standard input.
    ///   - isDraft: whether the file should be a draft; one with zero bytes at its beginning, as media have, is then refused
    ///     before more of it is read.
    /// - Throws: `CommandFailure`: exit code 65 when the name is wrong or the file may not be read, 75 when the storage
    ///   fails.
    static func read(_ path: String, isDraft: Bool = false) throws(CommandFailure) -> Data {
        if path == "-" { return try bytes(of: STDIN_FILENO, "standard input") }
        if let complaint = FileKind.complaint(about: path) {
            throw CommandFailure("'\(path)' \(complaint); name a file, or - to read standard input", status: ExitStatus.badInput)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("'\(path)'", errno, hint: NearestFile.suggestion(for: path, at: path)) }
        defer { close(descriptor) }
        return try bytes(of: descriptor, "'\(path)'") { first throws(CommandFailure) in
            guard isDraft, first.prefix(256).contains(0) else { return }
            guard !first.starts(with: [0xFF, 0xFE]), !first.starts(with: [0xFE, 0xFF]) else {
                throw CommandFailure("'\(path)' is UTF-16; save the file as UTF-8", status: ExitStatus.badInput)
            }
            throw CommandFailure(
                "'\(path)' is no draft, which is a text in JSON; make a draft of media files with: spool draft new '\(path)' -o draft.json",
                status: ExitStatus.badInput)
        }
    }

    /// Whether a file may be a draft: standard input, a name that ends with `.json`, and a file that begins as JSON objects
    /// do, unless it is a Lottie animation. A pipe counts as one and is not read.
    static func mayBeDraft(_ path: String) -> Bool {
        path == "-" || beginsAsDraft(path) && !isAnimation(path)
    }

    /// The members that tell a Lottie animation from a draft.
    private struct AnimationMembers: Decodable {
        var fr: Double
        var ip: Double
        var op: Double
        var w: Double
        var h: Double
        var version: Int?
    }

    private static func isAnimation(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let data = try? read(path),  // reported later
            let members = try? JSONDecoder().decode(AnimationMembers.self, from: data)
        else { return false }
        return members.version == nil
    }

    private static func beginsAsDraft(_ path: String) -> Bool {
        if path.lowercased().hasSuffix(".json") { return true }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return !path.contains("://") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &head, head.count)
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var text = head.prefix(max(0, count))
        if text.starts(with: byteOrderMark) { text = text.dropFirst(byteOrderMark.count) }
        return text.first { !" \t\r\n".utf8.contains($0) }.map { $0 == UInt8(ascii: "{") } ?? true
    }

    /// - Parameter check: gets the first bytes, and throws if no more should be read.
    private static func bytes(
        of descriptor: Int32, _ name: String, _ check: (Data) throws(CommandFailure) -> Void = { _ in }
    ) throws(CommandFailure) -> Data {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(name, errno) }
            guard count > 0 else { return data }
            let isFirst = data.isEmpty
            data.append(contentsOf: chunk[..<count])
            if isFirst { try check(data) }
        }
    }

    private static func failure(_ name: String, _ code: Int32, hint: String = "") -> CommandFailure {
        if code == ENOENT { return CommandFailure("\(name) does not exist\(hint)", status: ExitStatus.badInput) }
        let isTheNames = [ENOTDIR, EACCES, EPERM, ENAMETOOLONG, ELOOP, EBADF, EISDIR].contains(code)
        return CommandFailure(
            "\(name) cannot be read: \(String(cString: strerror(code)))",
            status: isTheNames ? ExitStatus.badInput : ExitStatus.temporaryFailure)
    }
}
