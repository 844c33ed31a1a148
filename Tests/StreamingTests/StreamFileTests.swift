import Streaming
import TestSupport
import Testing
import FoundationEssentials

/// Files of a stream's tracks. `StreamFilmTests` checks whole streams with ffmpeg and by the rules of the formats.
@Suite("Files of streams")
struct StreamFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A file with the same pictures in two sizes, and keyframes 24 frames apart.
    private func segment(seconds: Int) async throws -> String {
        let file = directory.file("segment\(seconds).mp4")
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=192x108:rate=24:duration=\(seconds)", "-filter_complex",
            "[0:v]split[a][b];[b]scale=96:54[c]", "-map", "[a]", "-map", "[c]", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf",
            "2", "-g", "24", "-sc_threshold", "0", file,
        ])
        return file
    }

    @Test("Each track of a file becomes a file of its own, whose segments have whole fragments of at most six seconds")
    func tracks() async throws {
        let files = [try await segment(seconds: 7), try await segment(seconds: 3)]
        for (rendition, width) in [192, 96].enumerated() {
            var content = try StreamFile(of: try MovieTrack(file: files[0], rendition: rendition))
            #expect(content.first.kind == .video(width: width, height: width * 9 / 16))
            var fragments: [UInt8] = []
            for file in files {
                try content.add(try MovieTrack(file: file, rendition: rendition), from: file, spacing: 24) { fragments += $0 }
            }
            #expect(content.segments.map(\.duration) == [6, 4])
            #expect(content.keyframes.count == 10 && content.keyframes.allSatisfy { $0.duration == 1 })
            let whole = content.head + fragments
            #expect(content.segments.first?.range.lowerBound == content.head.count)
            #expect(content.segments.last?.range.upperBound == whole.count)
            #expect(content.indexRange.upperBound == content.head.count)
            let file = directory.file("\(width).mp4")
            try Data(whole).write(to: URL(fileURLWithPath: file))
            let counted = try await FFmpegTool.ffprobe([
                "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", file,
            ])
            #expect(counted.split(whereSeparator: \.isNewline).first == "240")
        }
    }

    @Test("A file without keyframes where fragments begin, without a rendition, and one that is cut short are faults")
    func faults() async throws {
        let file = try await segment(seconds: 3)
        let track = try MovieTrack(file: file, rendition: 1)
        var content = try StreamFile(of: track)
        #expect(throws: StreamFault("sample 25 is no keyframe")) { try content.add(track, from: file, spacing: 25) { _ in } }
        #expect(throws: StreamFault("the file has 2 tracks, and none for rendition 2")) {
            try MovieTrack(file: file, rendition: 2)
        }
        #expect(throws: StreamFault("the file has 2 tracks instead of one")) { try MovieTrack(file: file) }
        let short = directory.file("short.mp4")
        try Data(contentsOf: URL(fileURLWithPath: file)).prefix(5000).write(to: URL(fileURLWithPath: short))
        #expect(throws: StreamFault.self) { try content.add(track, from: short, spacing: 24) { _ in } }
    }
}
