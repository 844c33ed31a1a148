import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Files with several pictures and sounds: what the probe lists, what a draft chooses, and what the film has then. The
/// witnesses are ffprobe, and the colours and tones that `ffmpeg` decodes.
@Suite struct StreamChoiceTests {
    /// Two seconds with a red and a blue picture, and tones of 440, 880 and 1320 Hz in English, German and French.
    private static func write(_ directory: TemporaryDirectory, _ name: String = "several.mkv") async throws -> String {
        let path = directory.file(name)
        var arguments: [String] = []
        for color in ["red", "blue"] { arguments += ["-f", "lavfi", "-i", "color=\(color):size=160x90:rate=25:duration=2"] }
        for tone in [440, 880, 1320] {
            arguments += ["-f", "lavfi", "-i", "sine=frequency=\(tone):sample_rate=44100:duration=2"]
        }
        arguments += ["-map", "0:v", "-map", "1:v", "-map", "2:a", "-map", "3:a", "-map", "4:a", "-c:v", "libx264"]
        arguments += ["-preset", "ultrafast", "-c:a", name.hasSuffix("mkv") ? "flac" : "aac"]
        for (index, language) in ["eng", "deu", "fra"].enumerated() {
            arguments += ["-metadata:s:a:\(index)", "language=\(language)"]
        }
        arguments += ["-metadata:s:a:1", "title=Kommentar", "-metadata", "title=Several", "-disposition:a:1", "comment", path]
        try await FFmpegTool.ffmpeg(arguments)
        return path
    }

