import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

@Suite("Media limits")
struct MediaLimitTests {
    private func expectOverLimit(_ message: String, _ body: () throws -> Void) {
        let error = #expect(throws: MediaError.self, performing: body)
        #expect(error?.code == .overLimit)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("A file with one stream too many is refused, and one with the most allowed streams is read")
    func streams() async throws {
        let directory = try TemporaryDirectory()
        for (count, isRead) in [(MediaLimits.streams, true), (MediaLimits.streams + 1, false)] {
            let path = directory.file("\(count).mkv")
            let maps = (0..<count).flatMap { _ in ["-map", "0"] }
            try await FFmpegTool.ffmpeg(
                ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono"] + maps + ["-c", "pcm_s16le", "-t", "0.1", path])
            if isRead {
                #expect(try Probe.facts(ofFile: path).audio != nil)
            } else {
                expectOverLimit("\(count) streams") { _ = try Probe.facts(ofFile: path) }
            }
        }
    }

    @Test("A file longer than 100 hours is refused, and one that is almost as long is read")
    func duration() async throws {
        let directory = try TemporaryDirectory()
        for (seconds, isRead) in [(119_000, true), (121_000, false)] {
            let path = directory.file("\(seconds).mkv")
            try await FFmpegTool.ffmpeg(
                ["-f", "lavfi", "-i", "color=s=16x16:r=1/\(seconds)", "-frames:v", "3", "-c:v", "ffv1", path])
            if isRead {
                #expect(try Probe.facts(ofFile: path).video != nil)
            } else {
                expectOverLimit("100 hours") { _ = try Probe.facts(ofFile: path) }
            }
        }
    }

    @Test("The packet limit accepts exactly as many packets as it says")
    func packets() throws {
        var limits = MediaLimits("clip.mp4", packets: 5000)
        for _ in 0..<5000 { try limits.countPacket() }
        expectOverLimit("more than 5000 packets") { try limits.countPacket() }
    }

    @Test("A probe that exceeds its processor time ends")
    func processorTime() throws {
        var limits = MediaLimits("clip.mp4", packets: .max, processorTime: 0.001)
        // Counting packets uses processor time itself, so this loop ends when the time is used up.
        expectOverLimit("processor time") { while true { try limits.countPacket() } }
    }
}
