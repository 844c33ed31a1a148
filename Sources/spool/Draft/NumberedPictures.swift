import ArgumentParser
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
            throw ValidationError("--start-number must be 0...1000000000, not \(startNumber)")
        }
    }

    /// The failure of a command that writes one file.
    static let isNotUsed = CommandFailure(
        "--start-number numbers pictures, and one file is written; leave it out, or name pictures, as in frames/%05d.png",
        status: ExitStatus.usage)
}

/// The names of the pictures of a sequence: `frames/%05d.png` counts with five digits, `frames/` is a directory in which
/// they are called `00001.png` and so on. The pictures come out of the archive that the film of a sequence is.
struct NumberedPictures: UnpackedFiles {
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

    func paths(of plan: RenderPlan) -> [String] { (0..<plan.stitch.frameCount).map(name) }

    func unpack(_ archive: String, _ writing: OutputOptions) throws -> Int {
        try ArchiveFile(archive).unpack(.pictures, writing) { index, _ in name(index) }
    }

    static func isDirectory(_ output: String) -> Bool {
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
