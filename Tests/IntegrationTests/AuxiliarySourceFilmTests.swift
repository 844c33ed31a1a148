import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Lookup tables and captions in whole films and single frames.
@Suite struct AuxiliarySourceFilmTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 400)
        let captions = (0..<15).map { second in
            let clock = { (second: Int) in "00:00:\(second < 10 ? "0" : "")\(second)" }
            return "\(second + 1)\n\(clock(second)),100 --> \(clock(second + 1)),700\nsecond \(second)\n\n"
        }.joined()
        try write(captions, "words.srt")
        try write("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n", "negative.cube")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
    }

    private static let draft = """
        {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25,
         "mainTrackClips": [{"type": "av", "url": "a.mp4", "filters": [{"type": "lut", "url": "negative.cube", "intensity": 0.7}]}],
         "layers": [{"timeRange": {"start": 0.5, "duration": 15}, "source": {"type": "captions", "url": "words.srt",
                     "style": {"font": "DejaVu Sans 24"}}}]}
        """

    @Test("Each frame of a film in segments is the frame that `spool frame` draws")
    func segments() async throws {
        let film = try await SpoolTool.export(AuxiliarySourceFilmTests.draft, in: directory, ["--set", "videoQuality=0"])
        let frames = try await RawVideo.decode(film, pixelFormat: "yuv420p", bytesPerFrame: 320 * 180 * 3 / 2)
        #expect(frames.count == 400)
        var seen: Set<[UInt8]> = []
        for frame in [3, 40, 131, 205, 290, 377, 399] {
            let png = directory.file("\(frame).png")
            let outcome = try await SpoolTool.run(
                ["frame", directory.file("film.mp4.json"), "--time", "\(frame)/25", "-o", png])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let alone = try await RawVideo.decode(png, pixelFormat: "gray", bytesPerFrame: 320 * 180)[0]
            seen.insert(alone)
            // Convert to RGB and back to grey with ffmpeg's own coefficients, as the film is.
            let rgb = directory.file("\(frame).film.png")
            try await FFmpegTool.ffmpeg(["-i", film, "-vf", "select=eq(n\\,\(frame)),format=rgb24", "-frames:v", "1", rgb])
            let inFilm = try await RawVideo.decode(rgb, pixelFormat: "gray", bytesPerFrame: 320 * 180)[0]
            let largest = zip(alone, inFilm).map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(largest <= 4, "frame \(frame): lossless but for the conversion to RGB, by two programs")
        }
        #expect(seen.count == 7)
    }

    @Test("A damaged table or caption file, or a missing font, fails the command, which names it")
    func failures() async throws {
        try write("LUT_1D_SIZE 2\n1 1 1\n0 zero 0\n", "negative.cube")
        let path = directory.file("draft.json")
        try write(AuxiliarySourceFilmTests.draft, "draft.json")
        let damaged = try await SpoolTool.run(["validate", path])
        #expect(damaged.status == 65 && damaged.errors.contains("line 3") && damaged.errors.contains("filters[0].url"))
        try write("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n", "negative.cube")
        try write(AuxiliarySourceFilmTests.draft.replacing("DejaVu Sans 24", with: "No Such Font 24"), "draft.json")
        let font = try await SpoolTool.run(["frame", path, "--time", "1", "-o", directory.file("x.png")])
        #expect(font.status == 69 && font.errors.contains("No Such Font"), "\(font.errors)")
    }
}
