import TestSupport
import Testing
import FoundationEssentials

/// `spool` and `spool-render` must have the same version, and say so when they do not.
@Suite struct RendererTests {
    private static let renderer = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-render"

    @Test("Without its renderer spool says what is missing, where, and the remedy")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let alone = directory.file("spool")
        // Copy the program, because a link would lead to the directory with both programs.
        _ = try await ShellTool.run("cp '\(SpoolTool.executable)' '\(alone)'")
        let outcome = try await ShellTool.run("'\(alone)' doctor")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("'\(directory.path)/spool-render' is missing"))
        #expect(outcome.errors.contains("SPOOL_RENDER_EXECUTABLE"))
    }

    @Test("A renderer of another version is refused, because its bytes would be stored under a wrong key")
    func otherVersion() async throws {
        let directory = try TemporaryDirectory()
        let other = directory.file("other-renderer")
        try Data(
            """
            #!/bin/sh
            sed -u 's/"renderer":[0-9]*/"renderer":1/' | '\(RendererTests.renderer)' "$@"
            """.utf8
        ).write(to: URL(fileURLWithPath: other))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
        let picture = directory.file("picture.png")
        try await FFmpegTool.ffmpeg(["-f", "lavfi", "-i", "color=red:size=16x16", "-frames:v", "1", picture])
        let probe = "XDG_CACHE_HOME='\(directory.path)' '\(SpoolTool.executable)' probe '\(picture)'"
        let outcome = try await ShellTool.run("SPOOL_RENDER_EXECUTABLE='\(other)' \(probe)")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("one version"))
        #expect(try await ShellTool.run(probe).status == 0, "the same with its own")
    }

    /// Writes a program that takes the place of the renderer.
    private func write(_ script: String, in directory: TemporaryDirectory) throws -> String {
        let program = directory.file("program")
        _ = FileManager.default.createFile(
            atPath: program, contents: Data("#!/bin/bash\n\(script)\n".utf8), attributes: [.posixPermissions: 0o755])
        return program
    }

    @Test("A capture that ends without saying what it has captured is a fault of the program, and no clip")
    func silentCapture() async throws {
        let directory = try TemporaryDirectory()
        let program = try write("[ \"$1\" = capture ] || exec '\(RendererTests.renderer)' \"$@\"", in: directory)
        let (recording, cache) = (directory.file("r"), directory.file("cache"))
        try #require(try await SpoolTool.run(["record", "new", recording, "--cache", cache]).status == 0)
        let outcome = try await ShellTool.run(
            "SPOOL_RENDER_EXECUTABLE='\(program)' '\(SpoolTool.executable)' record append '\(recording)' - --cache '\(cache)' "
                + "< /dev/null")
        #expect(outcome.status == 70)
        #expect(
            outcome.errors == "error: 'spool-render capture' ended without saying what it captured; report this\n",
            "\(outcome.errors)")
        #expect(try await SpoolTool.run(["record", "status", recording]).output.contains("open"))
    }

    @Test("A picture that another process removes from the cache is named with its cache, and can be made again")
    func removedPicture() async throws {
        let directory = try TemporaryDirectory()
        let (draft, cache) = (directory.file("draft.json"), directory.file("cache"))
        try Data(
            #"{"version": 1, "videoSize": {"width": 64, "height": 64}, "mainTrackClips": [{"type": "color", "duration": 1}]}"#
                .utf8
        )
        .write(to: URL(fileURLWithPath: draft))
        let program = try write(
            """
            [ "$1" = serve ] || exec '\(RendererTests.renderer)' "$@"
            '\(RendererTests.renderer)' "$@" | while IFS= read -r line; do
              rm -rf '\(cache)'/??
              printf '%s\\n' "$line"
            done
            """, in: directory)
        let frame = "'\(SpoolTool.executable)' frame '\(draft)' --time 0 -o '\(directory.file("f.png"))' --cache '\(cache)'"
        let outcome = try await ShellTool.run("SPOOL_RENDER_EXECUTABLE='\(program)' \(frame)")
        #expect(outcome.status == 75)
        #expect(
            outcome.errors == "error: a picture is gone from the cache '\(cache)', which another process has changed; run the "
                + "command again\n", "\(outcome.errors)")
        #expect(try await ShellTool.run(frame).status == 0)
    }
}
