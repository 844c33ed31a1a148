import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// A file that is created under an output's name while a command works. `--no-overwrite` keeps it, as it keeps a file
/// that existed before.
@Suite struct LateFileTests {
    private let directory: TemporaryDirectory
    private let draft: String

    init() throws {
        directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("beach.mp4", in: directory, rate: FrameRate(25), frames: 10)
        draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "beach.mp4"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
    }

    /// A program that replaces the renderer: it creates a file when it gets its first job, and then runs the renderer.
    /// By then the command has checked that no such file exists.
    /// - Parameter ignoresProbes: whether probes do not count as the first job.
    private func interferingRenderer(creating file: String, ignoresProbes: Bool = false) throws -> String {
        let program = directory.file("interferingRenderer")
        let script = """
            #!/bin/bash
            case "$*" in
                serve*)
                    while IFS= read -r line; do
                        [[ -e '\(file)' || \(ignoresProbes) == true && "$line" == *'"probe":'* ]] || printf late > '\(file)'
                        printf '%s\\n' "$line"
                    done | '\(SpoolTool.executable)-render' "$@" ;;
                *--list*) exec '\(SpoolTool.executable)-render' "$@" ;;
                *) printf late > '\(file)'; exec '\(SpoolTool.executable)-render' "$@" ;;
            esac
            """
        guard
            FileManager.default.createFile(
                atPath: program, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        else { throw CocoaError(.fileWriteUnknown) }
        return program
    }

    private func run(
        _ words: [String], creating file: String, ignoresProbes: Bool = false
    ) async throws -> SpoolTool.Outcome {
        let command = ([SpoolTool.executable] + words).map { "'\($0)'" }.joined(separator: " ")
        let program = try interferingRenderer(creating: file, ignoresProbes: ignoresProbes)
        return try await ShellTool.run("SPOOL_RENDER_EXECUTABLE='\(program)' \(command)")
    }

    /// The files of a directory, including hidden ones, without the test's own files.
    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !["beach.mp4", "draft.json", "interferingRenderer", "cache", "patch.json", "party"].contains($0) }.sorted()
    }

    @Test(
        "A late file is kept by every command that renders or writes a draft",
        arguments: [
            "export DRAFT -o DIR/film.mp4", "frame DRAFT --time 0 -o DIR/film.png", "thumbnails DRAFT -o DIR/film.jpg",
            "waveform DRAFT -o DIR/film.webp", "edit DRAFT --patch DIR/patch.json -o DIR/film.mp4",
        ])
    func commands(_ line: String) async throws {
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        let words = line.replacing("DRAFT", with: draft).replacing("DIR", with: directory.path).split(separator: " ").map(
            String.init)
        let cache = ["--cache", directory.file("cache")]
        let film = try #require(words.last)
        let name = URL(fileURLWithPath: film).lastPathComponent
        let kept = try await run(words + cache + ["--no-overwrite"], creating: film)
        #expect(kept.status == 73, "\(kept.errors)")
        // An export has printed progress before this line.
        let said = kept.errors.split(separator: "\n").last.map(String.init)
        #expect(said == "error: '\(film)' exists and is kept; name another file, or leave --no-overwrite out", "\(kept.errors)")
        #expect(try String(contentsOfFile: film, encoding: .utf8) == "late")
        #expect(try names(in: directory.path) == [name], "nothing is left beside it")
        // Without the option the same file is replaced.
        let replaced = try await run(words + cache, creating: film)
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: film)) != Data("late".utf8))
        #expect(try names(in: directory.path) == [name])
    }

    @Test("A late file is kept among several pictures, and no other partial picture is left")
    func snapshots() async throws {
        let folder = directory.file("shots")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let second = folder + "/snapshot-2.png"
        let outcome = try await run(
            ["snapshots", draft, "--count", "3", "-o", folder, "--no-overwrite", "--cache", directory.file("cache")],
            creating: second, ignoresProbes: true)
        #expect(outcome.status == 73)
        #expect(outcome.errors == "error: '\(second)' exists and is kept; name another file, or leave --no-overwrite out\n")
        #expect(try String(contentsOfFile: second, encoding: .utf8) == "late")
        #expect(try names(in: folder) == ["snapshot-1.png", "snapshot-2.png"])
    }

    @Test("A late file is kept among the sample clips")
    func sampleMedia() async throws {
        let folder = directory.file("clips")
        let listed = try await ShellTool.run("'\(SpoolTool.executable)-render' sample-media --list '\(folder)'").output
        let first = try #require(listed.split(separator: "\n").first.map(String.init))
        let outcome = try await run(["sample-media", folder, "--no-overwrite"], creating: first)
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors == "error: '\(first)' exists and is kept; name another file, or leave --no-overwrite out\n")
        #expect(try String(contentsOfFile: first, encoding: .utf8) == "late")
        #expect(try names(in: folder).count == 1)
    }

    @Test("A late file is kept when a recording becomes a draft or a picture")
    func recording() async throws {
        let party = directory.file("party")
        let cache = ["--cache", directory.file("cache")]
        for words in [["record", "new", party], ["record", "append", party, directory.file("beach.mp4")]] {
            let outcome = try await SpoolTool.run(words + cache)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        let file = directory.file("late.png")
        for words in [
            ["record", "snapshot", party, "--time", "0", "-o", file], ["record", "finish", party, "-o", file],
        ] {
            // An empty cache makes the command probe the sources, so that the renderer gets a job.
            let outcome = try await run(
                words + ["--no-overwrite", "--cache", directory.file("cache-of-\(words[1])")], creating: file)
            #expect(outcome.status == 73, "\(words): \(outcome.errors)")
            #expect(outcome.errors == "error: '\(file)' exists and is kept; name another file, or leave --no-overwrite out\n")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "late")
            try FileManager.default.removeItem(atPath: file)
        }
        // The recording is unchanged and can be finished.
        let finished = try await SpoolTool.run(["record", "finish", party, "-o", file, "--no-overwrite"] + cache)
        #expect(finished.status == 0, "\(finished.errors)")
    }

    @Test("A late file is kept by downloads", arguments: ["download", "asset get"])
    func downloads(_ command: String) async throws {
        let file = directory.file("film.mp4")
        // A server that creates the file before it sends its own.
        let script = """
            import hashlib, http.server, json, subprocess, sys, threading
            path, program, words = sys.argv[1], sys.argv[2], sys.argv[3:]
            body = b"a film" * 1000
            export = json.dumps({
                "id": "00000000-0000-0000-0000-000000000000", "number": 1, "tenant": 1, "label": "", "priority": 0, "pool": "default",
                "state": "completed", "createdAt": "2026-01-01T00:00:00Z", "warnings": [],
                "progress": {"jobs": 1, "jobsDone": 1, "jobsReused": 0, "framesDone": 1}}).encode()
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    if not self.path.endswith("/film") and "/assets/" not in self.path:
                        return self.answer(export)
                    with open(path, "w") as late:
                        late.write("late")
                    self.answer(body)
                def answer(self, body):
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def log_message(self, *words):
                    pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            subject = hashlib.sha256(body).hexdigest() if words[0] == "asset" else "00000000-0000-0000-0000-000000000000"
            farm = ["--server", "http://127.0.0.1:%d" % server.server_port, "--token", "t"]
            done = subprocess.run([program] + words + [subject, "-o", path] + farm, capture_output=True, text=True)
            if "--no-overwrite" in words:
                print(done.returncode, open(path).read(), done.stderr, end="")
            else:
                print(done.returncode, open(path, "rb").read() == body, done.stderr, end="")
            """
        let words = [file, SpoolTool.executable] + command.split(separator: " ").map(String.init)
        let kept = try await PythonTool.run(script, words + ["--no-overwrite"])
        #expect(kept == "73 late error: '\(file)' exists and is kept; name another file, or leave --no-overwrite out\n")
        #expect(try names(in: directory.path) == ["film.mp4"], "nothing is left beside it")
        #expect(try await PythonTool.run(script, words) == "0 True ")
    }

    @Test("A late file is kept on a file system without hard links")
    func withoutLinks() async throws {
        let library = directory.file("no-links.so")
        let code = """
            #include <errno.h>
            int link(const char *old, const char *new) { (void)old; (void)new; errno = EPERM; return -1; }
            """
        let built = try await ShellTool.run("printf '%s' '\(code)' | cc -shared -fPIC -x c - -o '\(library)'")
        try #require(built.status == 0, "\(built.errors)")
        try Data("[]".utf8).write(to: URL(fileURLWithPath: directory.file("patch.json")))
        let file = directory.file("new.json")
        let program = try interferingRenderer(creating: file)
        for isLate in [true, false] {
            let line = [
                "LD_PRELOAD='\(library)'", isLate ? "SPOOL_RENDER_EXECUTABLE='\(program)'" : "",
                "'\(SpoolTool.executable)' edit '\(draft)'",
                "--patch '\(directory.file("patch.json"))' -o '\(file)' --no-overwrite --cache '\(directory.file("cache-\(isLate)"))'",
            ].joined(separator: " ")
            let outcome = try await ShellTool.run(line)
            #expect(outcome.status == (isLate ? 73 : 0), "\(outcome.errors)")
            #expect(outcome.errors.contains("exists and is kept") == isLate, "\(outcome.errors)")
            #expect(try (String(contentsOfFile: file, encoding: .utf8) == "late") == isLate)
            try FileManager.default.removeItem(atPath: file)
        }
    }
}
