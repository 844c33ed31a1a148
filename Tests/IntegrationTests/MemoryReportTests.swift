import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite struct MemoryReportTests {
    private struct Summary: Decodable {
        struct Memory: Decodable {
            var predicted: Int64
            var measured: Int64?
        }

        var seconds: JobCost
        var memory: Memory
    }

    @Test("An export says what was predicted of its largest job's memory, and what that job took")
    func summary() async throws {
        let directory = try TemporaryDirectory()
        _ = try await SpoolTool.run(["sample-media", directory.file("media")])
        let draft = #"""
            {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [
              {"type": "av", "url": "media/sea.mp4", "timeRange": {"start": 1, "duration": 1}}]}
            """#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        let outcome = try await SpoolTool.run([
            "export", directory.file("draft.json"), "-o", directory.file("film.mp4"), "--cache", directory.file("cache"),
            "--jobs", "1", "--json",
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
        #expect(summary.seconds.encode > 0 && summary.seconds.usage == nil)
        let measured = try #require(summary.memory.measured)
        // The process itself takes some 60 MB; a prediction that is wrong by half says nothing of a machine.
        #expect(measured > 20_000_000 && measured < summary.memory.predicted * 3 / 2)
        #expect(summary.memory.predicted < measured * 3)
    }
}
