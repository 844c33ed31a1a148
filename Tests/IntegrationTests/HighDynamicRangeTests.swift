import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Films that keep the 10 bits and the colours of their sources, as ffprobe and ffmpeg see them.
@Suite struct HighDynamicRangeTests {
    struct Format: Sendable, CustomTestStringConvertible {
        var file: String
        var codec: String
        var layout = "yuv420p10le"
        /// Whether the stream itself carries the HDR metadata.
        var hasHDRMetadata = false
        var testDescription: String { "\(codec) in \(file)" }
    }

    static let formats = [
        Format(file: "a.mp4", codec: "hevc", hasHDRMetadata: true), Format(file: "a.webm", codec: "vp9"),
        Format(file: "b.mp4", codec: "av1", hasHDRMetadata: true), Format(file: "a.mov", codec: "prores", layout: "yuv422p10le"),
        Format(file: "a.mov", codec: "hevc", hasHDRMetadata: true), Format(file: "a.mkv", codec: "hevc", hasHDRMetadata: true),
        Format(file: "b.mp4", codec: "vp9"), Format(file: "a.webm", codec: "av1", hasHDRMetadata: true),
    ]

    /// A clip with a freeze and one that plays backwards: 3 s.
    private static let draft = """
        {"version": 1, "frameRate": 30, "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 0.5, "duration": 1.5}},
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 1, "duration": 1}, "reverse": true}],
         "effects": [{"type": "freeze", "duration": 0.5, "timeRangeAtMainTrack": {"start": 0.4, "duration": 1}}]}
        """

    private func export(
        _ draft: String = HighDynamicRangeTests.draft, in directory: TemporaryDirectory, name: String = "film.mp4",
        _ options: [String] = []
    ) async throws -> String {
        try await SpoolTool.export(draft, in: directory, name: name, ["--set", "colorRange=hdr"] + options)
    }

