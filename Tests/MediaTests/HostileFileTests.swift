import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Files that are broken, disguised or in an unsupported format are refused with a helpful message, and none causes a
/// crash.
@Suite struct HostileFileTests {
    @Test("A file that does not exist is reported as missing")
    func absent() throws {
        let error = try refusal("/nonexistent/holiday.mp4")
        #expect(error.code == .missing && error.subject == "/nonexistent/holiday.mp4")
        #expect(error.message.contains("does not exist"))
        let inside = try refusal("/dev/null/holiday.mp4")
        #expect(inside.code == .missing && inside.message == "cannot be opened: Not a directory", "\(inside.message)")
    }

    @Test("An empty file is reported as empty")
    func empty() throws {
        let error = try refusal(of: [], named: "empty.mp4")
        #expect(error.code == .damaged)
        #expect(error.message == "is empty (0 bytes)")
    }

    @Test("A text file with a video's name is refused because it is not media")
    func text() throws {
        let words = Array("The quick brown fox jumps over the lazy dog. ".utf8)
        let error = try refusal(of: (0..<400).flatMap { _ in words }, named: "holiday.mp4")
        #expect(error.code == .unknownFormat)
        #expect(error.message.contains("not a video"))
    }

    @Test("Random bytes are refused because they are not media", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func noise(_ seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect([.unknownFormat, .damaged, .noStream].contains(try refusal(of: bytes, named: "noise.mp4").code))
    }

    @Test("A directory is refused because it is not a regular file")
    func directory() throws {
        let directory = try TemporaryDirectory()
        #expect(try refusal(directory.path).code == .unknownFormat)
    }

    @Test("The message about an MP4 without an index names the cause", arguments: [200, 5_000, 20_000])
    func withoutIndex(_ length: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("whole.mp4")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=2", "-c:v", "libx264", "-qp", "10", path])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let error = try refusal(of: Array(bytes.prefix(length)), named: "cut.mp4")
        #expect(error.code == .damaged)
        #expect(
            error.message.hasPrefix("is cut short: its index (the moov atom) is missing, so no frame can be found"),
            "\(error.message)")
    }

    @Test("The message about an MP4 without its end says how many frames it declares")
    func cutShort() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("whole.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=2", "-c:v", "libx264", "-movflags", "faststart", path,
        ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let error = try refusal(of: Array(bytes.prefix(bytes.count / 2)), named: "cut.mp4")
        #expect(error.code == .damaged)
        #expect(error.message.contains("cut short") && error.message.contains("50 frames"))
    }

    @Test("A file whose bytes were flipped at random is either read or refused", arguments: (1...12).map { UInt64($0) })
    func flippedBytes(_ seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("whole.mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264", path,
        ])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = RandomNumbers(seed: seed)
        for _ in 0..<40 { bytes[Int.random(in: 40..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        let broken = try write(bytes, "broken.mp4", in: directory)
        switch probed(broken) {
        case .success(let facts): #expect(facts.video != nil || facts.audio != nil)
        case .failure(let error): #expect(error.subject == broken && !error.message.isEmpty)
        }
    }

    @Test("A playlist cannot make Spool read another file", arguments: ["list.m3u8", "list.mp4", "list.txt"])
    func playlist(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x96:r=25:d=1", "-c:v", "libx264", directory.file("a.ts")])
        let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n\(directory.file("a.ts"))\n#EXT-X-ENDLIST\n"
        let concat = "ffconcat version 1.0\nfile '\(directory.file("a.ts"))'\n"
        for text in [hls, concat] {
            let path = try write(Array(text.utf8), name, in: directory)
            #expect(try refusal(path).code == .unknownFormat)
        }
    }

    private func refusal(of bytes: [UInt8], named name: String) throws -> MediaError {
        let directory = try TemporaryDirectory()
        return try refusal(try write(bytes, name, in: directory))
    }

    private func refusal(_ path: String) throws -> MediaError {
        try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
    }

    private func write(_ bytes: [UInt8], _ name: String, in directory: TemporaryDirectory) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file(name)))
        return directory.file(name)
    }
}
