import ExportPlan
import Testing
import TestSupport
import FoundationEssentials

/// Films that keep their transparency, read back by ffmpeg, libvpx and Pillow, and compared with the source's own pixels.
@Suite struct TransparencyTests {
    private static let size = FrameSize(width: 64, height: 48)
    private static let frameCount = 350
    private static let clip = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "moving.mov"}]}"#

    /// Fourteen seconds of a moving picture whose alpha goes from 0 to 255, without loss, so that a film has two segments.
    private static func source(in directory: TemporaryDirectory) async throws {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i",
            "color=black:s=\(size):r=25:d=14,format=rgba,"
                + "geq=r='128+100*sin((X+N)/9)':g='Y*5':b='255-X*3':a='clip((X+Y+N-60)*4,0,255)'",
            "-frames:v", "\(frameCount)", "-c:v", "png", directory.file("moving.mov"),
        ])
    }

    /// The pixels of a film as red, green, blue and alpha.
    private func pixels(of film: String, _ input: [String] = []) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let raw = directory.file("decoded.raw")
        try await FFmpegTool.ffmpeg(
            input + ["-i", film, "-fps_mode", "passthrough", "-pix_fmt", "rgba", "-f", "rawvideo", raw])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    }

    /// The largest and the mean difference of alpha, and the mean difference of colours, weighted by alpha.
    private func differences(_ film: [UInt8], _ source: [UInt8]) -> (most: Int, alpha: Double, color: Double) {
        var (most, alpha, color, weight) = (0, 0.0, 0.0, 0.0)
        for place in stride(from: 0, to: min(film.count, source.count), by: 4) {
            let difference = abs(Int(film[place + 3]) - Int(source[place + 3]))
            most = max(most, difference)
            alpha += Double(difference)
            for channel in 0..<3 {
                color += Double(abs(Int(film[place + channel]) - Int(source[place + channel]))) * Double(source[place + 3])
            }
            weight += 3 * Double(source[place + 3])
        }
        return (most, alpha / Double(source.count / 4), color / weight)
    }

    @Test("VP9 in WebM and Matroska, and ProRes 4444, keep alpha, with the same bytes from one and two processes")
    func films() async throws {
        let directory = try TemporaryDirectory()
        try await TransparencyTests.source(in: directory)
        let source = try await pixels(of: directory.file("moving.mov"))
        #expect(source.count == TransparencyTests.frameCount * 64 * 48 * 4)
        let formats: [(name: String, options: [String], decoder: [String], pixels: String, most: Int)] = [
            // ffprobe knows no option that chooses libvpx, which alone decodes the alpha of VP9.
            ("f.webm", ["--set", "alpha=true", "--set", "videoQuality=10"], ["-c:v", "libvpx-vp9"], "vp9,yuv420p,1", 40),
            ("f.mkv", ["--set", "alpha=true", "--set", "videoCodec=vp9"], ["-c:v", "libvpx-vp9"], "vp9,yuv420p,1", 60),
            ("f.mov", ["--preset", "proRes4444"], [], "yuva444p", 1),
            ("g.mov", ["--set", "alpha=true"], [], "yuva444p", 1),
        ]
        for format in formats {
            var films: [Data] = []
            for jobs in ["1", "2"] {
                let film = try await SpoolTool.export(
                    TransparencyTests.clip, in: directory, name: jobs + format.name,
                    format.options + ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
                films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            }
            #expect(films[0] == films[1], "\(format.name)")
            let film = directory.file("1" + format.name)
            let report = try await FFmpegTool.ffprobe(
                ["-show_entries", "stream=pix_fmt,codec_name:stream_tags=alpha_mode", "-of", "csv=p=0", film])
            #expect(report.contains(format.pixels), "\(report)")
            let found = try await pixels(of: film, format.decoder)
            #expect(found.count == source.count, "\(format.name) has \(found.count / 64 / 48 / 4) frames")
            let difference = differences(found, source)
            #expect(
                difference.most <= format.most && difference.alpha < 2 && difference.color < 8, "\(format.name): \(difference)")
        }
    }

    @Test("Where nothing covers it a film is transparent, and a background fills it as far as it is opaque")
    func backgrounds() async throws {
        let directory = try TemporaryDirectory()
        let shape = #"""
            "videoSize": {"width": 64, "height": 48}, "frameRate": 25, "layers": [{"source": {"type": "shape",
             "shape": "rect", "size": {"width": 32, "height": 24}, "fill": "#FF0000"},
             "timeRange": {"start": 0, "duration": 1}}]
            """#
        for (background, outside) in [("", 0), (##""background": {"type": "color", "color": "#00FF0080"}, "##, 128)] {
            let film = try await SpoolTool.export(
                #"{"version": 1, \#(background)\#(shape)}"#, in: directory, name: "film\(outside).mov",
                ["--preset", "proRes4444"])
            let found = try await pixels(of: film)
            let alphas = Set(stride(from: 3, to: found.count, by: 4).map { found[$0] })
            #expect(alphas.contains(255) && alphas.contains { abs(Int($0) - outside) <= 1 }, "\(alphas.sorted())")
        }
    }

    @Test(
        "What cannot keep transparency refuses it, with what can",
        arguments: [
            ("f.mp4", ["alpha=true"], "settings.alpha: h264 in a mp4 file cannot keep transparency; these can: prores in mov"),
            ("f.webm", ["alpha=true", "videoCodec=av1"], "settings.alpha: av1 in a webm file cannot keep transparency"),
            ("f.gif", ["alpha=true"], "settings.alpha: gif in a gif file cannot keep transparency"),
            ("f.wav", ["alpha=true"], "settings.alpha: is not supported: the WAV format has no video"),
            ("f.webm", ["alpha=true", "videoBitrate=500000"], "settings.videoBitrate: is not supported with alpha"),
            ("f.webm", ["alpha=true", "fileSizeLimit=500000"], "settings.fileSizeLimit: is not supported with alpha"),
            ("f.webm", ["alpha=true", "colorRange=hdr"], "settings.colorRange: hdr composes nothing"),
            ("f.mov", ["alpha=false", "preset=proRes4444"], "settings.alpha: is what the preset proRes4444 is for"),
            ("f.mov", ["alpha=true", "preset=passthrough"], "settings.alpha: is not supported with passthrough"),
        ])
    func refused(name: String, settings: [String], message: String) async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=red@0.5:s=64x48:r=25:d=1,format=rgba", "-c:v", "png", directory.file("moving.mov"),
        ])
        let draft = directory.file("d.json")
        try Data(TransparencyTests.clip.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(
            ["export", draft, "-o", directory.file(name)] + settings.flatMap { ["--set", $0] })
        #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("Drafts that cannot be composed without a background are refused, and an opaque one is a warning")
    func drafts() async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=red@0.5:s=64x48:r=25:d=2,format=rgba", "-c:v", "png", directory.file("moving.mov"),
        ])
        let clip = #"{"type": "av", "url": "moving.mov", "transition": {"type": "distance", "duration": 0.5}}"#
        let cases = [
            (#""background": {"type": "blur"}, "mainTrackClips": [{"type": "av", "url": "moving.mov"}]"#, 65, "background.type"),
            (
                #""mainTrackClips": [{"type": "av", "url": "moving.mov"}, \#(clip)]"#, 65,
                "mainTrackClips[1].transition.type: distance compares"
            ),
            (
                ##""background": {"type": "color", "color": "#112233"}, "mainTrackClips": [{"type": "av", "url": "moving.mov"}]"##,
                0, "background.color"
            ),
        ]
        for (text, status, message) in cases {
            let draft = directory.file("d.json")
            try Data(#"{"version": 1, \#(text)}"#.utf8).write(to: URL(fileURLWithPath: draft))
            let outcome = try await SpoolTool.run(
                ["export", draft, "-o", directory.file("f.mov"), "--set", "alpha=true", "--cache", directory.file("cache")])
            #expect(outcome.status.map(Int.init) == status && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }
}
