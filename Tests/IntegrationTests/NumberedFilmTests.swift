import ExactTime
import Testing
import TestSupport

/// Every frame of an exported film shows the number that the timeline gives for it, for every container of the source.
@Suite struct NumberedFilmTests {
    /// One export of one source, with the expected number at source time `t`.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var sourceRate = 30
        var frameRate = "30"
        var start = Rational(0)
        var duration = Rational(2)
        var speed = Rational(1)
        var reverse = false
        /// ffmpeg's arguments that convert the numbered MP4 into another file, and that file's name.
        var conversion: (name: String, options: [String])?
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "untouched"),
        Case(name: "trim between keyframes", start: Rational(37, 30), duration: Rational(17, 10)),
        Case(name: "trim between frames", start: Rational(1001, 1500), duration: Rational(3, 2)),
        Case(name: "speed 1/2", duration: Rational(1), speed: Rational(1, 2)),
        Case(name: "speed 3/4", duration: Rational(3, 2), speed: Rational(3, 4)),
        Case(name: "speed 3/2", start: Rational(1, 2), speed: Rational(3, 2)),
        Case(name: "speed 2", duration: Rational(4), speed: Rational(2)),
        Case(name: "speed 4", duration: Rational(5), speed: Rational(4)),
        Case(name: "reverse", start: Rational(1, 2), duration: Rational(3), reverse: true),
        Case(name: "reverse at speed 3/2", start: Rational(1), duration: Rational(3), speed: Rational(3, 2), reverse: true),
        Case(name: "24 to 30", sourceRate: 24, start: Rational(1, 3)),
        Case(name: "25 to 24000/1001", sourceRate: 25, frameRate: "24000/1001"),
        Case(name: "30 to 60", frameRate: "60", start: Rational(1, 10)),
        Case(name: "WebM with VP8", start: Rational(3, 10), conversion: ("a.webm", ["-c:v", "libvpx", "-b:v", "2M"])),
        Case(name: "WebM with VP9, 24 to 30", sourceRate: 24, conversion: ("a.webm", ["-c:v", "libvpx-vp9", "-b:v", "2M"])),
        Case(
            name: "WebM backwards", start: Rational(1), duration: Rational(2), reverse: true,
            conversion: ("a.webm", ["-c:v", "libvpx", "-b:v", "2M"])),
        Case(
            name: "MPEG-TS with open GOPs", start: Rational(17, 10),
            conversion: ("a.ts", ["-c:v", "libx264", "-bf", "3", "-x264-params", "open-gop=1:keyint=24"])),
        Case(
            name: "AVI with missing timestamps", start: Rational(7, 5),
            conversion: ("a.avi", ["-c:v", "mpeg4", "-q:v", "2", "-bf", "2"])),
    ]

    @Test("Every frame of a film shows its number", arguments: cases)
    func everyFrame(_ test: Case) async throws {
        let directory = try TemporaryDirectory()
        let original = try SourceClips.numbered(
            "a.mp4", in: directory, rate: FrameRate(test.sourceRate), frames: test.sourceRate * 6)
        if let conversion = test.conversion {
            try await FFmpegTool.ffmpeg(["-i", original, "-an"] + conversion.options + [directory.file(conversion.name)])
        }
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": "\(test.frameRate)", "mainTrackClips": [
              {"type": "av", "url": "\(test.conversion?.name ?? "a.mp4")", "speed": "\(test.speed)", "reverse": \(test.reverse),
               "timeRange": {"start": "\(test.start.numerator)/\(test.start.denominator)",
                             "duration": "\(test.duration.numerator)/\(test.duration.denominator)"}}]}
            """, in: directory)
        let rate = try #require(Rational(text: test.frameRate))
        let count = (test.duration / test.speed * rate).ceil
        let expected = (0..<count).map { number(at: Rational($0) / rate, test) }
        #expect(try await SourceClips.numbers(of: film) == expected)
    }

    @Test("A film may begin with clips of one and two frames, which encoders do not reorder", arguments: ["h264", "hevc", "av1"])
    func shortClips(_ codec: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 100)
        func clip(_ first: Int, _ count: Int) -> String {
            #"{"type": "av", "url": "a.mp4", "timeRange": {"start": "\#(first)/25", "duration": "\#(count)/25"}}"#
        }
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 25, "mainTrackClips": [\(clip(60, 1)), \(clip(10, 30)), \(clip(70, 2)), \(clip(20, 30))]}
            """, in: directory, ["--set", "videoCodec=\(codec)", "--set", "encoderSpeed=medium"])
        #expect(try await SourceClips.numbers(of: film) == [60] + Array(10..<40) + [70, 71] + Array(20..<50))
        let only = try await SpoolTool.export(
            #"{"version": 1, "frameRate": 25, "mainTrackClips": [\#(clip(60, 2)), \#(clip(10, 1))]}"#, in: directory,
            name: "only.mp4", ["--set", "videoCodec=\(codec)", "--set", "encoderSpeed=medium"])
        #expect(try await SourceClips.numbers(of: only) == [60, 61, 10])
    }

    /// The source frame at clip time `u`: the last one that starts at or before `u`, or backwards the last one that
    /// starts before it. It is computed exactly, because the film must not depend on the rounding of times in
    /// containers.
    private func number(at u: Rational, _ test: Case) -> Int {
        if test.reverse { return ((test.start + test.duration - u * test.speed) * Rational(test.sourceRate)).ceil - 1 }
        return ((test.start + u * test.speed) * Rational(test.sourceRate)).floor
    }

    @Test("A source with a variable frame rate shows each frame from its own time on")
    func variableFrameRate() async throws {
        let directory = try TemporaryDirectory()
        let original = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 120)
        // Keep frames 0, 1, 4, 5, 9, 16, ..., which leaves gaps of many sizes.
        let kept = [0, 1, 4, 5, 9, 16, 17, 18, 30, 45, 46, 60, 61, 62, 90, 91, 110]
        let choice = kept.map { "eq(n\\,\($0))" }.joined(separator: "+")
        try await FFmpegTool.ffmpeg([
            "-i", original, "-an", "-vf", "select=\(choice)", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "2",
            directory.file("vfr.mp4"),
        ])
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "vfr.mp4", "timeRange": {"start": 0, "duration": 3.5}}]}
            """, in: directory)
        let expected = (0..<105).map { frame in kept.last { $0 <= frame } ?? 0 }
        #expect(try await SourceClips.numbers(of: film) == expected)
    }

    @Test("Cuts between clips change the picture at their frame")
    func cuts() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(30), frames: 150)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 1, "duration": 0.5}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 3, "duration": 1}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": 0.2}}]}
            """, in: directory)
        let expected = Array(30..<45) + Array(90..<120) + Array(0..<6)
        #expect(try await SourceClips.numbers(of: film) == expected)
    }
}
