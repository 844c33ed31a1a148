import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

/// Films with SVG files, compared with what librsvg's own tool draws in the size at which they are shown.
@Suite struct SVGFilmTests {
    /// Gray, so that the film's colour subsampling does not matter; its edges lie between pixels.
    private static let logo = """
        <svg xmlns='http://www.w3.org/2000/svg' width='32' height='18'><rect width='32' height='18' fill='#404040'/>
        <circle cx='9' cy='9' r='7.3' fill='#e0e0e0'/><path d='M18 16 L24 2 L30 16 Z' fill='none' stroke='white'/></svg>
        """

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try write(SVGFilmTests.logo, "logo.svg")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
    }

    /// The gray values of the first frame of a draft.
    private func frame(_ members: String, time: String = "0") async throws -> [UInt8] {
        try write(
            """
            {"version": 1, "frameRate": 25, "videoSize": {"width": 320, "height": 180}, \(members)}
            """, "draft.json")
        let outcome = try await SpoolTool.run([
            "frame", directory.file("draft.json"), "--time", time, "-o", directory.file("frame.png"), "--cache",
            directory.file("cache"),
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try await gray("frame.png")
    }

    private func gray(_ name: String) async throws -> [UInt8] {
        try await FFmpegTool.ffmpeg(["-i", directory.file(name), "-f", "rawvideo", "-pix_fmt", "gray", directory.file("gray")])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.file("gray"))))
    }

    /// What `rsvg-convert` draws on black.
    private func witness(_ options: String, _ name: String = "logo.svg") async throws -> [UInt8] {
        let outcome = try await ShellTool.run(
            "rsvg-convert -b black \(options) '\(directory.file(name))' -o '\(directory.file("witness.png"))'")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try await gray("witness.png")
    }

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
        one.count == other.count ? zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 256 : 256
    }

    @Test("A small SVG that fills the film is as sharp as if it had been drawn in the film's size")
    func sharp() async throws {
        let wanted = try await witness("-w 320 -h 180")
        let clip = try await frame(#""mainTrackClips": [{"type": "image", "url": "logo.svg", "duration": 1}]"#)
        #expect(difference(clip, wanted) <= 2)
        let black = ##""mainTrackClips": [{"type": "color", "color": "#000000", "duration": 1}]"##
        let fitted = try await frame(
            black + #"""
                , "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "logo.svg"},
                "transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 320, "height": 180}, "mode": "fill"}}}]
                """#)
        // A layer is drawn with a power of two times its pixels, here 16, and shrunk.
        #expect(difference(fitted, wanted) <= 48)
        let sticker = try await frame(
            black + #"""
                , "effects": [{"type": "imageSticker", "url": "logo.svg", "destRect": {"x": 0, "y": 0, "width": 320, "height": 180}}]
                """#)
        #expect(difference(sticker, wanted) <= 48)
        // The test can see a difference: that of the logo's own pixels, enlarged.
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("witness.png"), "-vf", "scale=32:18,scale=320:180", directory.file("blurred.png"),
        ])
        #expect(difference(try await gray("blurred.png"), wanted) > 100)
    }

    @Test("A layer that is drawn with a power of two of its pixels has exactly those of librsvg")
    func density() async throws {
        let black = ##""mainTrackClips": [{"type": "color", "color": "#000000", "duration": 1}]"##
        let drawn = try await frame(
            black + #"""
                , "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "logo.svg"},
                "transform": {"center": {"x": 0.4, "y": 0.4}, "scale": 8}}]
                """#)
        let wanted = try await witness("-w 256 -h 144")
        var part: [UInt8] = []
        for y in 0..<144 { part += drawn[y * 320..<y * 320 + 256] }
        #expect(difference(part, wanted) <= 2)
    }

    @Test("A growing layer gives the same bytes from one process and from two, and a cut does not show")
    func determinism() async throws {
        try write(
            """
            {"version": 1, "frameRate": 25, "videoSize": {"width": 320, "height": 180},
             "mainTrackClips": [{"type": "image", "url": "logo.svg", "duration": 12}],
             "layers": [{"timeRange": {"start": 1, "duration": 10}, "source": {"type": "image", "url": "logo.svg"},
              "animations": [{"keyPath": "transform.scale", "keyTimes": [0, 10], "values": [1, 12]}]}]}
            """, "film.json")
        var films: [Data] = []
        for jobs in 1...2 {
            let film = directory.file("\(jobs).mp4")
            let outcome = try await SpoolTool.run([
                "export", directory.file("film.json"), "-o", film, "--cache", directory.file("cache\(jobs)"), "--jobs", "\(jobs)",
            ])
            try #require(outcome.status == 0, "\(outcome.errors)")
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
        }
        #expect(films[0] == films[1] && films[0].count > 5000)
    }

    @Test("An SVG may be a background, a mask and a packed file, and its transparency is kept")
    func places() async throws {
        let outcome = try await ShellTool.run("cd '\(directory.path)' && gzip -c logo.svg > logo.svgz")
        #expect(outcome.status == 0)
        try write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='32' height='18'><rect width='16' height='18' fill='white'/></svg>",
            "half.svg")
        let wanted = try await witness("-w 320 -h 180")
        let behind = try await frame(
            #""background": {"type": "image", "url": "logo.svgz"}, "mainTrackClips": [{"type": "image", "url": "half.svg", "duration": 1}]"#
        )
        for (x, color) in [(20, UInt8(255)), (140, 255)] { #expect(abs(Int(behind[90 * 320 + x]) - Int(color)) <= 2) }
        for x in 170..<320 { #expect(abs(Int(behind[90 * 320 + x]) - Int(wanted[90 * 320 + x])) <= 2, "column \(x)") }
        let masked = try await frame(
            ##"""
            "mainTrackClips": [{"type": "color", "color": "#000000", "duration": 1}],
            "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#ffffff"},
            "mask": {"source": {"type": "image", "url": "half.svg"}}}]
            """##)
        #expect(masked[90 * 320 + 40] >= 253 && masked[90 * 320 + 280] <= 2)
    }

    @Test("A film with text in an SVG is made with a warning, which names the clip and the remedy")
    func text() async throws {
        try write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='36'><text y='30' font-size='30'>Reel</text></svg>",
            "text.svg")
        try write(#"{"version": 1, "mainTrackClips": [{"type": "image", "url": "text.svg", "duration": 0.2}]}"#, "film.json")
        let words = ["export", directory.file("film.json"), "-o", directory.file("film.mp4"), "--cache", directory.file("cache")]
        let outcome = try await SpoolTool.run(words)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("mainTrackClips[0].url") && outcome.errors.contains("turn the text into paths"),
            "\(outcome.errors)")
    }

    @Test("`spool probe` names the format and the size")
    func probe() async throws {
        let outcome = try await SpoolTool.run(["probe", directory.file("logo.svg")])
        #expect(outcome.status == 0 && outcome.output.contains(": svg, "), "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("svg 32x18 rgba") && !outcome.output.contains("frames a second"))
    }
}
