import TestSupport
import Testing
import FoundationEssentials

/// Films with several sound tracks: what ffprobe says of them, and the tones that are in each.
@Suite struct AudioTrackTests {
    private static let files = ["mp4", "mov", "mkv", "webm", "ts"]

    /// Writes a picture with a tone of 300 Hz, and music and two voices of 600, 900 and 1500 Hz.
    private static func draft(_ directory: TemporaryDirectory, _ tracks: String, _ more: String = "") async throws -> String {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=3", "-f", "lavfi", "-i",
            "sine=frequency=300:sample_rate=44100:duration=3", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac",
            directory.file("clip.mkv"),
        ])
        for (name, tone) in [("music", 600), ("english", 900), ("german", 1500)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "sine=frequency=\(tone):sample_rate=44100:duration=3", directory.file("\(name).wav"),
            ])
        }
        return #"""
            {"version": 1, "mainTrackClips": [{"type": "av", "id": "clip", "url": "clip.mkv"}],
             "audioClips": [{"id": "music", "url": "music.wav"}, {"id": "english", "url": "english.wav"},
                            {"id": "german", "url": "german.wav"}],
             "audioTracks": [\#(tracks)]\#(more)}
            """#
    }

    private static let languages = #"""
        {"language": "eng", "title": "English", "mix": ["english"]},
        {"language": "deu", "title": "Deutsch", "mix": ["german"]},
        {"title": "Music only", "without": ["clip", "english", "german"]}
        """#

    @Test("Each track has its own mix, its language and its title, and the first one is the default", arguments: files)
    func tracks(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            try await Self.draft(directory, Self.languages), in: directory, name: "film.\(type)",
            type == "webm" ? ["--set", "videoCodec=vp9"] : [])
        for (track, tone) in [900.0, 1500, 600].enumerated() {
            #expect(abs(try await soundTone(of: film, track: track, from: 1) - tone) < 12, "track \(track)")
        }
        let text = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=codec_type:stream_tags=language,title,handler_name:stream_disposition=default", "-of",
            "compact", film,
        ])
        // A transport stream's streams are listed with their program once more.
        let sounds = Array(text.split(separator: "\n").filter { $0.contains("codec_type=audio") }.suffix(3))
        #expect(sounds.count == 3)
        #expect(
            sounds[0].contains("language=eng") && sounds[1].contains("language=\(type == "mov" ? "ger" : "deu")")
                || sounds[1].contains("language=deu"))
        guard type != "ts" else { return }
        #expect(sounds[0].contains("English") && sounds[1].contains("Deutsch") && sounds[2].contains("Music only"))
        #expect(sounds.map { $0.contains("default=1") } == [true, false, false])
    }

    @Test("A track without a list has everything, and the film has the same bytes with one and two rendering processes")
    func everything() async throws {
        let directory = try TemporaryDirectory()
        let text = try await Self.draft(directory, #"{}, {"language": "deu", "mix": ["clip", "german"]}, {}"#)
        var films: [Data] = []
        for jobs in ["1", "2"] {
            let film = try await SpoolTool.export(
                text, in: directory, name: "film\(jobs).mkv", ["--jobs", jobs, "--cache", directory.file("cache\(jobs)")])
            films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
        }
        #expect(films[0] == films[1])
        let only = try await SpoolTool.export(
            try await Self.draft(directory, "{}").replacing(#", "audioTracks": [{}]"#, with: ""), in: directory, name: "only.mkv")
        // The same mix is encoded once and is in the film twice.
        var tracks: [Data] = []
        for (film, track) in [(only, 0), (directory.file("film1.mkv"), 0), (directory.file("film1.mkv"), 2)] {
            let path = directory.file("track.pcm")
            try await FFmpegTool.ffmpeg(["-y", "-i", film, "-map", "0:a:\(track)", "-f", "s16le", path])
            tracks.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(tracks[0] == tracks[1] && tracks[0] == tracks[2] && tracks[0].count > 100_000)
    }

    @Test("A film with several tracks stays within its greatest size")
    func sizeLimit() async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            try await Self.draft(directory, Self.languages), in: directory, ["--set", "fileSizeLimit=400000"])
        let size = try Data(contentsOf: URL(fileURLWithPath: film)).count
        #expect(size <= 400_000 && size > 150_000, "\(size) bytes")
    }

    @Test(
        "Faults of tracks name their place",
        arguments: [
            (
                #"{"mix": ["musik"]}"#, "",
                "audioTracks[0].mix[0]: 'musik' is not the id of a clip, an audio clip or a video layer; did you mean 'music'?"
            ),
            (#"{"mix": ["music"], "without": []}"#, "", "audioTracks[0].without: cannot be combined with mix"),
            (#"{"language": "german"}"#, "", "audioTracks[0].language: must be three lower-case letters"),
            (#"{}"#, "fileType=wav", "audioTracks: do not go into a wav file"),
            (#"{}"#, "preset=passthrough", "audioTracks: are mixed, and passthrough copies"),
        ])
    func faults(_ track: String, _ setting: String, _ message: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("draft.json")
        try Data(try await Self.draft(directory, track).utf8).write(to: URL(fileURLWithPath: path))
        let settings = setting.hasPrefix("preset") ? ["--preset", "passthrough"] : setting.isEmpty ? [] : ["--set", setting]
        let outcome = try await SpoolTool.run(["plan", path, "--cache", directory.file("cache")] + settings)
        #expect(outcome.status == 65)
        #expect((outcome.output + outcome.errors).contains(message), "\(outcome.errors)")
    }
}
