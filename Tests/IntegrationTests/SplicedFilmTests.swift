import ExportPlan
import Testing
import TestSupport
import FoundationEssentials
import Glibc

/// Films of copied ranges with encoded frames beside them. Every copied frame is bit-identical to the source's and in
/// its place, the encoded ones are similar, and no frame is lost between them.
@Suite struct SplicedFilmTests {
    private static let frameBytes = 320 * 180 * 3 / 2

    /// Writes a source of 320 x 180 at 25 frames per second, 8 s long, with a keyframe every 40 frames and sound.
    private func source(_ name: String, _ encoder: [String], in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi", "-i",
                "aevalsrc=0.3*sin(2*PI*(300+60*t)*t):sample_rate=48000:duration=8", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
                "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-g", "40", "-keyint_min", "40",
            ] + encoder + [path])
        return path
    }

    private static let encoders: [String: [String]] = [
        "h264": ["-c:v", "libx264", "-preset", "fast", "-bf", "3"],
        // The keyframes are clean random access points: leading pictures follow them in the file and are shown before
        // them.
        "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:open-gop=1:bframes=3:scenecut=0"],
        "h264 of BT.601": [
            "-c:v", "libx264", "-preset", "fast", "-colorspace", "smpte170m", "-color_primaries", "smpte170m", "-color_trc",
            "smpte170m",
        ],
        "hevc of PQ": [
            "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:open-gop=1:bframes=3:scenecut=0",
            "-pix_fmt",
            "yuv420p10le", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
        ],
        "vp9": ["-c:v", "libvpx-vp9", "-cpu-used", "6", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-c:a", "libopus"],
    ]

    private func clip(_ url: String, _ first: Int, _ count: Int) -> String {
        #"{"type": "av", "url": "\#(url)", "timeRange": {"start": "\#(first)/25", "duration": "\#(count)/25"}}"#
    }

    private func write(_ clips: [String], in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("draft.json")
        let text = #"{"version": 1, "mainTrackClips": [\#(clips.joined(separator: ", "))]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func frames(_ path: String) async throws -> [[UInt8]] {
        try await RawVideo.decode(path, pixelFormat: "yuv420p", bytesPerFrame: SplicedFilmTests.frameBytes)
    }

    /// The peak signal-to-noise ratio in dB.
    private func likeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0.0
        for (a, b) in zip(one, other) {
            let difference = Double(a) - Double(b)
            sum += difference * difference
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.count) / sum)
    }

    /// Clips, each given by its first frame and its number of frames, and the copied frames of the film.
    struct Splice: CustomTestStringConvertible, Sendable {
        var codec: String
        var source, film: String
        var clips: [(Int, Int)]
        var copied: [Range<Int>]
        var testDescription: String { "\(codec) into \(film)" }
    }

    static let splices = [
        // One clip, for a container without edit lists: 23 frames encoded, a whole group copied, 17 frames encoded.
        Splice(codec: "h264", source: "s.mp4", film: "a.mkv", clips: [(17, 80)], copied: [23..<63]),
        // From a keyframe to the end of the source.
        Splice(codec: "h264", source: "s.mp4", film: "b.mkv", clips: [(80, 120)], copied: [0..<120]),
        Splice(
            codec: "h264", source: "s.mp4", film: "c.mp4", clips: [(27, 80), (120, 53), (10, 25)], copied: [13..<53, 80..<120]),
        Splice(codec: "h264", source: "s.mp4", film: "d.mov", clips: [(100, 30), (40, 40)], copied: [30..<70]),
        Splice(
            codec: "h264", source: "s.mkv", film: "e.mkv", clips: [(27, 80), (120, 53), (10, 25)], copied: [13..<53, 80..<120]),
        // The end of a group that the next group's leading pictures depend on is encoded, and so are leading pictures.
        Splice(
            codec: "hevc", source: "s.mp4", film: "f.mkv", clips: [(27, 80), (120, 53), (10, 25)], copied: [13..<50, 80..<117]),
        Splice(
            codec: "h264 of BT.601", source: "s.mp4", film: "i.mp4", clips: [(27, 80), (120, 53)], copied: [13..<53, 80..<120]),
        Splice(codec: "hevc of PQ", source: "s.mp4", film: "k.mkv", clips: [(27, 80)], copied: [13..<50]),
        // A transport stream has no header: parameter sets stand before each keyframe.
        Splice(codec: "h264", source: "s.mp4", film: "l.ts", clips: [(27, 80), (120, 53)], copied: [13..<53, 80..<120]),
        Splice(
            codec: "hevc", source: "s.mp4", film: "m.ts", clips: [(27, 80), (120, 53), (10, 25)], copied: [13..<50, 80..<117]),
        // VP9 shows pictures in the order in which they are decoded, so a copied range may end anywhere.
        Splice(
            codec: "vp9", source: "s.webm", film: "g.webm", clips: [(27, 80), (120, 53), (10, 25)], copied: [13..<80, 80..<133]),
        Splice(codec: "vp9", source: "s.webm", film: "h.mp4", clips: [(27, 80), (120, 53)], copied: [13..<80, 80..<133]),
    ]

    @Test("Copied groups equal the source, and encoded frames beside them are similar to it", arguments: splices)
    func splice(_ splice: Splice) async throws {
        let directory = try TemporaryDirectory()
        let source = try await source(splice.source, SplicedFilmTests.encoders[splice.codec] ?? [], in: directory)
        let draft = try write(splice.clips.map { clip(splice.source, $0.0, $0.1) }, in: directory)
        let outcome = try await SpoolTool.run([
            "export", draft, "-o", directory.file(splice.film), "--preset", "passthrough", "--jobs", "2", "--cache",
            directory.file("cache"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let whole = try await frames(source)
        let wanted = splice.clips.flatMap { whole[$0.0..<$0.0 + $0.1] }
        let seen = try await frames(directory.file(splice.film))
        #expect(seen.count == wanted.count)
        let encoded = wanted.count - splice.copied.reduce(0) { $0 + $1.count }
        #expect(
            outcome.output.contains(encoded == 0 ? "nothing of it" : "\(encoded) frames outside whole groups"),
            "\(outcome.output)"
        )
        for index in wanted.indices where index < seen.count {
            if splice.copied.contains(where: { $0.contains(index) }) {
                #expect(seen[index] == wanted[index], "frame \(index) is not the source's")
            } else {
                #expect(likeness(seen[index], wanted[index]) > 36, "frame \(index)")
            }
        }
        let kinds = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "frame=width,height,pix_fmt,color_space,color_primaries,color_transfer",
            "-of",
            "csv=p=0", directory.file(splice.film),
        ]).split(separator: "\n")
        let tags = Set(kinds.map { $0.split(separator: ",").filter { $0 != " " } })
        #expect(tags.count == 1, "\(tags)")
        let times = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", directory.file(splice.film),
        ]).split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        #expect(times.count == wanted.count)
        // Matroska rounds times to milliseconds, and the film begins with the sound, which its encoder delays.
        #expect(times.enumerated().allSatisfy { abs($1 - times[0] - Double($0) / 25) < 0.0011 })
    }

    @Test("A spliced film has the same bytes with one and two processes, and the sound of an encoded one")
    func sameBytes() async throws {
        let directory = try TemporaryDirectory()
        _ = try await source("s.mp4", SplicedFilmTests.encoders["h264"] ?? [], in: directory)
        let draft = try write([clip("s.mp4", 27, 80), clip("s.mp4", 120, 53)], in: directory)
        for (name, jobs, preset) in [
            ("a.mp4", "1", "passthrough"), ("b.mp4", "2", "passthrough"), ("c.mp4", "2", "highestQuality"),
        ] {
            let outcome = try await SpoolTool.run([
                "export", draft, "-o", directory.file(name), "--preset", preset, "--jobs", jobs, "--cache",
                directory.file("cache-\(name)"),
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let one = try Data(contentsOf: URL(fileURLWithPath: directory.file("a.mp4")))
        #expect(one == (try Data(contentsOf: URL(fileURLWithPath: directory.file("b.mp4")))))
        let copied = try await Waveform.decode(directory.file("a.mp4"), sampleRate: 44_100, channels: 2)
        let encoded = try await Waveform.decode(directory.file("c.mp4"), sampleRate: 44_100, channels: 2)
        #expect(copied.channel(0) == encoded.channel(0))
    }

    @Test("A spliced film can be decoded from any of its keyframes", arguments: ["a.mp4", "a.mkv"])
    func seeking(_ film: String) async throws {
        let directory = try TemporaryDirectory()
        let source = try await source("s.mp4", SplicedFilmTests.encoders["h264"] ?? [], in: directory)
        // The first clip has frames 0..<20 encoded, 20..<100 copied and 100..<110 encoded; the second is encoded,
        // copied and encoded again.
        let draft = try write([clip("s.mp4", 20, 90), clip("s.mp4", 70, 60)], in: directory)
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file(film), "--preset", "passthrough"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let whole = try await frames(source)
        let path = directory.file(film)
        for frame in [60, 61, 95, 105, 111, 125, 145] {
            let output = directory.file("seen.raw")
            try await FFmpegTool.ffmpeg([
                "-ss", "\((Double(frame) - 0.2) / 25)", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p",
                output,
            ])
            let seen = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
            #expect(likeness(seen, whole[frame < 90 ? frame + 20 : frame - 20]) > 36, "frame \(frame)")
        }
    }

    @Test("A phone's upright clips stay upright: encoded frames are stored and rotated like the copied ones")
    func rotated() async throws {
        let directory = try TemporaryDirectory()
        let flat = try await source("flat.mp4", SplicedFilmTests.encoders["h264"] ?? [], in: directory)
        let path = directory.file("s.mp4")
        try await FFmpegTool.ffmpeg(["-i", flat, "-c", "copy", "-metadata:s:v:0", "rotate=90", path])
        let draft = try write([clip("s.mp4", 27, 80), clip("s.mp4", 110, 50)], in: directory)
        let film = directory.file("a.mp4")
        let outcome = try await SpoolTool.run(["export", draft, "-o", film, "--preset", "passthrough"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("180x320"), "\(outcome.output)")
        let report = try await FFprobeReport.of(film).video
        #expect(report?.width == 320 && report?.height == 180)
        let rotated = try await FFprobeReport.of(path).video?.sideDataList?.first?.rotation
        #expect(rotated != nil && report?.sideDataList?.first?.rotation == rotated)
        // The frames as a player shows them, upright.
        let wanted = try await frames(path)
        let seen = try await frames(film)
        #expect(seen.count == 130)
        for (index, frame) in (Array(27..<107) + Array(110..<160)).enumerated() where index < seen.count {
            #expect(likeness(seen[index], wanted[frame]) > 36, "frame \(index)")
        }
        #expect(Array(seen[13..<53]) == Array(wanted[40..<80]))
        #expect(Array(seen[90..<130]) == Array(wanted[120..<160]))
    }

    @Test("A clip that shows no whole group of pictures has no range to copy")
    func noGroup() async throws {
        let directory = try TemporaryDirectory()
        _ = try await source("s.mp4", SplicedFilmTests.encoders["h264"] ?? [], in: directory)
        let draft = try write([clip("s.mp4", 17, 60)], in: directory)
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file("a.mkv"), "--preset", "passthrough"])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "mainTrackClips: show no whole group of pictures, which is the least that can be copied; choose mp4"),
            "\(outcome.errors)")
    }

    @Test("Clips with other parameter sets are joined in Matroska, and an error at their place in MP4")
    func otherParameterSets() async throws {
        let directory = try TemporaryDirectory()
        let first = try await source("s.mp4", SplicedFilmTests.encoders["h264"] ?? [], in: directory)
        let second = try await source(
            "t.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "baseline"], in: directory)
        let draft = try write([clip("s.mp4", 40, 40), clip("t.mp4", 70, 60)], in: directory)
        let film = try await SpoolTool.run(["export", draft, "-o", directory.file("a.mkv"), "--preset", "passthrough"])
        #expect(film.status == 0, "\(film.errors)")
        let seen = try await frames(directory.file("a.mkv"))
        #expect(seen.count == 100)
        #expect(Array(seen.prefix(40)) == Array(try await frames(first)[40..<80]))
        #expect(Array(seen[50..<90]) == Array(try await frames(second)[80..<120]))
        let refused = try await SpoolTool.run(["export", draft, "-o", directory.file("a.mp4"), "--preset", "passthrough"])
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains(
                "mainTrackClips[1].url: cannot be copied after mainTrackClips[0], from which it differs in parameter sets"),
            "\(refused.errors)")
    }

    @Test(
        "Clips that cannot be joined are an error at their place",
        arguments: [
            ("hevc", "a.mp4", "s.mp4", "mainTrackClips[0].url: is HEVC, and passthrough joins HEVC clips only in mkv or ts"),
            (
                "h264", "a.mkv", "other.mp4",
                "mainTrackClips[1].url: cannot be copied after mainTrackClips[0], from which it differs in codec"
            ),
            (
                "h264", "a.mkv", "small.mp4",
                "mainTrackClips[1].url: has pictures of 160x90, which passthrough cannot make 320x180"
            ),
            ("h264", "a.mkv", "slow.mp4", "mainTrackClips[1].url: has 20 frames a second, which passthrough cannot make 25"),
            ("h264", "a.mkv", "grey.mp4", "mainTrackClips[1].timeRange.start: must be at a keyframe to be copied"),
        ])
    func refused(_ codec: String, _ film: String, _ second: String, _ message: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try await source("s.mp4", SplicedFilmTests.encoders[codec] ?? [], in: directory)
        let others = [
            "other.mp4": SplicedFilmTests.encoders["hevc"] ?? [], "small.mp4": ["-c:v", "libx264", "-s", "160x90"],
            "slow.mp4": ["-c:v", "libx264", "-r", "20"],
            // The frames between cannot be encoded in another pixel format than the film's.
            "grey.mp4": ["-c:v", "libx264", "-pix_fmt", "yuv422p"],
        ]
        if let encoder = others[second] { _ = try await source(second, encoder, in: directory) }
        let draft = try write([clip("s.mp4", 0, 40), clip(second, 50, 40)], in: directory)
        let outcome = try await SpoolTool.run(["export", draft, "-o", directory.file(film), "--preset", "passthrough"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
