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
}
