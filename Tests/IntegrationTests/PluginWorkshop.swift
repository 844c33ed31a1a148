import TestSupport
import FoundationEssentials

/// A directory with plug-ins and drafts that use them.
struct PluginWorkshop {
    let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("plugins"), withIntermediateDirectories: true)
    }

    var plugins: String { directory.file("plugins") }

    /// Runs spool with only these plug-ins.
    func spool(_ words: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "cd '\(directory.path)' && SPOOL_PLUGIN_PATH='\(plugins)' FREI0R_PATH=/nonexistent LADSPA_PATH=/nonexistent "
                + "LV2_PATH=/nonexistent '\(SpoolTool.executable)' "
                + "\(words) --cache cache")
    }

    /// Writes `draft.json`: a blue solid of 64x64, 30 s long, with `operation` on it.
    func write(_ operation: String, _ more: String = "") throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 25, "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 0, "duration": 30}, "source": {"type": "solid", "color": "#0000FF"},
             "operations": [\(operation)]}] \(more)}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    /// Writes `draft.json`: a film of 64x64 pixels with 25 frames a second.
    func write(clips: String, _ more: String = "") throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 64, "height": 64}, "frameRate": 25, "mainTrackClips": [\(clips)] \(more)}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    /// The frames of a film, each as the red, green and blue of its pixels.
    func frames(of film: String) async throws -> [[UInt8]] {
        let raw = directory.file("raw")
        try await FFmpegTool.ffmpeg(["-i", directory.file(film), "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let count = 3 * 64 * 64
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
    }

    func bytes(of file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: directory.file(file))) }

    /// The colour in the middle of a picture.
    func color(of picture: String) async throws -> [UInt8] {
        let raw = directory.file("raw")
        try await FFmpegTool.ffmpeg(["-i", directory.file(picture), "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return Array(bytes[(3 * (32 * 64 + 32))..<(3 * (32 * 64 + 32) + 3)])
    }
}
