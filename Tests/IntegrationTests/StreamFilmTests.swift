import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Films as streams in HLS and DASH, read by ffmpeg's demuxers and checked by rules of the formats (`Tests/Streams/check.py`).
@Suite struct StreamFilmTests {
    /// The report of the checks.
    private struct Report: Decodable {
        struct Pictures: Decodable {
            var width: Int
            var height: Int
            var frames: Int
            var segments: Int
            var keyframes: Int
        }
        struct Sound: Decodable {
            var name: String
            var language: String?
            var samples: Int
            var clock: Int
        }
        struct Subtitles: Decodable {
            var language: String?
            var cues: Int
        }
        var pictures: [Pictures]
        var sounds: [Sound]
        var subtitles: [Subtitles]
    }

    private static let draft = """
        {"version": 1, "title": "Ships & <boats>", "metadata": {"comment": "a \\"b\\""}, "frameRate": 25, "mainTrackClips": [
          {"type": "av", "id": "one", "url": "n.mp4", "timeRange": {"start": 2, "duration": 0.04}},
          {"type": "av", "id": "a", "url": "n.mp4", "timeRange": {"start": 1, "duration": 7}},
          {"type": "av", "id": "two", "url": "n.mp4", "timeRange": {"start": 4, "duration": 0.08}},
          {"type": "av", "id": "b", "url": "n.mp4", "timeRange": {"start": 3, "duration": 5.2}},
          {"type": "av", "id": "c", "url": "n.mp4", "timeRange": {"start": 0.4, "duration": 0.6}}],
         "audioTracks": [{"language": "eng", "title": "English & more"}, {"language": "deu", "title": "\\"Deutsch\\"", "mix": ["a"]}],
         "layers": [{"timeRange": {"start": 1, "duration": 9},
                     "source": {"type": "captions", "url": "words.srt", "burnIn": false, "subtitleTrack": {"language": "eng"}}}]}
        """
    /// Segments of one and two frames have no picture that is shown before it is decoded, unlike the others.
    private static let wanted = [50] + Array(25..<200) + [100, 101] + Array(75..<205) + Array(10..<25)

