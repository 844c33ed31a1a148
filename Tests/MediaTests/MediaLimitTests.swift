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
                expectOverLimit("has \(count) streams; files with at most \(MediaLimits.streams) are read") {
                    _ = try Probe.facts(ofFile: path)
                }
            }
        }
    }

    @Test("A file of 100 hours is read, and one whose frames last a second longer is refused")
    func duration() async throws {
        let directory = try TemporaryDirectory()
        for (seconds, isRead) in [(120_000, true), (120_001, false)] {
            let path = directory.file("\(seconds).mkv")
            try await FFmpegTool.ffmpeg(
                ["-f", "lavfi", "-i", "color=s=16x16:r=1/\(seconds)", "-frames:v", "3", "-c:v", "ffv1", path])
            if isRead {
                #expect(try Probe.facts(ofFile: path).video?.duration == MediaLimits.duration)
            } else {
                expectOverLimit("is longer than 100 hours; cut it into shorter files") { _ = try Probe.facts(ofFile: path) }
            }
        }
    }

    @Test("A length of 100 hours is accepted, and one that is a millisecond longer is refused")
    func exactDuration() throws {
        let limits = MediaLimits("clip.mp4")
        try limits.check(duration: MediaLimits.duration)
        expectOverLimit("100 hours") {
            try limits.check(duration: MediaLimits.duration + MediaTime(Rational(1, 1000)))
        }
    }

    @Test("The packet limit accepts exactly as many packets as it says")
    func packets() throws {
        var limits = MediaLimits("clip.mp4", packets: 5000)
        for _ in 0..<5000 { try limits.countPacket() }
        expectOverLimit("has more than 5000 packets; shorten it") { try limits.countPacket() }
    }

    @Test("A probe that has used up its processor time is refused with what to do")
    func limitsInWords() {
        let limits = MediaLimits("clip.mp4", processorTime: -1)
        expectOverLimit(" s of processor time to probe; encode it again, or shorten it") { try limits.checkTime() }
    }

    @Test("A file with as many packets as the limit is read, and one with one packet more is refused", arguments: ["mkv", "wav"])
    func packetsOfAFile(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let limit = 50
        for (count, isRead) in [(limit, true), (limit + 1, false)] {
            let path = directory.file("\(count).\(type)")
            if type == "wav" {
                // The demuxer makes packets of 4096 bytes.
                try await FFmpegTool.ffmpeg([
                    "-f", "lavfi", "-i", "sine=r=8000,atrim=end_sample=\(count * 2048)", "-c:a", "pcm_s16le", path,
                ])
            } else {
                // Each picture is a packet. The packets of the second stream, which is not played, do not count.
                try await FFmpegTool.ffmpeg([
                    "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25", "-frames:v", "\(count)", "-map", "0", "-map", "0", "-c:v",
                    "ffv1", path,
                ])
            }
            let file = try SourceFile(path: path)
            if isRead {
                #expect(try Probe.facts(of: file, packetLimit: limit).duration > .zero)
            } else {
                expectOverLimit("more than \(limit) packets") { _ = try Probe.facts(of: file, packetLimit: limit) }
                // Nothing but the limit is wrong with it.
                #expect(try Probe.facts(of: file, packetLimit: count).duration > .zero)
            }
        }
    }

    @Test("A probe that exceeds its processor time ends")
    func processorTime() throws {
        var limits = MediaLimits("clip.mp4", packets: .max, processorTime: 0.001)
        // Counting packets uses processor time itself, so this loop ends when the time is used up.
        expectOverLimit("processor time") { while true { try limits.countPacket() } }
    }
}
