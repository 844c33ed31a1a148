import ArgumentParser
import ExactTime
import RenderMessages

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a clip is recorded from: a file that is read where it lies, or media that come once and are taken into one.
struct IncomingMedia: ParsableArguments {
    @Argument(
        help: "A file, a named pipe, - for standard input, or an address that FFmpeg opens (rtsp://..., http://...).")
    var input: String

    @Option(help: ArgumentHelp("The sound, where it comes apart from the picture: as INPUT.", valueName: "input"))
    var sound: String?

    @Option(help: ArgumentHelp("INPUT is raw pictures, as in 640x480@30:yuv420p.", valueName: "WIDTHxHEIGHT@RATE:PIXELFORMAT"))
    var rawVideo: String?

    @Option(
        help: ArgumentHelp(
            "The sound (of --sound, or else INPUT itself) is raw samples, as in 48000:2:s16le; or f32le.",
            valueName: "RATE:CHANNELS:FORMAT"))
    var rawAudio: String?

    @Option(help: ArgumentHelp("FFmpeg's name of INPUT's format, where it is not to be recognised.", valueName: "name"))
    var inputFormat: String?

    func validate() throws {
        if rawVideo != nil, inputFormat != nil {
            throw ValidationError("--raw-video says the format already; leave --input-format out")
        }
        if rawAudio != nil, rawVideo != nil, sound == nil {
            throw ValidationError("raw pictures and raw sound come from two inputs; give the sound's with --sound")
        }
        if input == "-", sound == "-" { throw ValidationError("picture and sound cannot both come from standard input") }
    }

    /// What it is called in messages.
    var name: String { input == "-" ? "standard input" : input }

    /// Whether it comes once, and has to be taken into a file of its own.
    var comesOnce: Bool {
        if sound != nil || rawVideo != nil || rawAudio != nil || inputFormat != nil || input == "-" || input.contains("://") {
            return true
        }
        // Elementary streams have no times, and get them when they are taken in.
        let elementary: Set = ["h264", "264", "avc", "h265", "265", "hevc"]
        if let suffix = input.lowercased().split(separator: ".").last, elementary.contains(String(suffix)) { return true }
        var status = stat()
        return stat(input, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Takes it into a file, until it ends or the limit is reached.
    /// - Parameter limit: in its own time; nil for none.
    /// - Throws: `CommandFailure` with what is wrong with it.
    func capture(to file: String, limit: MediaTime?) async throws {
        var words = ["--output", file]
        if let limit { words += ["--limit", "\(limit)"] }
        if let rawVideo { words += ["--raw-video", rawVideo] }
        if let rawAudio { words += ["--raw-audio", rawAudio] }
        if let inputFormat { words += ["--input-format", inputFormat] }
        let captured = try await Renderer.capture(words + ["--", input] + (sound.map { [$0] } ?? []))
        if captured.reachedLimit { Terminal.error("\(name): stopped, the recording's maximum is reached") }
    }
}
