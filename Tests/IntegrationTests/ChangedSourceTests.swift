import ExactTime
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A source that is overwritten while a film is made of it. The moment is chosen by the renderer itself: a program in its place
/// overwrites the source before the first job that is no probe.
@Suite("A source that changes between its probe and its rendering")
struct ChangedSourceTests {
    @Test("The export fails and says so, nothing is stored, and with the old file back the film has the right bytes")
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
        let meddler = directory.file("meddler")
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
        try Data(script.utf8).write(to: URL(fileURLWithPath: meddler))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: meddler)

        let outcome = try await export("SPOOL_RENDER_EXECUTABLE='\(meddler)'", "cache")
        #expect(FileManager.default.fileExists(atPath: directory.file("done")))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("source.mp4") && outcome.errors.contains("changed while it was used"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("film.mp4")))

        // The first file again, with its time, as a copy from a backup has it.
        _ = try await ShellTool.run(
            "cat '\(directory.file("kept.mp4"))' > '\(source)'; touch -r '\(directory.file("kept.mp4"))' '\(source)'")
        let after = try await export("", "cache")
        #expect(after.status == 0, "\(after.errors)")
        #expect(try film() == expected)
    }
}
