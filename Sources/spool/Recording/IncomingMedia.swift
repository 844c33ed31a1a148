import ArgumentParser
import CommandLineInterface
import DraftModel
import ExactTime
import ExportPlan
import Glibc
import Vocabulary

/// The input of a clip: a file that is read in place, or a stream that is captured into a file.
struct IncomingMedia: ParsableArguments {
    @Argument(
        help: "A file, a named pipe, - for standard input, or an address that FFmpeg opens (rtsp://..., http://...).")
    var input: String

    @Option(help: ArgumentHelp("The input of the sound, where it is separate from the picture; as INPUT.", valueName: "input"))
    var sound: String?

    @Option(help: ArgumentHelp("INPUT is raw pictures, as in 640x480@30:yuv420p.", valueName: "WIDTHxHEIGHT@RATE:PIXELFORMAT"))
    var rawVideo: String?

    @Option(
        help: ArgumentHelp(
            "The sound (of --sound, or else INPUT itself) is raw samples, as in 48000:2:s16le; or f32le.",
            valueName: "RATE:CHANNELS:FORMAT"))
    var rawAudio: String?

    @Option(help: ArgumentHelp("FFmpeg's name of INPUT's format. Default: recognised from the input.", valueName: "name"))
    var inputFormat: String?

    func validate() throws {
        if rawVideo != nil, inputFormat != nil {
            throw ValidationError("--raw-video already names the format; leave --input-format out")
        }
        if rawAudio != nil, rawVideo != nil, sound == nil {
            throw ValidationError("raw pictures and raw sound come from two inputs; give the sound's with --sound")
        }
        if input == "-", sound == "-" { throw ValidationError("picture and sound cannot both come from standard input") }
    }

    /// The name of the input in messages.
    var name: String { input == "-" ? "standard input" : input }

    /// Whether the input can be read only once, or for another reason has to be captured into a file first.
    var needsCapture: Bool {
        if sound != nil || rawVideo != nil || rawAudio != nil || inputFormat != nil || input == "-" || input.contains("://") {
            return true
        }
        // Elementary streams have no timestamps; capturing adds them.
        let elementary: Set = ["h264", "264", "avc", "h265", "265", "hevc"]
        if let suffix = input.lowercased().split(separator: ".").last, elementary.contains(String(suffix)) { return true }
        var status = stat()
        return stat(input, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Captures the input into a file, until it ends or a limit is reached.
    /// - Parameters:
    ///   - limit: the maximum duration in the input's own time; nil for none.
    ///   - settings: those of the recording, with its limits of bytes.
    ///   - watch: is told how the capture comes along, and ends it earlier.
    /// - Throws: `CommandFailure` with what is wrong with the input.
    func capture(to file: String, limit: MediaTime?, _ settings: RecordingSettings, _ watch: CaptureWatch) async throws {
        var words = ["--output", file]
        if let limit { words += ["--limit", "\(limit)"] }
        if let size = settings.maxFileSize { words += ["--max-bytes", "\(size)"] }
        if let space = settings.minFreeDiskSpace { words += ["--min-free", "\(space)"] }
        if let rawVideo { words += ["--raw-video", rawVideo] }
        if let rawAudio { words += ["--raw-audio", rawAudio] }
        if let inputFormat { words += ["--input-format", inputFormat] }
        defer { watch.ended() }
        let captured = try await Renderer.capture(words + ["--", input] + (sound.map { [$0] } ?? [])) {
            watch.started($0)
        } progress: {
            watch.note($0)
        }
        switch captured.ending {
        case .duration: Terminal.error("\(name): stopped at \(limit ?? .zero) s, as much as was to be recorded")
        case .size: Terminal.error("\(name): stopped at \(Phrase.bytes(Int64(captured.byteCount))), the recording's maxFileSize")
        case .space: Terminal.error("\(name): stopped, because the disk has only the recording's minFreeDiskSpace left")
        case .input, nil: break
        }
    }
}
