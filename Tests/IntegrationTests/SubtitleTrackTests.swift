import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Captions that a film carries as a subtitle track, read back by ffmpeg.
@Suite struct SubtitleTrackTests {
    private static let captions = """
        1
        00:00:00,500 --> 00:00:01,250
        <i>first</i>

        2
        00:00:02,000 --> 00:00:03,000
        Größe\nzwei

        3
        00:00:03,500 --> 00:00:09,000
        last

        """

    /// - Returns: the film's first subtitle track, converted to SubRip by ffmpeg.
    private func exported(_ fields: String, _ more: String = "", fileType: String = "mp4") async throws -> String {
        let directory = try TemporaryDirectory()
        try Data(SubtitleTrackTests.captions.utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
        let draft = """
            {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25, "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 1, "duration": 4}, "source": {"type": "captions", "url": "words.srt", \(fields)}},
                        {"timeRange": {"start": 0, "duration": 6}, "source": {"type": "solid", "color": "#204060"}, "layerLevel": -1}]
             \(more)}
            """
        let film = try await SpoolTool.export(
            draft, in: directory, name: "film.\(fileType)", ["--set", "fileType=\(fileType)"])
        try await FFmpegTool.ffmpeg(["-i", film, "-map", "0:s:0", directory.file("found.srt")])
        let report = try await ShellTool.run(
            "ffprobe -v error -select_streams s -show_entries stream=codec_name:stream_tags=language -of csv=p=0 '\(film)'")
        // QuickTime uses the older code of the language.
        #expect(report.output.split(separator: "\n") == [fileType == "mov" ? "mov_text,ger" : "mov_text,deu"])
        // ffmpeg adds the track's font, and ends lines within a caption in two ways.
        let text = try String(contentsOfFile: directory.file("found.srt"), encoding: .utf8)
        return text.replacing(/<[^>]+>/, with: "").replacing("\r\n", with: "\n")
    }

    @Test(
        "A subtitle track has film times, the layer's range and plain text in both containers",
        arguments: ["mp4", "mov"], [true, false])
    func track(_ fileType: String, isDrawn: Bool) async throws {
        let burnIn = isDrawn ? "" : #""burnIn": false, "#
        let found = try await exported(burnIn + #""subtitleTrack": {"language": "deu"}"#, fileType: fileType)
        let wanted = [
            "00:00:01,500 --> 00:00:02,250\nfirst", "00:00:03,000 --> 00:00:04,000\nGröße\nzwei",
            "00:00:04,500 --> 00:00:05,000\nlast",
        ]
        for text in wanted where !found.contains(text) { Issue.record("\(text) is not in: \(found)") }
    }

    @Test("The subtitles of a film that begins later begin later, too")
    func window() async throws {
        let found = try await exported(
            #""subtitleTrack": {"language": "deu"}"#, #", "timeRange": {"start": 2, "duration": 3}"#)
        for text in ["00:00:00,000 --> 00:00:00,250\nfirst", "00:00:02,500 --> 00:00:03,000\nlast"] {
            #expect(found.contains(text), "\(found)")
        }
    }
}
