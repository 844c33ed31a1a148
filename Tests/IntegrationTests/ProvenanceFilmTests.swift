import ExactTime
import FoundationEssentials
import TestSupport
import Testing

/// `spool export --provenance` says how a film was made, `spool verify` checks it, and `spool reproduce` makes it again.
@Suite("Films with their provenance")
struct ProvenanceFilmTests {
    private struct Provenance: Decodable {
        struct Job: Decodable {
            var key: String
            var kind: String
            var seconds: Double?
        }

        struct Source: Decodable {
            var location: String
        }

        struct Font: Decodable {
            var name: String
        }

        struct File: Decodable {
            var sha256: String
        }

        var film: File
        var jobs: [Job]
        var sources: [Source]
        var fonts: [Font]
    }

    private let directory: TemporaryDirectory
    private var film: String { directory.file("film.mp4") }
    private var record: String { film + ".provenance.json" }

    init() throws {
        directory = try TemporaryDirectory()
        try makeSource(frames: 50)
        try Data(
            """
            {"version": 1, "videoSize": {"width": 160, "height": 90}, "frameRate": 25, "mainTrackClips": [
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0, "duration": 1}},
              {"type": "av", "url": "a.mp4", "timeRange": {"start": 0.5, "duration": 1},
               "transition": {"type": "dissolve", "duration": 0.4}}],
             "layers": [{"timeRange": {"start": 0, "duration": 1},
               "source": {"type": "text", "text": "{{name}}", "font": "DejaVu Sans 20"}}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    private func makeSource(frames: Int) throws {
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: frames, sampleRate: 48_000)
    }

    private func export(_ options: [String] = []) async throws {
        let outcome = try await SpoolTool.run(
            ["export", directory.file("draft.json"), "-o", film, "--param", "name=Anna", "--provenance"]
                + ["--cache", directory.file("cache")] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func reproduce(_ options: [String] = []) async throws -> SpoolTool.Outcome {
        try await SpoolTool.run(["reproduce", record, "--cache", directory.file("other")] + options)
    }

    /// The files and folders of the test's directory.
    private func contents() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: directory.path) }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func read() throws -> Provenance {
        try JSONDecoder().decode(Provenance.self, from: bytes(record))
    }

    /// Changes the provenance with a filter of jq.
    private func change(_ filter: String) async throws {
        let changed = directory.file("changed.json")
        let outcome = try await ShellTool.run("jq '\(filter)' '\(record)' > '\(changed)' && mv '\(changed)' '\(record)'")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("A film is made again with the same bytes, from an empty cache and with another number of processes")
    func again() async throws {
        try await export()
        let rendered = try read()
        #expect(rendered.jobs.allSatisfy { $0.seconds != nil } && rendered.jobs.last?.kind == "stitch")
        #expect(rendered.sources.map(\.location) == ["a.mp4"])
        #expect(rendered.fonts.map(\.name) == ["DejaVuSans"])
        let outcome = try await reproduce(["--jobs", "1", "-o", directory.file("again.mp4")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("film.mp4: the same "))
        #expect(try bytes(film) == bytes(directory.file("again.mp4")))
        // The same export again reuses all segments, and says so.
        try await export()
        let reused = try read()
        #expect(reused.jobs.map(\.key) == rendered.jobs.map(\.key))
        #expect(reused.jobs.allSatisfy { $0.seconds == nil || $0.kind == "stitch" })
        #expect(try await reproduce().status == 0)
    }

    @Test("Nothing that reproduce makes stays, and a missing cache directory is no fault")
    func leftovers() async throws {
        try await export()
        let before = try contents()
        #expect(try await reproduce().status == 0)
        let after = try contents().filter { !before.contains($0) && $0 != "other" && $0 != "other/tmp" }
        #expect(after.isEmpty, "\(after)")
    }

    @Test("A film with one changed byte, and a missing picture beside it, are named by verify")
    func changed() async throws {
        try await export(["--set", "posterTime=0.5"])
        let poster = directory.file("film.poster.jpg")
        let good = try await SpoolTool.run(["verify", film])
        #expect(good.status == 0 && good.output.split(separator: "\n").count == 2, "\(good.errors)")
        var changed = try bytes(film)
        changed[changed.count / 2] ^= 1
        try changed.write(to: URL(fileURLWithPath: film))
        try FileManager.default.removeItem(atPath: poster)
        let bad = try await SpoolTool.run(["verify", film])
        #expect(bad.status == 65)
        #expect(bad.errors.contains("'\(film)' has the sha256 ") && bad.errors.contains("'\(poster)' is missing"))
        #expect(bad.errors.contains("; 'spool reproduce' makes the film again"), "\(bad.errors)")
    }

    @Test("A source with another content is named before anything is rendered, and the folder can be another one")
    func sources() async throws {
        try await export()
        try FileManager.default.createDirectory(atPath: directory.file("moved"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: directory.file("a.mp4"), toPath: directory.file("moved/a.mp4"))
        #expect(try await reproduce().status == 65)
        #expect(try await reproduce(["--folder", directory.file("moved")]).status == 0)
        try makeSource(frames: 60)
        let changed = try await reproduce()
        #expect(changed.status == 65)
        #expect(
            changed.errors.contains("'a.mp4' does not have the content that the film was made of, sha256 "),
            "\(changed.errors)")
        #expect(
            changed.errors.contains("; put the files back, or name their directory with --folder"), "\(changed.errors)")
    }

    @Test("A provenance of another renderer, and a file that is none, are refused with the reason")
    func foreign() async throws {
        try await export()
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try text.replacing("DejaVuSans\"", with: "NoSuchFont\"").write(toFile: record, atomically: true, encoding: .utf8)
        let font = try await reproduce()
        #expect(font.status == 65 && font.errors.contains("the font NoSuchFont, sha256 "), "\(font.errors)")
        #expect(font.errors.hasSuffix(", is not here; install the fonts that the film was made with\n"), "\(font.errors)")
        try text.replacing(/"renderer" : \d+/, with: #""renderer" : 1"#)
            .write(toFile: record, atomically: true, encoding: .utf8)
        let other = try await reproduce()
        #expect(other.status == 69 && other.errors.contains("the film was made by version 1 of the renderer"))
        try "{}".write(toFile: record, atomically: true, encoding: .utf8)
        let none = try await SpoolTool.run(["verify", film])
        #expect(none.status == 65 && none.errors.contains("is no provenance: it has no 'version'"))
        let stream = try await SpoolTool.run(["export", directory.file("draft.json"), "-o", "-", "--provenance"])
        #expect(stream.status == 64 && stream.errors.contains("name a film with -o"))
    }

    @Test("A film that comes out otherwise is told with both hashes and what to compare")
    func otherBytes() async throws {
        try await export()
        let made = try read()
        let zeros = String(repeating: "0", count: 64)
        let beginning = "error: the new film has the sha256 \(made.film.sha256), and '\(record)' says \(zeros); "
        try await change(#".film.sha256 = "\#(zeros)""#)
        let film = try await reproduce()
        #expect(film.status == 65)
        #expect(
            film.errors.hasSuffix(
                beginning
                    + "the plan is the same, so compare the versions of the libraries, 'program' there and 'spool --version'\n"),
            "\(film.errors)")
        try await change(#".jobs[0].key = "\#(zeros)""#)
        let plan = try await reproduce()
        #expect(plan.status == 65)
        #expect(
            plan.errors.hasSuffix(
                beginning
                    + "1 of \(made.jobs.count) artifacts of the plan have other keys; use the version of spool that 'program' "
                    + "there names\n"), "\(plan.errors)")
    }

    @Test("Files of a farm's film that are nowhere are named with where to get them")
    func farm() async throws {
        try await export()
        try await change(
            #"""
            .sources[0].sha256 as $sha | .sources[0].location = "asset:" + $sha | .draft.document |= gsub("a.mp4"; "asset:" + $sha)
              | .export = {"id": "e", "label": "", "farm": "f"} | .film.sha256 = "0"
            """#)
        let asset = try #require(try read().sources.first?.location)
        let nowhere = try await reproduce()
        #expect(nowhere.status == 65)
        #expect(nowhere.errors.hasPrefix("error: '\(asset)' (a file without a name, "), "\(nowhere.errors)")
        #expect(
            nowhere.errors.hasSuffix(
                ") is not on this machine, and no farm is named; name the one that has them with SPOOL_SERVER and SPOOL_TOKEN, or "
                    + "their folder with --folder\n"), "\(nowhere.errors)")
        // It has nothing at the addresses of a farm's assets.
        let server = try await FileServer(directory.path)
        let lacking = try await reproduce(["--server", server.address, "--token", "t"])
        #expect(lacking.status == 65)
        #expect(
            lacking.errors.hasSuffix(
                ") is neither on this machine nor on the farm at \(server.address); name the folder that has the files with "
                    + "--folder\n"), "\(lacking.errors)")
        let other = try await reproduce(["--folder", directory.path])
        #expect(other.status == 65)
        #expect(
            other.errors.hasSuffix(
                "; the plan is the same, so compare the versions of the libraries, 'spool --version' on a worker and here\n"),
            "\(other.errors)")
    }
}
