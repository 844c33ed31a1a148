import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Inputs of a command line that cannot be used are reported with the path, the reason and a remedy.
@Suite struct InputFileTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("clip.mp4", in: directory, rate: FrameRate(25), frames: 5)
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "clip.mp4"}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
        try Data("a file".utf8).write(to: URL(fileURLWithPath: directory.file("file")))
        _ = try await ShellTool.run("mkfifo '\(directory.file("fifo"))'; mkdir '\(directory.file("folder"))'")
    }

    private func shell(_ line: String) async throws -> SpoolTool.Outcome {
        try await ShellTool.run(
            "cd '\(directory.path)'; export XDG_CACHE_HOME='\(directory.path)'; spool() { '\(SpoolTool.executable)' \"$@\"; }; \(line)"
        )
    }

    @Test(
        "A path that is not a file is reported with its kind and with how to name standard input",
        arguments: [
            ("spool validate fifo", "'fifo' is a FIFO, not a file"),
            ("spool validate folder", "'folder' is a directory, not a file"),
            ("cat d.json | spool validate /dev/stdin", "'/dev/stdin' is a FIFO, not a file"),
            ("spool submit fifo --server http://127.0.0.1:1 --token t", "'fifo' is a FIFO, not a file"),
            ("spool edit d.json --patch folder", "'folder' is a directory, not a file"),
        ])
    func kinds(_ line: String, _ words: String) async throws {
        let outcome = try await shell(line)
        #expect(outcome.status == 65)
        #expect(outcome.errors == "error: \(words); name a file, or - to read standard input\n")
        #expect(try await shell("spool validate - < d.json").status == 0)
        #expect(try await shell("spool validate - < folder").errors == "error: standard input cannot be read: Is a directory\n")
    }

    @Test("A path that cannot be a cache is reported with the reason")
    func cache() async throws {
        for command in ["validate d.json", "probe clip.mp4", "plugins", "export d.json -o film.mp4"] {
            let file = try await shell("spool \(command) --cache file")
            #expect(file.status == 73)
            #expect(
                file.errors
                    == "error: the cache 'file' cannot be used: 'file/tmp' cannot be created: Not a directory; name another directory with --cache\n"
            )
            let empty = try await shell("spool \(command) --cache ''")
            #expect(empty.status == 64)
            #expect(empty.errors.contains("--cache must name a directory"), "\(empty.errors)")
        }
    }

    @Test("An argument that is not UTF-8 is a usage error, and never means a file with another name")
    func encoding() async throws {
        let meant = directory.file("n\u{FFFD}.mp4")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: meant))
        let outcome = try await shell(#"spool export d.json -o $'n\xff.mp4'"#)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix(#"error: argument 4, $'n\xff.mp4', is not valid UTF-8; "#), "\(outcome.errors)")
        #expect(try String(contentsOfFile: meant, encoding: .utf8) == "kept")
        #expect(try await shell(#"spool frame d.json --time 0 -o 'ñandú.png'"#).status == 0)
    }

    @Test(
        "A damaged recording is reported with its file, what is wrong in it, and a remedy",
        arguments: [
            ("{\"version\": 1,", "it is not JSON"), ("[]", "it is not an object"),
            (#"{"version": 1, "recording": {}}"#, "it has no 'recording."),
            (#"{"version": "one"}"#, "'version' has the wrong type"),
        ])
    func recording(_ text: String, _ words: String) async throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("folder/recording.json")))
        for command in ["status folder", "append folder clip.mp4", "finish folder"] {
            let outcome = try await shell("spool record \(command)")
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.hasPrefix("error: '\(directory.path)/folder/recording.json' is damaged: \(words)"),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("; restore the file from a copy"), "\(outcome.errors)")
        }
    }
}
