import TestSupport
import Testing
import FoundationEssentials

/// The tags of sources that films take over, as ffprobe reads them back.
@Suite struct SourceMetadataTests {
    private static func draft(_ directory: TemporaryDirectory, _ rule: String, _ more: String = "") async throws -> String {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=1", "-c:v", "libx264", "-preset", "ultrafast", "-movflags",
            "use_metadata_tags", "-metadata", "title=Holiday", "-metadata", "artist=Ann", "-metadata",
            "creation_time=2025-03-04T05:06:07Z", "-metadata", "com.apple.quicktime.make=Maker", "-metadata",
            "com.apple.quicktime.model=Phone 9", "-metadata", "location=+47.6062-122.3321/", "-metadata",
            "com.apple.quicktime.location.ISO6709=+47.6062-122.3321/", directory.file("clip.mov"),
        ])
        let field = rule.isEmpty ? "" : #""sourceMetadata": \#(rule), "#
        return #"{"version": 1, \#(field)\#(more)"mainTrackClips": [{"type": "av", "url": "clip.mov"}]}"#
    }

    private static func tags(_ film: String) async throws -> String {
        try await FFmpegTool.ffprobe(["-show_entries", "format_tags", "-of", "default=nw=1", film])
    }

    @Test("By default, and with none, a film has no tag of its sources", arguments: ["", #""none""#])
    func none(_ rule: String) async throws {
        let directory = try TemporaryDirectory()
        let tags = try await Self.tags(try await SpoolTool.export(try await Self.draft(directory, rule), in: directory))
        for word in ["Holiday", "Ann", "Maker", "Phone", "+47", "2025"] { #expect(!tags.contains(word)) }
    }

    @Test("first takes over what, who, when and by which device, and not where", arguments: ["mp4", "mov", "mkv"])
    func first(_ type: String) async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            try await Self.draft(directory, #""first""#), in: directory, name: "film.\(type)")
        let tags = try await Self.tags(film).lowercased()
        for text in [
            "title=holiday", "artist=ann", "com.apple.quicktime.make=maker", "com.apple.quicktime.model=phone 9",
            "creation_time=2025-03-04t05:06:07",
        ] {
            #expect(tags.contains(text), "\(text) in \(tags)")
        }
        #expect(!tags.contains("47.6062"))
    }

    @Test("Named tags are taken over, the location too, and the draft's own win")
    func named() async throws {
        let directory = try TemporaryDirectory()
        let film = try await SpoolTool.export(
            try await Self.draft(directory, #"["location", "artist", "title"]"#, #""title": "Mine", "#), in: directory,
            name: "film.mov")
        let tags = try await Self.tags(film)
        #expect(tags.contains("location=+47.6062-122.3321/") && tags.contains("artist=Ann") && tags.contains("title=Mine"))
        #expect(!tags.contains("Maker") && !tags.contains("Holiday"))
    }

    @Test("A file type that cannot hold a named tag is an error, and first leaves it out with a warning")
    func unsupported() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("draft.json")
        for (rule, status, message) in [
            (#"["title", "artist"]"#, Int32(65), "sourceMetadata[1]: 'artist' does not go into a ts file"),
            (#""first""#, 0, "sourceMetadata: leaves out artist, creation_time, make, model, which a ts file cannot hold"),
            (#""firts""#, 65, "sourceMetadata: 'firts' is not one of none, first"),
            (#"["title", "title"]"#, 65, "sourceMetadata[1]: 'title' is there already"),
        ] {
            try Data(try await Self.draft(directory, rule).utf8).write(to: URL(fileURLWithPath: path))
            let outcome = try await SpoolTool.run(["plan", path, "--cache", directory.file("cache"), "--set", "fileType=ts"])
            #expect(outcome.status == status)
            #expect((outcome.output + outcome.errors).contains(message), "\(outcome.errors)")
        }
    }
}
