import TestSupport
import Testing
import FoundationEssentials

/// Export settings in files: those in `config/presets`, and faulty ones.
@Suite struct PresetFileTests {
    private static let presets = SpoolTool.root + "/config/presets"

    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: presets)) ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted()
    }()

    private static let draft = ##"""
        {"version": 1, "videoSize": {"width": 1080, "height": 1920}, "frameRate": 30, "mainTrackClips": [{"type": "color", "color": "#336699", "duration": 0.5}]}
        """##

    @Test("There are files for networks")
    func present() { #expect(Self.names.count >= 4) }

    @Test("A film with the settings of a network has the codecs, the sample rate and the size that they name", arguments: names)
    func films(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            Self.draft, in: directory, ["--settings", "\(Self.presets)/\(name)", "--set", "encoderSpeed=veryfast"])
        let found = try await FFmpegTool.ffprobe([
            "-show_entries", "stream=codec_name,profile,width,height,sample_rate,channels", "-of", "compact=nk=0", film,
        ])
        #expect(found.contains("codec_name=h264|profile=High") && found.contains("codec_name=aac"), "\(found)")
        #expect(found.contains("sample_rate=48000|channels=2"))
        #expect(found.contains(name.hasPrefix("x-") ? "width=720|height=1280" : "width=1080|height=1920"))
    }

    @Test("--set and --preset count before the file, and faults name the setting or the file")
    func precedence() async throws {
        let directory = try TemporaryDirectory()
        let (draft, file) = (directory.file("draft.json"), directory.file("settings.json"))
        try Data(Self.draft.utf8).write(to: URL(fileURLWithPath: draft))
        func plan(_ settings: String, _ words: [String] = []) async throws -> SpoolTool.Outcome {
            try Data(settings.utf8).write(to: URL(fileURLWithPath: file))
            return try await SpoolTool.run(
                ["plan", draft, "--json", "--settings", file, "--cache", directory.file("cache")] + words)
        }
        let own = try await plan(#"{"preset": "640x480", "videoQuality": 30, "optimizeForNetworkUse": false}"#)
        #expect(own.status == 0 && own.output.contains("\"constantRateFactor\" : 30"), "\(own.errors)")
        let set = try await plan(#"{"preset": "640x480", "videoQuality": 30}"#, ["--set", "videoQuality=25"])
        #expect(set.output.contains("\"constantRateFactor\" : 25") && !set.output.contains("\"constantRateFactor\" : 30"))
        let unknown = try await plan(#"{"videoQualty": 30}"#)
        #expect(unknown.status == 65 && unknown.errors.contains("settings.videoQualty"), "\(unknown.errors)")
        for text in ["[]", "{", #"{"preset": {}}"#, ""] {
            let faulty = try await plan(text)
            #expect(
                faulty.status == 65 && faulty.errors.contains("is not a JSON object of export settings"),
                "\(text): \(faulty.errors)")
        }
        let missing = try await SpoolTool.run(["plan", draft, "--settings", directory.file("none.json")])
        #expect(missing.status == 65 && missing.errors.contains("does not exist"))
    }
}
