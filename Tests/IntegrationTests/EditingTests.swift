import ExactTime
import Testing
import TestSupport
import FoundationEssentials

/// Commands for editors: patches, the state of clips, snapshots.
@Suite struct EditingTests {
    private struct Clip: Decodable {
        var url: String
        var isExported: Bool
        var dateExported: Date?
    }

    private struct Snapshot: Decodable {
        var timestamp: String
        var frame: Int
        var path: String
    }

    private func write(_ text: String, _ name: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func draft(in directory: TemporaryDirectory) throws -> String {
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 150)
        return try write(
            """
            {"version": 1, "frameRate": 30, "timeRange": {"start": 1, "duration": 2}, "mainTrackClips": [
              {"type": "av", "url": "n.mp4", "timeRange": {"start": 0, "duration": 2}},
              {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 2}}]}
            """, "draft.json", in: directory)
    }

    @Test("A patched draft is written when it is valid, otherwise nothing is written")
    func edit() async throws {
        let directory = try TemporaryDirectory()
        let draft = try draft(in: directory)
        let before = try String(contentsOfFile: draft, encoding: .utf8)
        let wrong = try write(
            #"[{"op": "replace", "path": "/mainTrackClips/1/timeRange/start", "value": 9}]"#, "wrong.json", in: directory)
        let refused = try await SpoolTool.run(["edit", draft, "--patch", wrong, "-o", draft])
        #expect(refused.status == 65 && refused.errors.contains("mainTrackClips[1].timeRange"))
        let impossible = try write(#"[{"op": "remove", "path": "/mainTrackClips/7"}]"#, "impossible.json", in: directory)
        let failed = try await SpoolTool.run(["edit", draft, "--patch", impossible, "-o", draft])
        #expect(failed.status == 65 && failed.errors.contains("[0]: there is no '/mainTrackClips/7'"))
        #expect(try String(contentsOfFile: draft, encoding: .utf8) == before)

        let right = try write(
            """
            [{"op": "remove", "path": "/timeRange"}, {"op": "remove", "path": "/mainTrackClips/0"},
             {"op": "add", "path": "/mainTrackClips/-", "value": {"type": "av", "url": "n.mp4", "timeRange": {"start": 1, "duration": 1}}}]
            """, "right.json", in: directory)
        let done = try await SpoolTool.run(["edit", draft, "--patch", right, "-o", draft])
        #expect(done.status == 0 && done.output.contains("90 frames"), "\(done.errors)")
        let film = try await SpoolTool.export(try String(contentsOfFile: draft, encoding: .utf8), in: directory)
        #expect(try await SourceClips.numbers(of: film) == Array(90..<150) + Array(30..<60))
    }

    @Test("A clip is exported once all its segments are, and no longer after a change")
    func exported() async throws {
        let directory = try TemporaryDirectory()
        let draft = try draft(in: directory)
        func clips() async throws -> [Clip] {
            let outcome = try await SpoolTool.run(["clips", draft, "--json", "--cache", directory.file("cache")])
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode([Clip].self, from: Data(outcome.output.utf8))
        }
        #expect(try await clips().map(\.isExported) == [false, false])
        let begun = Date().addingTimeInterval(-2)
        let outcome = try await SpoolTool.run(
            ["export", draft, "-o", directory.file("film.mp4"), "--cache", directory.file("cache")])
        #expect(outcome.status == 0)
        let after = try await clips()
        #expect(after.map(\.isExported) == [true, true])
        #expect(after.allSatisfy { $0.dateExported.map { $0 >= begun && $0 <= Date() } == true })
        let patch = try write(
            #"[{"op": "add", "path": "/mainTrackClips/1/opacity", "value": 0.5}]"#, "patch.json", in: directory)
        _ = try await SpoolTool.run(["edit", draft, "--patch", patch, "-o", draft])
        #expect(try await clips().map(\.isExported) == [true, false])
    }

    @Test("Snapshots are the middle frames of equal parts, of the draft's range or of the whole")
    func snapshots() async throws {
        let directory = try TemporaryDirectory()
        let draft = try draft(in: directory)
        for (options, frames) in [([], [7, 22, 37, 52]), (["--whole"], [15, 45, 75, 105])] {
            let outcome = try await SpoolTool.run(
                ["snapshots", draft, "--count", "4", "--json", "-o", directory.file("shots")] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let found = try JSONDecoder().decode([Snapshot].self, from: Data(outcome.output.utf8))
            #expect(found.map(\.frame) == frames)
            #expect(found.map { $0.path.split(separator: "/").last } == (1...4).map { "snapshot-\($0).png" })
            let single = directory.file("single.png")
            let time = "\(frames[2])/30"
            guard options.isEmpty else { continue }
            _ = try await SpoolTool.run(["frame", draft, "--time", time, "-o", single])
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: single)) == Data(contentsOf: URL(fileURLWithPath: found[2].path)))
        }
    }

    @Test("One clip's own film is what the clip alone says, and its filters can be left out")
    func oneClip() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("n.mp4", in: directory, rate: FrameRate(30), frames: 150)
        let clips = """
            {"type": "av", "url": "n.mp4", "timeRange": {"start": 0, "duration": 2}, "when": "{{all}}"},
              {"id": "second", "type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 1}, "speed": 2,
                "filters": [{"type": "invert"}], "transition": {"duration": 0.25}}
            """
        let whole = try write(
            """
            {"version": 1, "frameRate": 30, "parameters": {"all": "false"}, "mainTrackClips": [
              {"type": "av", "url": "n.mp4"}, \(clips)],
             "effects": [{"type": "speed", "speed": 2}], "timeRange": {"start": 0, "duration": 1},
             "layers": [{"timeRange": {"start": 0, "duration": 9}, "source": {"type": "solid", "color": "#FF0000"}}]}
            """, "whole.json", in: directory)
        let alone = try write(
            """
            {"version": 1, "frameRate": 30, "mainTrackClips": [
              {"type": "av", "url": "n.mp4", "timeRange": {"start": 3, "duration": 1}, "speed": 2, "filters": [{"type": "invert"}]}]}
            """, "alone.json", in: directory)
        func film(_ draft: String, _ name: String, _ options: [String] = []) async throws -> Data {
            let path = directory.file(name)
            let outcome = try await SpoolTool.run(
                ["export", draft, "-o", path, "--cache", directory.file("cache"), "--set", "encoderSpeed=ultrafast"] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let wanted = try await film(alone, "alone.mp4")
        #expect(try await film(whole, "id.mp4", ["--clip", "second"]) == wanted)
        // Places are those of the document, in which the second clip is removed by its condition.
        #expect(try await film(whole, "index.mp4", ["--clip", "2"]) == wanted)
        let plain = directory.file("plain.mp4")
        _ = try await film(whole, "plain.mp4", ["--clip", "second", "--no-filters"])
        #expect(try await SourceClips.numbers(of: plain) == (0..<15).map { 90 + 2 * $0 })
        for missing in ["1", "3", "third"] {
            let outcome = try await SpoolTool.run([
                "export", whole, "-o", directory.file("no.mp4"), "--clip", missing, "--cache", directory.file("cache"),
            ])
            #expect(outcome.status == 64 && outcome.errors.contains("no clip '\(missing)'"), "\(outcome.errors)")
        }
    }

    @Test("Presets are listed with what they make, or why they do not fit")
    func presets() async throws {
        struct Entry: Decodable {
            struct Fault: Decodable { var path: String }
            var preset: String
            var fits: Bool
            var width: Int?
            var errors: [Fault]
        }
        let directory = try TemporaryDirectory()
        let draft = try draft(in: directory)
        let outcome = try await SpoolTool.run([
            "presets", draft, "--json", "--set", "fileType=mp4", "--cache", directory.file("cache"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let entries = try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
        #expect(entries.count == 15)
        let fitting = entries.filter(\.fits).map(\.preset)
        #expect(fitting.contains("1280x720") && fitting.contains("passthrough") == false && !fitting.contains("proRes422"))
        #expect(entries.allSatisfy { $0.fits == $0.errors.isEmpty })
        #expect(entries.first { $0.preset == "proRes422" }?.errors.first?.path == "settings.fileType")
        let text = try await SpoolTool.run(["presets", draft, "--cache", directory.file("cache")])
        #expect(text.output.contains("highestQuality") && text.output.contains("does not fit"), "\(text.output)")
    }
}
