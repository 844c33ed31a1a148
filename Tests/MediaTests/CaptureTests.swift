import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Inputs that cannot be captured, with what a person reads.
@Suite("Captures that fail")
struct CaptureTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A file that `ffmpeg` makes.
    private func made(_ name: String, _ arguments: [String]) async throws -> String {
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg(arguments + [path])
        return path
    }

    private func refusal(_ sources: CaptureSource...) throws -> MediaError {
        try #require(throws: MediaError.self) {
            try Capture.run(sources, to: directory.file("captured"), CaptureLimits()) { _ in }
        }
    }

    /// Removes the timestamps from the pictures of a transport stream: bit 7 of the flags of a PES header says that it has
    /// one, and bit 6 that it has two (ISO/IEC 13818-1, section 2.4.3.6).
    private func removeTimes(of path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var count = 0
        for packet in stride(from: 0, to: bytes.count, by: 188) where bytes[packet + 1] & 0x40 != 0 {
            var start = packet + 4
            if bytes[packet + 3] & 0x20 != 0 { start += 1 + Int(bytes[start]) }
            guard bytes[start...].starts(with: [0, 0, 1]), bytes[start + 3] & 0xF0 == 0xE0 else { continue }
            bytes[start + 7] &= 0x3F
            count += 1
        }
        try #require(count > 40)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("A file whose index follows its media cannot be read as the format that is named, and the message names others")
    func indexBehind() async throws {
        // It is larger than what is read at once.
        let path = try await made("sound.mp4", ["-f", "lavfi", "-i", "sine=d=60", "-c:a", "aac", "-b:a", "128k"])
        let error = try refusal(CaptureSource(path, format: "mov"))
        #expect(error.code == .damaged && error.subject == path)
        #expect(
            error.message
                == "breaks off before anything comes, or cannot be read from start to end; give it in a container that can be, "
                + "such as Matroska or MPEG-TS")
    }

    @Test("A format that is not known is named, with what lists the formats")
    func unknownFormat() async throws {
        let path = try await made("sound.mp4", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
        let error = try refusal(CaptureSource(path, format: "nonesuch"))
        #expect(error.code == .unknownFormat && error.subject == path)
        #expect(
            error.message
                == "cannot be read as 'nonesuch', a format that is not known; `ffmpeg -demuxers` lists them")
    }

    @Test("A source with subtitles alone has nothing that is recorded")
    func noStream() async throws {
        let words = directory.file("words.srt")
        try Data("1\n00:00:00,100 --> 00:00:00,900\nwords\n".utf8).write(to: URL(fileURLWithPath: words))
        let path = try await made("words.mkv", ["-i", words, "-c:s", "srt"])
        let error = try refusal(CaptureSource(path, format: "matroska"))
        #expect(error.code == .noStream && error.subject == path)
        #expect(error.message == "has neither picture nor sound; record a source that has one")
        let probed = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(probed.code == .noStream)
        #expect(probed.message == "has neither picture nor sound that can be decoded; name a file that has one")
    }

    @Test(
        "Pictures without timestamps are refused by the name of their source, alone and beside sound", arguments: [false, true])
    func noTimes(_ hasSound: Bool) async throws {
        let path = try await made(
            "pictures.ts",
            ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-f", "mpegts"])
        try removeTimes(of: path)
        let sound = try await made("sound.mkv", ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac"])
        let pictures = CaptureSource(path, format: "mpegts")
        let error = try hasSound ? refusal(pictures, CaptureSource(sound)) : refusal(pictures)
        #expect(error.code == .unknownFormat && error.subject == path)
        #expect(error.message == "has no timestamps; use it from a file or a pipe, without naming its format")
    }
}
