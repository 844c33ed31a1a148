import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Films as MPEG transport streams, which have no header, no edit list and no time before 0. `FormatTests` and
/// `SplicedFilmTests` check their frames and bytes.
@Suite struct TransportStreamTests {
    private func draft(_ more: String = "") -> String {
        """
        {"version": 1, "frameRate": 30, "mainTrackClips": [
          {"type": "av", "url": "n.mp4", "timeRange": {"start": 0.5, "duration": 3}}]\(more)}
        """
    }

    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 160)
        return directory
    }

    @Test(
        "The sound is that of an MP4 film, and begins before the pictures by what the encoder added", arguments: ["h264", "hevc"])
    func sound(_ codec: String) async throws {
        let directory = try directory()
        let settings = ["--set", "videoCodec=\(codec)"]
        let stream = try await SpoolTool.export(draft(), in: directory, name: "a.ts", settings)
        let movie = try await SpoolTool.export(draft(), in: directory, name: "a.mp4", settings)
        let played = try await Waveform.decode(stream, sampleRate: 44_100, channels: 2)
        let wanted = try await Waveform.decode(movie, sampleRate: 44_100, channels: 2)
        #expect(played.count == wanted.count + 1024)
        #expect(played.channel(0).dropFirst(1024).elementsEqual(wanted.channel(0)))
        let report = try await FFprobeReport.of(stream)
        let pictures = try #require(report.video?.startPts)
        let sound = try #require(report.audio?.startPts)
        // The clock counts 1/90000 s.
        #expect(abs(Double(pictures - sound) - 1024 * 90_000 / 44_100) <= 1)
        #expect(report.video?.rFrameRate == "30/1")
    }

    @Test("Decoding times rise from 0 or later, and no picture is shown before it is decoded")
    func times() async throws {
        let directory = try directory()
        let film = try await SpoolTool.export(draft(), in: directory, name: "a.ts")
        let text = try await FFmpegTool.ffprobe([
            "-select_streams", "v", "-show_entries", "packet=pts,dts", "-of", "csv=p=0", film,
        ])
        let times = text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }.filter { $0.count == 2 }
        #expect(times.count == 90)
        #expect(times.allSatisfy { $0[1] >= 0 && $0[1] <= $0[0] })
        #expect(zip(times, times.dropFirst()).allSatisfy { $0[1] < $1[1] })
        let shown = times.map { $0[0] }.sorted()
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 == 3000 })
    }

    @Test("The title is the name of the service")
    func title() async throws {
        let directory = try directory()
        let title = "Fünf Würfel"
        let film = try await SpoolTool.export(draft(#", "title": "\#(title)""#), in: directory, name: "a.ts")
        let tags = try await FFmpegTool.ffprobe(["-show_entries", "program_tags=service_name", "-of", "csv=p=0", film])
        #expect(tags.contains(title), "\(tags)")
    }

    @Test(
        "What a transport stream cannot hold is an error at its place",
        arguments: [
            (#""creationTime": "2026-11-22T10:30:00Z""#, "creationTime: does not go into a ts file; leave it out"),
            (#""chapters": [{"start": 0, "title": "One"}]"#, "chapters: do not go into a ts file"),
            (
                #""metadata": {"artist": "A"}"#,
                "metadata.artist: is not a tag that a ts file has; leave it out, or use one of title"
            ),
            (
                "\"title\": \"\(String(repeating: "t", count: 246))\"",
                "title: may have 245 bytes in a ts file, not 246"
            ),
        ])
    func refused(_ field: String, _ message: String) async throws {
        let directory = try directory()
        let path = directory.file("draft.json")
        try Data(draft(", " + field).utf8).write(to: URL(fileURLWithPath: path))
        let outcome = try await SpoolTool.run(["export", path, "-o", directory.file("a.ts")])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
