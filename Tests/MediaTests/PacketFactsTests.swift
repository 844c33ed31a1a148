import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// The probe's facts about groups of pictures, compared with the structure that the encoder was told to make.
@Suite struct PacketFactsTests {
    /// Probes a clip of 4 s at 25 frames per second, with a keyframe every 40 frames.
    private func facts(_ name: String, _ encoder: [String]) async throws -> VideoFacts {
        let directory = try TemporaryDirectory()
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=4", "-pix_fmt", "yuv420p", "-g", "40", "-keyint_min",
                "40",
            ]
                + encoder + [path])
        return try #require(try Probe.facts(ofFile: path).video)
    }

    @Test(
        "A source with only closed groups has no open keyframes, in any container",
        arguments: [
            ("a.mp4", ["-c:v", "libx264", "-bf", "3"]), ("a.mkv", ["-c:v", "libx264", "-bf", "3"]),
            ("a.ts", ["-c:v", "libx264", "-bf", "3"]),
            ("b.mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:open-gop=0"]),
            ("c.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime"]),
            ("d.mov", ["-c:v", "prores_ks"]),
        ])
    func closed(_ name: String, _ encoder: [String]) async throws {
        let video = try await facts(name, encoder)
        #expect(video.keyframes.count >= 3)
        #expect(video.packets?.openKeyframes == [])
        #expect(video.packets?.setup.count == 64)
    }

    @Test("A group with pictures before its keyframe is open; only in HEVC can it follow other pictures")
    func open() async throws {
        let hevc = try await facts(
            "a.mkv",
            ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:open-gop=1:bframes=3:scenecut=0"])
        let groups = try #require(hevc.packets?.openKeyframes)
        #expect(groups.map(\.time) == [MediaTime(Rational(8, 5)), MediaTime(Rational(16, 5))])
        #expect(
            groups.allSatisfy {
                $0.canFollowOthers && $0.firstShown < $0.time && $0.firstShown > $0.time - MediaTime(Rational(4, 25))
            })
        let other = try await facts(
            "b.mp4", ["-c:v", "libx264", "-bf", "3", "-x264-params", "open-gop=1:scenecut=0"])
        let leaning = try #require(other.packets?.openKeyframes)
        #expect(leaning.count == 2)
        #expect(leaning.allSatisfy { !$0.canFollowOthers })
        #expect(other.packets?.setup != hevc.packets?.setup)
    }
}