    private func prepare(_ directory: TemporaryDirectory, _ draft: String = StreamFilmTests.draft) throws -> String {
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(25), frames: 220)
        let captions = """
            1
            00:00:00,500 --> 00:00:01,250
            Tom & <b>Jerry</b>

            2
            00:00:02,000 --> 00:00:03,000
            Größe
            zwei

            """
        try Data(captions.utf8).write(to: URL(fileURLWithPath: directory.file("words.srt")))
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        return directory.file("draft.json")
    }

    private func export(
        _ draft: String, to output: String, in directory: TemporaryDirectory, _ options: [String] = []
    ) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(
            ["export", draft, "-o", output, "--cache", directory.file("cache"), "--set", "encoderSpeed=ultrafast"] + options)
    }

    private func check(_ folder: String, _ main: String = "main.m3u8") async throws -> Report {
        let outcome = try await ShellTool.run("/usr/bin/python3 '\(SpoolTool.root)/Tests/Streams/check.py' '\(folder)' '\(main)'")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: outcome.output + outcome.errors) }
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    /// The numbers that the pictures of a playlist or a manifest show, scaled to the size of the source.
    private func numbers(
        _ input: String, _ map: String, in directory: TemporaryDirectory, _ options: [String] = []
    ) async throws -> [Int] {
        let film = directory.file("read.mkv")
        try await FFmpegTool.ffmpeg(
            options + [
                "-i", input, "-map", map, "-an", "-vf", "scale=320:180", "-pix_fmt", "yuv420p", "-c:v", "ffv1", film,
            ])
        return try await SourceClips.numbers(of: film)
    }

    @Test(
        "A stream keeps the rules, and every rendition has every frame and every sample", .timeLimit(.minutes(10)),
        arguments: ["h264", "hevc"])
    func stream(_ codec: String) async throws {
        let directory = try TemporaryDirectory()
        let draft = try prepare(directory)
        let outcome = try await export(
            draft, to: directory.file("stream/"), in: directory,
            [
                "--set", "fileType=hls", "--set", "videoCodec=\(codec)", "--set", "renditions=180,90", "--set",
                "encoderSpeed=medium",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let folder = directory.file("stream")
        let report = try await check(folder)
        #expect(report.pictures.map(\.height) == [180, 90] && report.pictures.map(\.width) == [320, 160])
        #expect(report.pictures.allSatisfy { $0.frames == 323 && $0.keyframes >= 7 && $0.segments >= 2 })
        #expect(report.sounds.map(\.name) == ["English & more", " Deutsch "] && report.sounds.map(\.language) == ["en", "de"])
        #expect(report.subtitles.map(\.language) == ["en"] && report.subtitles.map(\.cues) == [2])
        let main = try String(contentsOfFile: "\(folder)/main.m3u8", encoding: .utf8)
        #expect(main.contains(#"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="Ships & <boats>""#))
        #expect(main.contains(#"#EXT-X-SESSION-DATA:DATA-ID="metadata.comment",VALUE="a  b ""#))
        #expect(try String(contentsOfFile: "\(folder)/main.mpd", encoding: .utf8).contains("Ships &amp; &lt;boats&gt;"))
        let texts = try String(contentsOfFile: "\(folder)/subtitles-0.vtt", encoding: .utf8)
        #expect(texts.contains("00:00:01.500 --> 00:00:02.250\nTom &amp; Jerry\n") && texts.contains("Größe\nzwei\n"))

        for height in [180, 90] {
            #expect(
                try await numbers("\(folder)/pictures-\(height).m3u8", "0:v", in: directory) == StreamFilmTests.wanted,
                "\(height)")
        }
        #expect(try await numbers("\(folder)/main.m3u8", "0:v:1", in: directory) == StreamFilmTests.wanted)
        #expect(
            try await numbers("\(folder)/main.mpd", "0:v:0", in: directory, ["-allowed_extensions", "ALL"])
                == StreamFilmTests.wanted)

        // The sound is that of the same film in one file, behind what its encoder puts in front.
        let film = try await export(draft, to: directory.file("film.mp4"), in: directory, ["--set", "videoCodec=\(codec)"])
        #expect(film.status == 0, "\(film.errors)")
        func sound(_ input: String, _ map: String) async throws -> Data {
            let raw = directory.file("raw")
            try await FFmpegTool.ffmpeg(["-i", input, "-map", map, "-f", "s16le", raw])
            return try Data(contentsOf: URL(fileURLWithPath: raw))
        }
        for track in 0...1 {
            let whole = try await sound(directory.file("film.mp4"), "0:a:\(track)")
            let heard = try await sound("\(folder)/sound-\(track).m3u8", "0:a")
            #expect(whole.count > 1_000_000 && whole == heard.suffix(whole.count), "track \(track)")
        }
    }

    @Test("A stream has the same bytes from one and two processes, and as an archive; further exports use the cache")
    func bytes() async throws {
        let directory = try TemporaryDirectory()
        let draft = try prepare(directory)
        for jobs in ["1", "2"] {
            let outcome = try await export(
                draft, to: directory.file("s\(jobs)/film.m3u8"), in: directory,
                ["--jobs", jobs, "--cache", directory.file("cache\(jobs)"), "--set", "renditions=90,180"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let same = try await ShellTool.run(
            "diff -r '\(directory.file("s1"))' '\(directory.file("s2"))' && ls '\(directory.file("s1"))'")
        #expect(same.status == 0 && same.output.contains("film.m3u8\nfilm.mpd\npictures-180-keyframes.m3u8\n"), "\(same.output)")
        _ = try await check(directory.file("s1"), "film.m3u8")
        let archive = try await export(
            draft, to: directory.file("stream.tar"), in: directory,
            ["--cache", directory.file("cache1"), "--set", "fileType=hls", "--set", "renditions=180,90"])
        #expect(archive.status == 0 && archive.output.contains(" 0 of "), "\(archive.output)\(archive.errors)")
        let unpacked = try await ShellTool.run(
            """
            mkdir '\(directory.file("s3"))' && tar -xf '\(directory.file("stream.tar"))' -C '\(directory.file("s3"))' \
            && cmp '\(directory.file("s3"))/pictures-90.mp4' '\(directory.file("s1"))/pictures-90.mp4'
            """)
        #expect(unpacked.status == 0, "\(unpacked.output)\(unpacked.errors)")
    }

    @Test("A film of one frame without words is a stream")
    func small() async throws {
        let directory = try TemporaryDirectory()
        let draft = try prepare(
            directory,
            """
            {"version": 1, "videoSize": {"width": 64, "height": 112}, "frameRate": "30000/1001", "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 0, "duration": 0.03}, "source": {"type": "solid", "color": "#204060"}}]}
            """)
        let outcome = try await export(
            draft, to: directory.file("stream/main.m3u8"), in: directory, ["--set", "channels=1"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try String(contentsOfFile: directory.file("stream/main.m3u8"), encoding: .utf8).contains(#"CHANNELS="1""#))
        let report = try await check(directory.file("stream"))
        #expect(report.pictures.map(\.frames) == [1] && report.pictures.map(\.width) == [64])
    }

    @Test("Outputs and settings that a stream does not have are refused before anything is rendered")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let draft = try prepare(directory)
        let cases: [(output: String, options: [String], status: Int32, message: String)] = [
            ("film.mp4", ["--set", "fileType=hls"], 64, "a stream has several"),
            ("stream/", ["--set", "fileType=hls", "--start-number", "3"], 64, "--start-number numbers pictures"),
            ("stream/main.m3u8", ["--set", "renditions=720"], 65, "none may be larger than 180"),
            ("stream/main.m3u8", ["--set", "renditions=90,x"], 65, "must be the shorter sides"),
            ("stream/main.m3u8", ["--set", "renditions=90,90"], 65, "has a rendition twice"),
            ("film.mp4", ["--set", "renditions=90"], 65, "belongs to a stream"),
            ("stream/main.m3u8", ["--set", "fileSizeLimit=100000"], 65, "whose renditions have a quality"),
            ("stream/main.m3u8", ["--set", "colorRange=hdr"], 65, "hdr is not supported for a stream"),
            ("stream/main.m3u8", ["--set", "alpha=true"], 65, "alpha"),
            ("stream/main.m3u8", ["--set", "posterTime=1"], 65, "is not supported for a stream"),
            ("stream/main.m3u8", ["--provenance"], 64, "beside one film"),
            ("stream/", ["--set", "fileType=hls", "--provenance"], 64, "beside one film"),
            ("stream/pictures-180.m3u8", [], 64, "choose one such as film.m3u8"),
            ("stream/.m3u8", [], 64, "choose one such as film.m3u8"),
        ]
        for (output, options, status, message) in cases {
            let outcome = try await export(draft, to: directory.file(output), in: directory, options)
            #expect(outcome.status == status && outcome.errors.contains(message), "\(output) \(options): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("stream/main.m3u8")))
        // A playlist that exists stays where it is asked to.
        #expect(try await export(draft, to: directory.file("stream/"), in: directory, ["--set", "fileType=hls"]).status == 0)
        let kept = try await export(draft, to: directory.file("stream/main.m3u8"), in: directory, ["--no-overwrite"])
        #expect(kept.status == 73, "\(kept.errors)")
    }
}
