import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// Only regular files are sources. A named pipe without a writer is refused at once, and so is an endless device.
@Suite(.timeLimit(.minutes(2))) struct SourceKindTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        let script = """
            import os, socket, sys
            os.mkfifo(sys.argv[1] + "/pipe.mp4")
            os.mkdir(sys.argv[1] + "/folder.mp4")
            os.symlink("pipe.mp4", sys.argv[1] + "/link.mp4")
            os.chdir(sys.argv[1])
            socket.socket(socket.AF_UNIX).bind("socket.mp4")
            """
        _ = try await PythonTool.run(script, [directory.path])
    }

    static let kinds = [
        ("pipe.mp4", "FIFO"), ("link.mp4", "FIFO"), ("folder.mp4", "directory"), ("socket.mp4", "socket"),
        ("/dev/zero", "device"),
    ]

    @Test("Probing a path that is not a file says what it is", arguments: kinds)
    func probe(_ name: String, _ kind: String) async throws {
        let path = name.hasPrefix("/") ? name : directory.file(name)
        let outcome = try await SpoolTool.run(["probe", path, "--cache", directory.file("cache")])
        #expect(outcome.status == 65)
        #expect(outcome.errors == "error: '\(path)' is a \(kind), not a file\n")
    }

    @Test("A draft that names something other than a file says where", arguments: kinds)
    func draft(_ name: String, _ kind: String) async throws {
        let draft = directory.file("draft.json")
        let text = """
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "\(name)", "filters": [{"type": "lut", "url": "\(name)"}]}],
             "fonts": [{"url": "\(name)"}], "layers": [{"source": {"type": "captions", "url": "\(name)"}}]}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run(["validate", draft, "--cache", directory.file("cache")])
        #expect(outcome.status == 65)
        for place in ["mainTrackClips[0].url", "mainTrackClips[0].filters[0].url", "layers[0].source.url", "fonts[0].url"] {
            #expect(outcome.errors.contains("error: \(place): '\(name)' is a \(kind), not a file\n"), "\(outcome.errors)")
        }
    }

    @Test("Only files are uploaded to a farm", arguments: kinds)
    func upload(_ name: String, _ kind: String) async throws {
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\#(name)"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: draft))
        let farm = ["--server", "http://127.0.0.1:1", "--token", "t"]
        let submitted = try await SpoolTool.run(["submit", draft] + farm)
        #expect(submitted.status == 65)
        #expect(submitted.errors.contains("mainTrackClips[0].url: '\(name)' is a \(kind), not a file"), "\(submitted.errors)")
        let path = name.hasPrefix("/") ? name : directory.file(name)
        let put = try await SpoolTool.run(["asset", "put", path] + farm)
        #expect(put.status == 65 && put.errors == "error: '\(path)' is a \(kind), not a file\n", "\(put.errors)")
    }
}
