import ArgumentParser
import ArtifactStore
import CommandLineInterface
import ExportPlan
import Vocabulary
import FoundationEssentials
import Glibc

/// The option of commands that write numbered pictures.
struct StartNumber: ParsableArguments {
    @Option(help: "The number of the first picture of a sequence.")
    var startNumber: Int?

    /// - Throws: `ValidationError` for a number below 0 or above 1 000 000 000.
    func validate() throws {
        if let startNumber, !(0...1_000_000_000).contains(startNumber) {
            throw ValidationError("--start-number is 0...1000000000, not \(startNumber)")
        }
    }

    /// The failure of a command that writes one file.
    static let isNotUsed = CommandFailure(
        "--start-number numbers pictures, and one file is written; leave it out, or name pictures, as in frames/%05d.png",
        status: ExitStatus.usage)
}

/// The names of the pictures of a sequence: `frames/%05d.png` counts with five digits, `frames/` is a directory in which
/// they are called `00001.png` and so on. The pictures come out of the archive that the film of a sequence is.
struct NumberedPictures {
    private let before: String
    private let after: String
    private let digits: Int
    private let first: Int

    /// Whether an output names pictures: by a pattern with the suffix of one, or, where the file type is that of pictures, by
    /// any pattern or as a directory.
    /// - Parameter fileType: the file type that the settings ask for; nil where they ask for none.
    static func areNamed(by output: String, fileType said: String?) -> Bool {
        guard let said else { return fileType(of: output) != nil }
        guard FormatCatalogue.container(named: said)?.content == .sequence else { return false }
        return pattern(output) != nil || isDirectory(output)
    }

    /// The file type that a pattern's suffix means; nil where the output is no pattern, or its suffix not that of pictures.
    static func fileType(of output: String) -> FileType? {
        pattern(output) == nil ? nil : FormatCatalogue.sequence(ofSuffix: suffix(output))?.type
    }

    /// - Parameters:
    ///   - output: a pattern, or a directory.
    ///   - start: the number of the first picture; nil for 1.
    /// - Throws: `CommandFailure` for an output that names one file.
    init(_ output: String, _ format: ContainerFormat, start: Int?) throws {
        first = start ?? 1
        if let pattern = NumberedPictures.pattern(output) {
            (before, after, digits) = (pattern.before, pattern.after, pattern.digits)
            let suffix = NumberedPictures.suffix(output)
            guard suffix.isEmpty || format.pictureSuffixes.contains(suffix.lowercased()) else {
                throw CommandFailure(
                    "'\(output)' ends with .\(suffix), and the pictures are \(format.name); end it with "
                        + ".\(format.pictureSuffixes[0])", status: ExitStatus.usage)
            }
            return
        }
        guard NumberedPictures.isDirectory(output) else {
            throw CommandFailure(
                "'\(output)' names one file, and \(format.type) makes one for each picture: number them, as in "
                    + "frames/%05d.\(format.pictureSuffixes[0]), name a directory, or an archive such as frames.tar",
                status: ExitStatus.usage)
        }
        (before, after, digits) = (output.hasSuffix("/") ? output : output + "/", ".\(format.pictureSuffixes[0])", 5)
    }

    /// The path of a picture.
    /// - Parameter index: counted from 0.
    func name(_ index: Int) -> String {
        let number = "\(first + index)"
        return before + String(repeating: "0", count: max(0, digits - number.count)) + number + after
    }

    /// Creates the directory that the output is, or that a pattern's pictures lie in, unless it exists.
    /// - Returns: the directory.
    /// - Throws: `CommandFailure`.
    static func makeDirectory(of output: String) throws -> String {
        let folder = isDirectory(output) ? output : URL(fileURLWithPath: output).deletingLastPathComponent().path
        try OutputOptions.makeDirectory(folder)
        return folder
    }

    /// The kind of the pictures in an archive.
    /// - Throws: `CommandFailure` for a file of another kind.
    static func format(ofArchive path: String) throws -> ContainerFormat {
        let file = try ArchiveBytes(path)
        let head = try file.bytes(0..<min(file.byteCount, ContainerSignature.reach))
        let format = FormatCatalogue.container(ofHead: head)
        guard let format, format.content == .sequence else {
            throw CommandFailure(
                "the film is \(format.map { "one \($0.name) file" } ?? "no archive of pictures"); name a file with -o",
                status: ExitStatus.usage)
        }
        return format
    }

    /// Writes the pictures of an archive. Each is written under a hidden name; the names appear when all are complete.
    /// - Returns: the number of pictures.
    /// - Throws: `CommandFailure`, also for a place that cannot be written.
    func unpack(_ archive: String, _ writing: OutputOptions) throws -> Int {
        let file = try ArchiveBytes(archive)
        let entries: [PictureArchive.Entry]
        do {
            entries = try PictureArchive.entries(byteCount: file.byteCount) { try file.bytes($0) }
        } catch let fault as PictureArchive.Fault {
            throw CommandFailure("the pictures' archive \(fault.message)", status: ExitStatus.temporaryFailure)
        }
        for index in entries.indices { try writing.checkPlace(name(index)) }
        let partials = entries.indices.map { PartialFile(of: name($0)) }
        defer { for partial in partials { partial.remove() } }
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in
            for (partial, entry) in zip(partials, entries) {
                let bytes: [UInt8]
                do { bytes = try file.bytes(entry.range) } catch { throw OutputCheck.Fault.unwritten(archive, EIO) }
                try partial.write(Data(bytes))
            }
            for partial in partials { try partial.complete(replacing: !writing.noOverwrite) }
        }
        return entries.count
    }

    private static func isDirectory(_ output: String) -> Bool {
        var status = stat()
        return output.hasSuffix("/") || (stat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }

    private static func suffix(_ output: String) -> String { OutputOptions.suffix(of: output) }

    /// The parts of an output whose file's name has one `%d` or `%05d`, as for C's printf; nil for any other.
    private static func pattern(_ output: String) -> (before: String, after: String, digits: Int)? {
        let name = output.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let folder = String(output.dropLast(name.count))
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let letter = parts[1].firstIndex(of: "d") else { return nil }
        let width = parts[1][..<letter]
        guard width.isEmpty || (width.first == "0" && width.count == 2), let digits = Int("0" + width) else { return nil }
        return (folder + String(parts[0]), String(parts[1][parts[1].index(after: letter)...]), digits)
    }
}

/// Reads ranges of a file.
private final class ArchiveBytes {
    private let path: String
    private let descriptor: Int32
    let byteCount: Int

    /// - Throws: `CommandFailure`.
    init(_ path: String) throws {
        self.path = path
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard opened >= 0, fstat(opened, &status) == 0 else {
            let code = errno
            if opened >= 0 { close(opened) }
            throw CommandFailure(
                "'\(path)' cannot be read: \(String(cString: strerror(code)))", status: ExitStatus.temporaryFailure)
        }
        descriptor = opened
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func bytes(_ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(range.lowerBound + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure("'\(path)' cannot be read completely", status: ExitStatus.temporaryFailure)
            }
            filled += count
        }
        return bytes
    }
}
