import ArtifactStore
import CommandLineInterface
import ExportPlan
import Vocabulary
import FoundationEssentials
import Glibc

/// The places to which the files of a film that is an archive are unpacked.
protocol UnpackedFiles {
    /// The paths of the files of a film before it is made.
    func paths(of plan: RenderPlan) -> [String]

    /// Writes the files of an archive. Each is written under a hidden name; the names appear when all are complete.
    /// - Returns: the number of files.
    /// - Throws: `CommandFailure`, also for a place that cannot be written.
    func unpack(_ archive: String, _ writing: OutputOptions) throws -> Int
}

/// An archive of numbered pictures or of the files of a stream, which is open for reading.
final class ArchiveFile {
    private let path: String
    private let descriptor: Int32
    private let byteCount: Int

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

    /// The file type of the film.
    /// - Throws: `CommandFailure` for a file that is no archive of a film.
    func format() throws -> ContainerFormat {
        let format = FormatCatalogue.container(ofHead: try bytes(0..<min(byteCount, ContainerSignature.reach)))
        guard let format, format.isArchive else {
            throw CommandFailure(
                "the film is \(format.map { "one \($0.name) file" } ?? "no archive of pictures or of a stream"); name a file "
                    + "with -o", status: ExitStatus.usage)
        }
        return format
    }

    /// Writes the files. Each is written under a hidden name; the names appear when all are complete.
    /// - Parameter place: the path of a file, by its number from 0 and its name in the archive.
    /// - Returns: the number of files.
    /// - Throws: `CommandFailure`, also for a place that cannot be written.
    func unpack(_ names: FileArchive.Names, _ writing: OutputOptions, to place: (Int, String) -> String) throws -> Int {
        let entries: [FileArchive.Entry]
        do {
            entries = try FileArchive.entries(names, byteCount: byteCount) { try bytes($0) }
        } catch let fault as FileArchive.Fault {
            throw CommandFailure(
                "the film's archive '\(path)' \(fault.message); run the command again", status: ExitStatus.temporaryFailure)
        }
        let places = entries.enumerated().map { place($0, $1.name) }
        for place in places { try writing.checkPlace(place) }
        let partials = places.map { PartialFile(of: $0) }
        defer { for partial in partials { partial.remove() } }
        for (partial, entry) in zip(partials, entries) { try copy(entry.range, to: partial) }
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in
            for partial in partials { try partial.complete(replacing: !writing.noOverwrite) }
        }
        return entries.count
    }

    /// Copies a range in blocks, because the files of a stream may be large.
    private func copy(_ range: Range<Int>, to partial: PartialFile) throws {
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in try partial.write(Data()) }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let block = Data(try bytes(start..<min(start + (1 << 20), range.upperBound)))
            try OutputOptions.refusing { () throws(OutputCheck.Fault) in try partial.append(block) }
        }
    }

    private func bytes(_ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(range.lowerBound + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw CommandFailure(
                    "'\(path)' cannot be read completely; run the command again", status: ExitStatus.temporaryFailure)
            }
            filled += count
        }
        return bytes
    }
}
