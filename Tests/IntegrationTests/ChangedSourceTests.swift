import ExactTime
import TestSupport
import Testing
import FoundationEssentials

/// A source that is overwritten during an export. A program that replaces the renderer overwrites the source before the
/// first job that is not a probe.
@Suite("A source that changes between its probe and its rendering")
struct ChangedSourceTests {
    @Test("The export fails and says so, stores nothing, and succeeds with the old file back")
    func changes() async throws {
        let directory = try TemporaryDirectory()
        let source = try SourceClips.numbered("source.mp4", in: directory, rate: FrameRate(25), frames: 50)
        let other = try SourceClips.numbered("other.mp4", in: directory, rate: FrameRate(25), frames: 50, tone: 880)
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "source.mp4"}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        func export(_ environment: String, _ cache: String) async throws -> SpoolTool.Outcome {
            try await ShellTool.run(
                "\(environment) exec '\(SpoolTool.executable)' export '\(directory.file("draft.json"))' -o '\(directory.file("film.mp4"))' "
                    + "--cache '\(directory.file(cache))' --set encoderSpeed=ultrafast --jobs 1")
        }
        func film() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: directory.file("film.mp4"))) }

        let reference = try await export("", "other-cache")
        try #require(reference.status == 0, "\(reference.errors)")
        let expected = try film()
        try FileManager.default.removeItem(atPath: directory.file("film.mp4"))

        let renderer = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path + "/spool-render"
        let interferingRenderer = directory.file("interferingRenderer")
        try FileManager.default.copyItem(atPath: source, toPath: directory.file("kept.mp4"))
        let script = """
            #!/bin/bash
            while IFS= read -r line; do
              if [[ "$line" != *'"probe":'* && ! -e '\(directory.file("done"))' ]]; then
                cat '\(other)' > '\(source)'; touch '\(directory.file("done"))'
              fi
              printf '%s\\n' "$line"
            done | '\(renderer)' "$@"
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: interferingRenderer))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: interferingRenderer)

        let outcome = try await export("SPOOL_RENDER_EXECUTABLE='\(interferingRenderer)'", "cache")
        #expect(FileManager.default.fileExists(atPath: directory.file("done")))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("source.mp4") && outcome.errors.contains("changed while it was used"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("film.mp4")))

        // Restore the first file with its modification time, as a copy from a backup does.
        _ = try await ShellTool.run(
            "cat '\(directory.file("kept.mp4"))' > '\(source)'; touch -r '\(directory.file("kept.mp4"))' '\(source)'")
        let after = try await export("", "cache")
        #expect(after.status == 0, "\(after.errors)")
        #expect(try film() == expected)
    }
}
