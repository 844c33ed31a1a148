import CommandLineInterface
import ExportPlan
import Vocabulary
import FoundationEssentials

/// The files of a stream in a folder: `stream/` has `main.m3u8` and the others beside it, `stream/film.m3u8` gives the main
/// playlist this name. They come out of the archive that the film of a stream is.
struct StreamFolder: UnpackedFiles {
    private let folder: String
    /// The name of the main playlists, without a suffix.
    private let main: String

    /// Whether an output names the files of a stream: as a playlist, or, where the file type is that of streams, as a
    /// directory.
    /// - Parameter fileType: the file type that the settings ask for; nil where they ask for none.
    static func isNamed(by output: String, fileType said: String?) -> Bool {
        guard let said else { return isPlaylist(output) }
        guard FormatCatalogue.container(named: said)?.content == .stream else { return false }
        return isPlaylist(output) || NumberedPictures.isDirectory(output)
    }

    /// The file type that the suffix of a playlist means; nil for another.
    static func fileType(of output: String) -> FileType? { isPlaylist(output) ? .hls : nil }

    /// - Parameter output: a playlist, or a directory.
    /// - Throws: `CommandFailure` for an output that names another file.
    init(_ output: String) throws {
        if StreamFolder.isPlaylist(output) {
            let file = URL(fileURLWithPath: output)
            folder = file.deletingLastPathComponent().path
            main = String(file.lastPathComponent.dropLast(StreamNames.playlist.count + 1))
            guard !main.isEmpty, main == StreamNames.main || !StreamNames.isName(main, suffix: StreamNames.playlist) else {
                throw CommandFailure(
                    "'\(output)' cannot be the main playlist, because another file of the stream may have this name; choose "
                        + "one such as film.m3u8", status: ExitStatus.usage)
            }
            return
        }
        guard NumberedPictures.isDirectory(output) else {
            throw CommandFailure(
                "'\(output)' names one file, and a stream has several: name its main playlist, as in stream/film.m3u8, a "
                    + "directory, as in stream/, or an archive such as stream.tar", status: ExitStatus.usage)
        }
        folder = output.hasSuffix("/") ? String(output.dropLast()) : output
        main = StreamNames.main
    }

    func paths(of plan: RenderPlan) -> [String] {
        plan.stitch.streamFiles(soundCount: plan.allSoundtracks.count).map(path)
    }

    func unpack(_ archive: String, _ writing: OutputOptions) throws -> Int {
        try ArchiveFile(archive).unpack(.stream, writing) { _, name in path(name) }
    }

    private func path(_ name: String) -> String {
        let isMain = name.hasPrefix(StreamNames.main + ".")
        return "\(folder)/\(isMain ? main + name.dropFirst(StreamNames.main.count) : name)"
    }

    private static func isPlaylist(_ output: String) -> Bool {
        OutputOptions.suffix(of: output).lowercased() == StreamNames.playlist && !NumberedPictures.isDirectory(output)
    }
}
