import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Streams that cannot be decoded or copied, most of them because the file is another one than the one that was probed.
@Suite("Streams that cannot be read")
struct UnreadableStreamTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A film of four seconds with a moving picture and a tone, as `ffmpeg` makes it.
    private func film(_ name: String, _ options: [String]) async throws -> String {
        let path = directory.file(name)
        try await FFmpegTool.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4", "-pix_fmt", "yuv420p"]
                + ["-c:v", "libx264", "-c:a", "aac"] + options + [path])
        return path
    }

    private func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = directory.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The second second of a source.
    private let range = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 1))

    @Test("A range of a stream that is gone is not copied, and the message says to start again")
    func goneStream() async throws {
        let path = try await film("film.mkv", [])
        var source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        source.facts.video?.streamIndex = 7
        let copied = try #require(throws: MediaError.self) { try CopiedRangeReader(source, .video, range) }
        #expect(copied.code == .damaged && copied.subject == path)
        #expect(copied.message == "lacks the stream that is copied; start the export again")
        let decoded = try #require(throws: MediaError.self) { try FrameReader(source) }
        #expect(decoded.code == .damaged && decoded.subject == path)
        #expect(decoded.message == "has changed since it was probed; start the export again")
    }

    @Test("A range of a file that cannot be searched is not copied, and the message names the remedy")
    func unsearchable() async throws {
        let facts = try Probe.facts(ofFile: try await film("film.mkv", []))
        // An elementary stream has no times.
        let path = try await film("film.h264", ["-an", "-f", "h264"])
        let error = try #require(throws: MediaError.self) {
            try CopiedRangeReader(SourceReference(facts: facts, path: path), .video, range)
        }
        #expect(error.code == .damaged && error.subject == path)
        #expect(
            error.message
                == "cannot be searched for the start of the clip; export it with another preset than passthrough")
    }

    @Test("A range whose keyframe is cut off is not copied, and the message names the remedy")
    func noKeyframe() async throws {
        let whole = try await film("film.ts", ["-g", "1000", "-bf", "0", "-f", "mpegts"])
        let facts = try Probe.facts(ofFile: whole)
        let packets = try bytes(of: whole)
        // The only keyframe is at the start of the film.
        let path = try write(Array(packets.dropFirst(packets.count / 188 * 2 / 5 * 188)), "cut.ts")
        let error = try #require(throws: MediaError.self) {
            try CopiedRangeReader(SourceReference(facts: facts, path: path), .video, range)
        }
        #expect(error.code == .damaged && error.subject == path)
        #expect(
            error.message == "has no packet at the start of the clip; export it with another preset than passthrough")
    }

    @Test("A damaged packet is not copied, and the message gives libav's reason")
    func damagedPacket() async throws {
        let whole = try await film("film.mp4", ["-g", "1"])
        let facts = try Probe.facts(ofFile: whole)
        let places = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pos", "-of", "csv=p=0", whole,
        ]).split(whereSeparator: { !$0.isNumber })
        let place = try #require(Int(places[40]))
        var damaged = try bytes(of: whole)
        // The length of the packet's first unit.
        damaged.replaceSubrange(place..<place + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        let path = try write(damaged, "damaged.mp4")
        let source = SourceReference(facts: facts, path: path)
        let error = try #require(throws: MediaError.self) {
            let reader = try SplicedReader(try CopiedRangeReader(source, .video, range), path: path)
            while try reader.next() != nil {}
        }
        #expect(error.code == .damaged && error.subject == path)
        #expect(error.message.hasPrefix("has a packet that cannot be copied: Invalid data found when processing input"))
    }

    @Test("A picture in a codec that no library knows is refused with what to do")
    func unknownCodec() async throws {
        var changed = try bytes(of: try await film("film.mkv", []))
        let name = Array("V_MPEG4/ISO/AVC".utf8)
        let place = try #require(changed.indices.first { changed[$0] == name[0] && changed[$0...].starts(with: name) })
        changed.replaceSubrange(place..<place + name.count, with: "V_MPEG4/ISO/AXC".utf8)
        let path = try write(changed, "unknown.mkv")
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == .unknownFormat && error.subject == path)
        #expect(
            error.message == "has a picture whose codec is not known; convert it, for instance to H.264 in an MP4 file")
    }

    @Test("A still that is damaged after its probe has no picture, and the message says so")
    func damagedStill() async throws {
        let path = directory.file("still.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", path])
        let facts = try Probe.facts(ofFile: path)
        var damaged = try bytes(of: path)
        // The last byte before the IEND chunk belongs to the checksum of the picture data.
        damaged[damaged.count - 13] ^= 0xFF
        let source = SourceReference(facts: facts, path: try write(damaged, "damaged.png"))
        let error = try #require(throws: MediaError.self) { try FrameReader(source).frame(at: .zero) }
        #expect(error.code == .damaged && error.subject == source.path)
        #expect(error.message == "has no picture that can be decoded; copy or export the file again")
    }

    @Test("A picture that has lost its ICC profile since its probe is refused")
    func lostProfile() async throws {
        let path = directory.file("plain.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", path])
        var source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        let color = try #require(source.facts.video?.color)
        source.facts.video?.profile = PictureProfile(name: "Display P3", isApplied: true, storedColor: color)
        let error = try #require(throws: MediaError.self) { try FrameReader(source).frame(at: .zero) }
        #expect(error.code == .damaged && error.subject == path)
        #expect(error.message == "has changed since it was probed; start the export again")
    }
}
