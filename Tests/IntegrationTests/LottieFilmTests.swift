import TestSupport
import Testing
import FoundationEssentials

/// Lottie animations in films and as files that a command is given.
@Suite struct LottieFilmTests {
    /// A red square of 40 pixels that moves from the left to the right of 160 pixels in 30 frames.
    private static let animation = """
        {"v": "5", "fr": 25, "ip": 0, "op": 30, "w": 160, "h": 80, "layers": [{"ty": 4, "ip": 0, "op": 30, "st": 0, "ks":
          {"p": {"a": 1, "k": [{"t": 0, "s": [20, 40, 0], "e": [140, 40, 0], "i": {"x": 1, "y": 1}, "o": {"x": 0, "y": 0}},
          {"t": 30}]}, "s": {"k": [100, 100]}, "a": {"k": [0, 0]}, "r": {"k": 0}, "o": {"k": 100}},
          "shapes": [{"ty": "gr", "it": [{"ty": "rc", "p": {"k": [0, 0]}, "s": {"k": [40, 40]}, "r": {"k": 0}, "d": 1},
          {"ty": "fl", "c": {"k": [1, 0, 0, 1]}, "o": {"k": 100}},
          {"ty": "tr", "p": {"k": [0, 0]}, "s": {"k": [100, 100]}, "a": {"k": [0, 0]}, "r": {"k": 0}, "o": {"k": 100}}]}]}]}
        """

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try Data(LottieFilmTests.animation.utf8).write(to: URL(fileURLWithPath: directory.file("a.json")))
    }

    /// The middle of the red pixels' columns in a picture, in pixels.
    private func middle(_ picture: String, width: Int) async throws -> Double {
        let raw = directory.file("raw")
        try await FFmpegTool.ffmpeg(["-i", picture, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let columns = (0..<bytes.count / 3).filter { bytes[$0 * 3] > 128 }.map { $0 % width }
        try #require(!columns.isEmpty)
        return Double(columns.reduce(0, +)) / Double(columns.count) + 0.5
    }

    @Test("A command that takes media takes an animation, whose name ends as a draft's")
    func frame() async throws {
        let picture = directory.file("f.png")
        let outcome = try await SpoolTool.run(["frame", directory.file("a.json"), "--time", "0.6", "-o", picture])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Frame 15 of 30: half of the way from 20 to 140.
        #expect(abs(try await middle(picture, width: 160) - 80) < 1)
    }

    @Test("A film has the same bytes with one process and two, and the square where the animation has it")
    func film() async throws {
        let draft = """
            {"version": 1, "frameRate": 25, "videoSize": {"width": 320, "height": 160}, "mainTrackClips": [
              {"type": "av", "url": "a.json"}, {"type": "av", "url": "a.json", "reverse": true}, {"type": "av", "url": "a.json"}]}
            """
        var films: [String] = []
        for jobs in ["1", "2"] {
            films.append(
                try await SpoolTool.export(
                    draft, in: directory, name: "\(jobs).mp4", ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")]))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: films[0])) == Data(contentsOf: URL(fileURLWithPath: films[1])))
        let picture = directory.file("f.png")
        try await FFmpegTool.ffmpeg(["-i", films[0], "-vf", "select=eq(n\\,75)", "-frames:v", "1", picture])
        #expect(abs(try await middle(picture, width: 320) - 160) < 2)
    }
}