    @Test(
        "A film keeps colours, HDR metadata and frames, with the same bytes from one and two processes",
        arguments: TestForm.part(4, of: formats))
    func film(_ format: Format) async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, hasHDRMetadata: true, frames: 66, to: directory.file("n.mp4"))
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let film = try await export(
                in: directory, name: "\(jobs)\(format.file)",
                ["--set", "videoCodec=\(format.codec)", "--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            guard jobs == "1" else { continue }
            let report = try await checkColors(film, .pq, layout: format.layout)
            #expect(report.fields["codec_name"] == format.codec)
            #expect(report.container == TenBitClip.hdrMetadata, "\(report.container)")
            if format.hasHDRMetadata { #expect(report.picture == TenBitClip.hdrMetadata, "\(report.picture)") }
            let numbers = try await SourceClips.numbers(of: film)
            #expect(numbers == Array(15..<27) + [Int](repeating: 27, count: 16) + Array(28..<60) + (30..<60).reversed())
            let samples = try await Waveform.decode(film, sampleRate: 48_000, channels: 2).count
            #expect(samples >= 144_000 && samples < 144_000 + 1200)
        }
        #expect(films[0] == films[1])
    }

    @discardableResult
    private func checkColors(
        _ film: String, _ colors: TenBitClip.Colors, layout: String = "yuv420p10le"
    ) async throws -> HDRReport {
        let report = try await HDRReport.of(film)
        let fields = report.fields
        #expect(fields["pix_fmt"] == layout && fields["color_range"] == "tv")
        #expect(fields["color_space"] == colors.names.matrix)
        #expect(fields["color_primaries"] == colors.names.primaries)
        #expect(fields["color_transfer"] == colors.names.transfer)
        return report
    }

    @Test("HLG and 10-bit BT.709 keep their names and get no HDR metadata", arguments: [TenBitClip.Colors.hlg, .sdr])
    func otherColors(_ colors: TenBitClip.Colors) async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(colors, frames: 66, to: directory.file("n.mp4"))
        for name in ["film.mp4", "film.webm", "film.mkv"] {
            let film = try await export(in: directory, name: name)
            let report = try await checkColors(film, colors)
            #expect(report.container.isEmpty && report.picture.isEmpty)
        }
    }

    @Test("The chroma location of the source is kept")
    func chromaLocation() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(
            .pq, frames: 66, options: ["-chroma_sample_location", "topleft"], to: directory.file("n.mp4"))
        let film = try await export(in: directory)
        #expect(try await HDRReport.of(film).fields["chroma_location"] == "topleft")
    }

    @Test(
        "A film with a bit budget keeps HDR",
        arguments: TestForm.part(1, of: [("film.mp4", "hevc"), ("film.webm", "vp9"), ("film.mp4", "av1")]))
    func bitrate(_ name: String, _ codec: String) async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, hasHDRMetadata: true, frames: 66, to: directory.file("n.mp4"))
        let film = try await export(
            in: directory, name: name, ["--set", "videoCodec=\(codec)", "--set", "videoBitrate=300000"])
        #expect(try await checkColors(film, .pq).container == TenBitClip.hdrMetadata)
        let packets = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0", film,
        ])
        .split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
        #expect(packets.count == 90)
        #expect(abs(Double(packets.reduce(0, +) * 8) / 3 / 300_000 - 1) <= 0.05)
    }

    @Test("The source's 10 bits reach the encoder and are stored with its usual quality loss")
    func quality() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, frames: 30, to: directory.file("n.mp4"))
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "n.mp4"}]}"#
        let film = try await export(draft, in: directory, ["--set", "videoQuality=0"])
        let bytes = TenBitPicture(size: TenBitClip.size).bytes.count
        let source = try await RawVideo.decode(directory.file("n.mp4"), pixelFormat: "yuv420p10le", bytesPerFrame: bytes)
        let shown = try await RawVideo.decode(film, pixelFormat: "yuv420p10le", bytesPerFrame: bytes)
        #expect(shown.count == 30)
        for (source, shown) in zip(source, shown) {
            let pictures = [source, shown].map { TenBitPicture(size: TenBitClip.size, bytes: $0) }
            let sum = zip(pictures[0].planes[0], pictures[1].planes[0]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            // Conversion to 8 bits would change the lowest two bits, which are random here, by 1 on average.
            #expect(Double(sum) / Double(pictures[0].planes[0].count) < 0.75)
        }
    }

    @Test("An image of such a film is tone-mapped, as it is without the setting")
    func frame() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.hlg, frames: 66, to: directory.file("n.mp4"))
        let draft = directory.file("draft.json")
        try Data(HighDynamicRangeTests.draft.utf8).write(to: URL(fileURLWithPath: draft))
        var pictures: [Data] = []
        for options in [[], ["--set", "colorRange=hdr"]] {
            let picture = directory.file("frame.png")
            let outcome = try await SpoolTool.run(["frame", draft, "--time", "1", "-o", picture] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            pictures.append(try Data(contentsOf: URL(fileURLWithPath: picture)))
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test("The explanation says whether pictures pass through or are scaled in 10 bits between black bars")
    func explained() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, frames: 66, to: directory.file("n.mp4"))
        func explanation(_ size: String) async throws -> String {
            let draft = directory.file("draft.json")
            let text = #"{"version": 1, \#(size) "mainTrackClips": [{"type": "av", "url": "n.mp4"}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
            let outcome = try await SpoolTool.run(["plan", draft, "--explain", "--set", "colorRange=hdr"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        #expect(
            try await explanation("").contains(
                "video n.mp4: the decoder's own frame; drawn when its source changes; covers the whole frame, passed through to the encoder unchanged"
            ))
        let framed = try await explanation(#""videoSize": {"width": 160, "height": 160},"#)
        #expect(framed.contains("colour #000000: drawn once; copied into 160x160 at (0, 0)"), "\(framed)")
        #expect(
            framed.contains(
                "video n.mp4: 320x180 scaled to 160x90 by libswscale, 10 bits in its own colours; drawn when its source changes; "
                    + "copied into 160x90 at (0, 34)"), "\(framed)")
    }

    @Test("Colours that cannot be kept are errors at their places before anything is rendered")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        try await TenBitClip.write(.pq, frames: 30, to: directory.file("n.mp4"))
        try await TenBitClip.write(.hlg, frames: 30, to: directory.file("h.mp4"))
        let draft = directory.file("draft.json")
        let text = """
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "n.mp4"},
              {"type": "av", "url": "h.mp4", "filters": [{"type": "sepia"}]}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file("film.mp4"), "--set", "colorRange=hdr"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("mainTrackClips[1].filters: is composed in 8 bits of BT.709"), "\(outcome.errors)")
        #expect(outcome.errors.contains("mainTrackClips[1].url: 'h.mp4' is HLG"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("film.mp4")))
    }

    @Test(
        "Real footage keeps its colours and its frames",
        .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
        arguments: TestForm.part(
            1,
            of: [
                ("hlg_hevc10_1080p_9frames.mp4", "bt2020nc", "bt2020", "arib-std-b67", 9),
                ("hdr10_pq_av1_portrait_720x1280_4s.mp4", "bt2020nc", "bt2020", "smpte2084", 30),
                ("roadtrip_vp9_10bit_2398fps_3s.webm", "bt2020nc", "bt2020", "bt2020-10", 24),
            ]))
    func real(_ file: String, _ matrix: String, _ primaries: String, _ transfer: String, _ frames: Int) async throws {
        let directory = try TemporaryDirectory()
        let draft = """
            {"version": 1, "mainTrackClips": [
              {"type": "av", "url": "\(SharedMedia.file("av/\(file)"))", "timeRange": {"start": 0, "duration": 1}}]}
            """
        let film = try await export(draft, in: directory)
        let fields = try await HDRReport.of(film).fields
        #expect(fields["pix_fmt"] == "yuv420p10le" && fields["codec_name"] == "hevc")
        #expect(fields["color_space"] == matrix && fields["color_primaries"] == primaries && fields["color_transfer"] == transfer)
        let report = try await FFprobeReport.of(film, ["-count_frames"])
        #expect(report.video?.nbReadFrames == "\(frames)")
    }
}
