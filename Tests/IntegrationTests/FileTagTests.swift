import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Chapters, a cover and a creation time, as ffprobe finds them in the file.
@Suite struct FileTagTests {
    private struct Found: Decodable {
        struct Chapter: Decodable {
            var startTime: String
            var endTime: String
            var tags: [String: String]
        }
        struct Stream: Decodable {
            var codecName: String?
            var disposition: [String: Int]
            var tags: [String: String]?
        }
        struct Format: Decodable {
            var tags: [String: String]?
        }
        var chapters: [Chapter]
        var streams: [Stream]
        var format: Format
    }

    private func draft(_ more: String) -> String {
        """
        {"version": 1, "frameRate": 30, "title": "Tags", "timeRange": {"start": 0.5, "duration": 3}, \(more),
         "mainTrackClips": [{"type": "av", "url": "n.mp4"}]}
        """
    }

    private static let withCover = ["mp4", "m4a", "mp3", "flac"]

    @Test(
        "A film has the draft's chapters, its cover file unchanged, and its creation time",
        arguments: ["mp4", "mov", "mkv", "webm", "m4a", "mp3", "flac", "ogg"])
    func tags(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 150)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", directory.file("cover.jpg")])
        let chapters = [(0, "One"), (2, "Zwei"), (9, "Never")].map { #"{"start": \#($0), "title": "\#($1)"}"# }
        var tags = [
            #""creationTime": "2026-11-22T10:30:00Z""#, #""chapters": [\#(chapters.joined(separator: ", "))]"#,
        ]
        if FileTagTests.withCover.contains(type) { tags.append(#""cover": {"url": "cover.jpg"}"#) }
        let film = try await SpoolTool.export(draft(tags.joined(separator: ", ")), in: directory, name: "a.\(type)")
        let report = try await FFmpegTool.ffprobe(["-show_chapters", "-show_streams", "-show_format", "-of", "json", film])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let found = try decoder.decode(Found.self, from: Data(report.utf8))
        #expect(found.chapters.map { Double($0.startTime) ?? -1 } == [0, 1.5])
        #expect(found.chapters.map { $0.tags["title"] } == ["One", "Zwei"])
        let ends = found.chapters.map { Double($0.endTime) ?? -1 }
        // The length of an Ogg file includes the delay of the encoder.
        #expect(ends.first == 1.5 && abs((ends.last ?? 0) - 3) < (type == "ogg" ? 0.01 : 1e-6))
        // The tags of an Ogg file belong to its stream.
        let written = (type == "ogg" ? found.streams.first?.tags : found.format.tags) ?? [:]
        #expect((written["title"] ?? written["TITLE"]) == "Tags")
        #expect(written["creation_time"]?.hasPrefix("2026-11-22T10:30:00") == true, "\(written)")
        if FileTagTests.withCover.contains(type) {
            let index = try #require(found.streams.firstIndex { $0.disposition["attached_pic"] == 1 })
            #expect(found.streams[index].codecName == "mjpeg")
            let picture = directory.file("out.jpg")
            try await FFmpegTool.ffmpeg(["-i", film, "-map", "0:\(index)", "-c", "copy", "-f", "image2", picture])
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: picture))
                    == Data(contentsOf: URL(fileURLWithPath: directory.file("cover.jpg"))))
        }
        if type == "mp4" { #expect(try await SourceClips.numbers(of: film) == Array(15..<105)) }
    }

    @Test("Tags that a file or a draft cannot have are errors at their places")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 150)
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", directory.file("cover.jpg")])
        let cases = [
            (#""cover": {"url": "n.mp4"}"#, "a.mp4", "cover.url: 'n.mp4' is a video; a JPEG or PNG picture is expected"),
            (#""cover": {"url": "n.mp4"}"#, "a.webm", "cover: does not go into a webm file"),
            (
                #""chapters": [{"start": 1, "title": "a"}, {"start": 1, "title": "b"}]"#, "a.mp4",
                "chapters[1].start: must be above"
            ),
            (
                #""cover": {"url": "cover.jpg"}, "metadata": {"mood": "calm", "artist": "x"}"#, "a.mp4",
                "metadata.mood: is not a tag that a mp4 file has beside a cover"
            ),
            (#""chapters": [{"start": 1, "title": "a"}]"#, "a.wav", "chapters: do not go into a wav file"),
            (#""creationTime": "yesterday""#, "a.mp4", "creationTime: must be a time in UTC"),
        ]
        for (more, name, message) in cases {
            try Data(draft(more).utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
            let outcome = try await SpoolTool.run(["export", directory.file("d.json"), "-o", directory.file(name)])
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }
}
