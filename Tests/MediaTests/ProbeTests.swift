import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing

/// Source facts of files whose properties are known.
@Suite struct ProbeTests {
    @Test(
        "The facts of Spool's own clip are exact: size, rate, count, duration, keyframes, colour, sound",
        arguments: [
            Rational(24), Rational(25), Rational(30), Rational(30000, 1001), Rational(25, 2), Rational(60000, 1001),
        ])
    func ownClip(_ rate: Rational) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("clip.mp4")
        let frameRate = try #require(FrameRate(rate))
        try SampleClip(
            picture: NumberedPicture(blue: 120, red: 140), tone: TestTone(frequency: 440),
            size: FrameSize(width: 162, height: 90),
            frameRate: frameRate, frameCount: 41, keyframeInterval: 20, sampleRate: 48_000
        ).write(to: path)
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.size == FrameSize(width: 162, height: 90))
        #expect(video.frameRate == frameRate)
        #expect(!video.isVariableFrameRate && !video.isStill && !video.hasAlpha)
        #expect(video.frameCount == 41)
        #expect(video.duration == frameRate.time(ofFrame: 41))
        #expect(video.keyframes.first == .zero)
        #expect(video.keyframes.count == 3)
        #expect(video.color == .bt709)
        #expect(video.orientation == .upright && video.sampleAspectRatio == .one)
        #expect(facts.origin == .zero)
        let audio = try #require(facts.audio)
        #expect(audio.sampleRate == 48_000 && audio.channels == 2 && audio.channelLayout == "stereo")
        let samples = frameRate.time(ofFrame: 41).rounded(toRate: 48_000)
        #expect(audio.duration == MediaTime(index: samples, rate: 48_000))
    }

    @Test("Times, counts and rates of every stored clip agree with ffprobe", arguments: NumberedSource.all)
    func storedClip(_ kind: NumberedSource) async throws {
        let directory = try TemporaryDirectory()
        let source = try await kind.write(in: directory)
        let witness = try await kind.witness(source)
        let video = try #require(source.facts.video)
        #expect(video.frameCount == witness.frames.count)
        #expect(video.size == NumberedSource.size)
        if !kind.storesNoTimes { #expect(source.facts.origin == witness.start) }
        #expect(video.isVariableFrameRate == kind.testDescription.contains("variable"))
        if !video.isVariableFrameRate {
            #expect(video.frameRate == kind.frameRate)
            #expect(video.duration == kind.frameRate.time(ofFrame: witness.frames.count))
        } else {
            // The last frame lasts at least one tick and at most as long as the longest usual gap.
            let last = witness.frames[witness.frames.count - 1].time
            #expect(video.duration > last)
            #expect(video.duration <= last + MediaTime(Rational(1, 10)))
        }
    }

    @Test("A source whose sound starts first counts its time from the sound", arguments: ["late.mp4", "late.mkv"])
    func lateVideo(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=2:r=48000", "-itsoffset", "0.8", "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1.2",
            "-map",
            "1:v", "-map", "0:a", "-fps_mode", "passthrough", "-c:v", "libx264", "-c:a", "aac", path,
        ])
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        let first = try #require(video.keyframes.first)
        #expect((first - MediaTime(Rational(8, 10))).seconds.magnitude < Rational(30, 1000))
        // Before the first picture starts, the first picture is shown.
        let reader = try FrameReader(SourceReference(facts: facts, path: path))
        let early = PlanarPicture(try reader.frame(at: .zero))
        #expect(early == PlanarPicture(try reader.frame(at: first)))
        #expect(early != PlanarPicture(try reader.frame(at: first + MediaTime(seconds: 1))))
    }

    @Test("The rotation and sample aspect ratio of a source are those of its container", arguments: [0, 90, 180, 270])
    func rotation(_ degrees: Int) async throws {
        let directory = try TemporaryDirectory()
        let plain = directory.file("plain.mp4")
        let rotated = directory.file("rotated.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=0.2", "-vf", "setsar=4/3", "-c:v", "libx264", plain,
        ])
        try await FFmpegTool.ffmpeg(["-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)", rotated])
        let report = try #require(try await FFprobeReport.of(rotated).video)
        let video = try #require(try Probe.facts(ofFile: rotated).video)
        // ffprobe counts counter-clockwise, -180...180.
        try #require(Int(report.rotation.magnitude) % 180 == degrees % 180)
        #expect(video.orientation == Orientation(quarterTurns: (360 - Int(report.rotation)) / 90 % 4, mirrored: false))
        #expect(video.sampleAspectRatio == Rational(4, 3))
        let upright = FrameSize(width: 213, height: 96)
        #expect(
            video.displaySize
                == (degrees % 180 == 0 ? upright : FrameSize(width: upright.height, height: upright.width)))
    }

    @Test("Colour tags become the colour description; untagged pictures of up to 576 lines are BT.601")
    func color() async throws {
        let directory = try TemporaryDirectory()
        func description(_ name: String, _ size: String, _ options: [String]) async throws -> ColorDescription? {
            let path = directory.file("\(name).mkv")
            try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "color=s=\(size):r=25:d=0.04"] + options + ["-c:v", "ffv1", path])
            return try Probe.facts(ofFile: path).video?.color
        }
        let full = ["-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_range", "pc"]
        #expect(try await description("full", "64x64", full)?.isFullRange == true)
        #expect(try await description("small", "720x576", ["-pix_fmt", "yuv420p"])?.matrix == .bt601)
        #expect(try await description("large", "1280x720", ["-pix_fmt", "yuv420p"])?.matrix == .bt709)
        let hdr = try await description(
            "pq", "64x64",
            [
                "-pix_fmt", "yuv420p10le", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
            ])
        #expect(hdr == ColorDescription(matrix: .bt2020, primaries: .bt2020, transfer: .pq, isFullRange: false))
        let rgb = try await description("rgb", "64x64", ["-pix_fmt", "bgr0"])
        #expect(rgb?.matrix == .rgb && rgb?.isFullRange == true)
    }

    @Test("Equal bytes have equal content hashes, and different bytes have different ones")
    func contentHash() async throws {
        let directory = try TemporaryDirectory()
        for (name, frequency) in [("a", 440), ("b", 440), ("c", 441)] {
            try await FFmpegTool.ffmpeg([
                "-bitexact", "-f", "lavfi", "-i", "sine=\(frequency):d=0.1", directory.file("\(name).wav"),
            ])
        }
        var facts = try ["a", "b", "c"].map { try Probe.facts(ofFile: directory.file("\($0).wav")) }
        // Two files have different identities, even with equal contents.
        #expect(facts[0].identity != nil && facts[0].identity != facts[1].identity)
        for index in facts.indices { facts[index].identity = nil }
        #expect(facts[0] == facts[1])
        #expect(facts[0].contentHash != facts[2].contentHash)
        #expect(facts[0].contentHash.count == 64)
    }
}
