import ExactTime
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Every command fails when its result cannot be written.
@Suite("Standard output")
struct StandardOutputTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("clip.mp4", in: directory, rate: FrameRate(25), frames: 10)
        for (name, text) in [
            ("d.json", #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "clip.mp4"}]}"#), ("patch.json", "[]"),
            ("faulty.json", "{}"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
        }
    }

    private func spool(_ words: String, _ rest: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "cd '\(directory.path)'; export XDG_CACHE_HOME='\(directory.path)'; '\(SpoolTool.executable)' \(words) \(rest)")
    }

    /// One or two commands of each kind that needs no farm.
    private static let commands = [
        "edit d.json --patch patch.json", "edit d.json --patch patch.json -o d.json", "validate d.json", "validate d.json --json",
        "plan d.json", "plan d.json --json", "plan d.json --explain", "composition d.json", "composition d.json --json",
        "clips d.json", "clips d.json --json", "time d.json", "time d.json --json", "probe clip.mp4", "probe clip.mp4 --json",
        "frame d.json --time 0 -o f.png", "thumbnails d.json -o t.png", "snapshots d.json --count 2 -o s",
        "snapshots d.json --count 2 -o s --json", "waveform d.json --json", "waveform d.json -o w.png", "export d.json -o f.mp4",
        "export d.json -o f.mp4 --json", "export d.json -o -",
        "frame d.json --time 0 -o -", "thumbnails d.json -o -", "operations", "operations --json", "fonts", "fonts --json",
        "plugins nonesuch --help",
        "doctor --json", "record new party", "bench --jobs 1 --exports 1 --tenants 1", "--help", "help export", "--version",
    ]

    @Test("Standard output that cannot be written is an error with the exit code of a full disk", arguments: commands)
    func full(_ words: String) async throws {
        let outcome = try await spool(words, "> /dev/full")
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(
            outcome.errors.hasSuffix("error: standard output cannot be written: No space left on device\n"), "\(outcome.errors)")
    }

    @Test("Closed standard output is an error, and no file is written instead", arguments: commands.prefix(3))
    func closed(_ words: String) async throws {
        let outcome = try await spool(words, ">&-")
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("error: standard output cannot be written: Bad file descriptor\n"), "\(outcome.errors)")
        let draft = try String(contentsOfFile: directory.file("d.json"), encoding: .utf8)
        #expect(draft.hasPrefix("{") && draft.contains("clip.mp4") && !draft.contains("frames"))
    }

    @Test("A film on standard output has the bytes of the same film in a file, in every container")
    func films() async throws {
        for container in FormatCatalogue.containers {
            let type = container.type
            let isArchive = container.isArchive
            if isArchive { _ = try await ShellTool.run("rm -f '\(directory.file("f.tar"))'") }
            let name = isArchive ? "-o f.tar --set fileType=\(type)" : "-o 'f.\(type)'"
            let file = try await spool("export d.json \(name)", "2>&1")
            #expect(file.status == 0, "\(file.output)")
            let piped = try await spool("export d.json --set 'fileType=\(type)' -o -", "| cat > out")
            #expect(piped.status == 0, "\(piped.errors)")
            let bytes = FileManager.default.contents(atPath: directory.file("out"))
            #expect(
                bytes != nil && bytes == FileManager.default.contents(atPath: directory.file("f.\(container.suffixes[0])")),
                "\(type)")
        }
        let usual = try await spool("export d.json -o -", "> out")
        #expect(usual.status == 0 && usual.output.isEmpty)
        #expect(
            FileManager.default.contents(atPath: directory.file("out"))
                == FileManager.default.contents(atPath: directory.file("f.mp4")))
        let left = try await ShellTool.run("find '\(directory.path)' -name '-' -o -path '*/spool/tmp/*'")
        #expect(left.output.isEmpty, "no file is called '-', and nothing is left in the cache: \(left.output)")
    }

    @Test(
        "What standard output cannot take is refused",
        arguments: [
            ("export d.json -o - --json", "--json and -o -"),
            ("export d.json -o - --set posterTime=0", "room for the film alone"),
        ])
    func refused(words: String, message: String) async throws {
        let outcome = try await spool(words, "")
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("A name that does not say which type of file to write is refused with the list of those that do")
    func unknownType() async throws {
        for name in ["film", "film.xyz", "film.jpg", "folder.mp4/film", ".mp4/film"] {
            _ = try await ShellTool.run("mkdir -p '\(directory.file("folder.mp4"))' '\(directory.file(".mp4"))'")
            let outcome = try await spool("export d.json -o \(name)", "")
            #expect(outcome.status == 64 && outcome.errors.contains(".mp4, .mov, .webm"), "\(name): \(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: directory.file(name)))
            #expect(try await spool("export d.json --set fileType=mkv -o \(name)", "").status == 0)
        }
    }

    @Test("Standard output whose reader has gone ends a command quietly when its work is done")
    func pipe() async throws {
        let outcome = try await spool("export d.json -o f.mp4", "2> errors | true; echo ${PIPESTATUS[0]}")
        #expect(outcome.output == "141\n")
        #expect(try !String(contentsOfFile: directory.file("errors"), encoding: .utf8).contains("error"))
        #expect(FileManager.default.fileExists(atPath: directory.file("f.mp4")))
    }

    @Test("Standard output that fails hides no failure of the command itself")
    func ownFailure() async throws {
        let outcome = try await spool("validate faulty.json --json", "> /dev/full")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("standard output cannot be written"))
    }
}