    @Test("The probe lists all streams with language, title, channels, disposition and tags", arguments: ["a.mkv", "a.mp4"])
    func listed(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let facts = try Probe.facts(ofFile: try await Self.write(directory, name))
        let streams = try #require(facts.streams)
        #expect(streams.map(\.kind) == [.video, .video, .audio, .audio, .audio])
        #expect(streams.map(\.index) == [0, 1, 2, 3, 4])
        #expect(streams.map(\.language) == [nil, nil, "eng", "deu", "fra"])
        #expect(
            streams[2].channels == 1 && streams[2].channelLayout == "mono" && streams[0].size == FrameSize(width: 160, height: 90)
        )
        #expect(facts.video?.streamIndex == 0 && facts.audio?.streamIndex == 2)
        #expect(facts.otherVideo?.map(\.streamIndex) == [1] && facts.otherVideo?.first?.frameCount == 50)
        #expect(facts.otherAudio?.map(\.streamIndex) == [3, 4])
        #expect(facts.otherAudio?.allSatisfy { abs($0.duration.doubleValue - 2) < 0.05 } == true)
        #expect(facts.tags?["title"] == "Several")
        if name == "a.mkv" {
            #expect(streams[3].title == "Kommentar" && streams[3].dispositions.contains("comment"))
        }
        let printed = try await SpoolTool.run(["probe", directory.file(name)])
        #expect(printed.output.contains("stream 3: audio") && printed.output.contains("plays where audioStream is 3"))
    }

    /// A choice, the colour that is seen, and the tone that is heard.
    struct Choice: Sendable, CustomTestStringConvertible {
        var fields: String
        var isBlue: Bool
        var tone: Double

        var testDescription: String { fields.isEmpty ? "nothing chosen" : fields }
    }

    private static let choices = [
        Choice(fields: "", isBlue: false, tone: 440),
        Choice(fields: #", "videoStream": 1"#, isBlue: true, tone: 440),
        Choice(fields: #", "audioStream": 4"#, isBlue: false, tone: 1320),
        Choice(fields: #", "audioStream": "DEU", "videoStream": "1""#, isBlue: true, tone: 880),
    ]

    @Test("A clip shows and plays the streams that it chooses", arguments: choices)
    func clips(_ choice: Choice) async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory)
        let film = try await SpoolTool.export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(source)"\#(choice.fields)}]}"#, in: directory)
        try await expect(film, choice)
    }

    @Test("A layer and an audio clip choose streams, too")
    func layersAndAudioClips() async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory)
        let layer =
            #"{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "video", "url": "\#(source)", "videoStream": 1, "audioStream": "fra"}}"#
        let shown = try await SpoolTool.export(
            #"{"version": 1, "videoSize": {"width": 160, "height": 90}, "frameRate": 25, "mainTrackClips": [{"type": "color", "duration": 2}], "layers": [\#(layer)]}"#,
            in: directory)
        try await expect(shown, Choice(fields: "", isBlue: true, tone: 1320))
        let heard = try await SpoolTool.export(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(source)", "muted": true}], "audioClips": [{"url": "\#(source)", "audioStream": 3}]}"#,
            in: directory, name: "heard.mp4")
        try await expect(heard, Choice(fields: "", isBlue: false, tone: 880))
    }

    @Test("Two clips of one file play different streams in one film, and a choice of sound renders no picture again")
    func bothAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory)
        func draft(_ sound: Int) -> String {
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(source)"}, {"type": "av", "url": "\#(source)", "videoStream": 1, "audioStream": \#(sound)}]}"#
        }
        let film = try await SpoolTool.export(draft(3), in: directory)
        #expect(try await color(of: film, at: 1).red > 150)
        #expect(try await color(of: film, at: 3).blue > 150)
        #expect(abs(try await tone(of: film, from: 0.5) - 440) < 8)
        #expect(abs(try await tone(of: film, from: 2.5) - 880) < 8)
        let path = directory.file("other.json")
        try Data(draft(4).utf8).write(to: URL(fileURLWithPath: path))
        let plan = try await SpoolTool.run(["plan", path, "--cache", directory.file("cache"), "--set", "encoderSpeed=ultrafast"])
        let pictures = plan.output.split(separator: "\n").filter { $0.hasPrefix("video") }
        #expect(
            !pictures.isEmpty && pictures.allSatisfy { $0.contains("reused") || $0.contains("cache") || $0.contains("there") })
    }

    @Test("Passthrough copies the chosen picture and the chosen sound")
    func passthrough() async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory, "several.mp4")
        let (draft, film) = (directory.file("draft.json"), directory.file("film.mp4"))
        try Data(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(source)", "videoStream": 1, "audioStream": 3}]}"#.utf8
        ).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(
            ["export", draft, "-o", film, "--preset", "passthrough", "--cache", directory.file("cache")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (kind, index) in [("v", 1), ("a", 3)] {
            let wanted = directory.file("wanted.\(kind)"), found = directory.file("found.\(kind)")
            try await FFmpegTool.ffmpeg([
                "-i", source, "-map", "0:\(index)", "-c", "copy", "-f", kind == "v" ? "h264" : "adts", wanted,
            ])
            try await FFmpegTool.ffmpeg([
                "-i", film, "-map", "0:\(kind):0", "-c", "copy", "-f", kind == "v" ? "h264" : "adts", found,
            ])
            let (left, right) = (
                try Data(contentsOf: URL(fileURLWithPath: wanted)), try Data(contentsOf: URL(fileURLWithPath: found))
            )
            #expect(left == right && !left.isEmpty, "the \(kind) stream is copied")
        }
    }

    @Test(
        "A stream that is not there is an error that lists those that are",
        arguments: [
            (#""videoStream": 2"#, "mainTrackClips[0].videoStream", "has no picture stream 2; it has 0 (160x90), 1 (160x90)"),
            (
                #""audioStream": 0"#, "mainTrackClips[0].audioStream",
                "has no sound stream 0; it has 2 (eng, mono), 3 (deu, 'Kommentar', mono), 4 (fra, mono)"
            ),
            (#""audioStream": "ita""#, "mainTrackClips[0].audioStream", "has no sound stream in the language 'ita'; it has"),
        ])
    func missing(_ field: String, _ place: String, _ message: String) async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory)
        let path = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(source)", \#(field)}]}"#.utf8)
            .write(to: URL(fileURLWithPath: path))
        let outcome = try await SpoolTool.run(["validate", path])
        #expect(outcome.status == 65)
        #expect((outcome.output + outcome.errors).contains("\(place): "))
        #expect((outcome.output + outcome.errors).contains(message))
    }

    @Test("A file with several streams of which none is chosen gives one warning for each kind")
    func unused() async throws {
        let directory = try TemporaryDirectory()
        let source = try await Self.write(directory)
        let path = directory.file("draft.json")
        func warnings(_ fields: String) async throws -> [String] {
            let clip = #"{"type": "av", "url": "\#(source)"\#(fields)}"#
            try Data(#"{"version": 1, "mainTrackClips": [\#(clip), \#(clip)]}"#.utf8).write(to: URL(fileURLWithPath: path))
            let outcome = try await SpoolTool.run(["validate", path])
            #expect(outcome.status == 0)
            return (outcome.output + outcome.errors).split(separator: "\n").map(String.init).filter { $0.contains(" streams; ") }
        }
        let both = try await warnings("")
        #expect(both.count == 2)
        #expect(
            both.contains {
                $0.contains("has 3 sound streams; 2 (eng, mono) plays, and not 3 (deu, 'Kommentar', mono), 4 (fra, mono)")
            })
        #expect(try await warnings(#", "videoStream": 0"#).count == 1)
        #expect(try await warnings(#", "videoStream": 0, "audioStream": "eng""#).isEmpty)
    }

    private func expect(_ film: String, _ choice: Choice) async throws {
        let color = try await color(of: film, at: 1)
        #expect(
            choice.isBlue ? color.blue > 150 && color.red < 60 : color.red > 150 && color.blue < 60, "the picture is \(color)")
        #expect(abs(try await tone(of: film, from: 0.5) - choice.tone) < 8)
    }

    private func color(of film: String, at time: Double) async throws -> (red: Int, blue: Int) {
        let path = "\(film).rgb"
        try await FFmpegTool.ffmpeg(
            [
                "-ss", "\(time)", "-i", film, "-map", "0:v:0", "-frames:v", "1", "-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt",
                "rgb24", path,
            ])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return (Int(bytes[0]), Int(bytes[2]))
    }

    /// The frequency of the first sound track for one second, by its zero crossings.
    private func tone(of film: String, from start: Double) async throws -> Double {
        try await soundTone(of: film, track: 0, from: start)
    }
}

/// The frequency of a pure tone in hertz during one second of a film's sound track, by its zero crossings; 0 for silence.
func soundTone(of film: String, track: Int, from start: Double) async throws -> Double {
    let path = "\(film).\(track).pcm"
    try await FFmpegTool.ffmpeg(
        [
            "-i", film, "-map", "0:a:\(track)", "-af", "atrim=\(start):\(start + 1)", "-ac", "1", "-ar", "44100", "-f", "s16le",
            path,
        ])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    guard samples.contains(where: { abs(Int($0)) > 300 }) else { return 0 }
    let crossings = zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    return Double(crossings) * 44100 / Double(samples.count)
}
