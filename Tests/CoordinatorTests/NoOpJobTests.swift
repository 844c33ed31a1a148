import ContentHashing
import Coordinator
import DraftModel
import ExportPlan
import FarmAPI
import JobQueue
import Testing

/// The jobs of `spool bench`.
@Suite("No-op jobs")
struct NoOpJobTests {
    /// An export of three segments and a stitch, as `spool bench` stores it.
    private func plan(_ name: String) -> PlannedExport {
        func job(_ kind: JobKind, _ ordinal: Int) -> PlannedJob {
            let key = ArtifactKey(ContentHash.of("\(name) \(kind) \(ordinal)".utf8))
            return PlannedJob(kind: kind, ordinal: ordinal, key: key, work: .noOp, frameCount: 1, weight: 1)
        }
        let stitch = job(.stitch, 0)
        return PlannedExport(jobs: (0..<3).map { job(.video, $0) } + [stitch], filmKey: stitch.key, frameCount: 4)
    }

    @Test("Their export is dispatched, reported and completed as any other", arguments: StoreKind.allCases)
    func life(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let ids = [try await farm.submit("first").id, try await farm.submit("second").id]
            for id in ids {
                try await farm.store.startProbing(id, jobs: [])
                try await farm.store.startRendering(id, plan(id.text))
            }
            let first = try await farm.dispatchAll()
            #expect(first.map(\.kind) == Array(repeating: .video, count: 6), "a stitch waits for its segments")
            #expect(first.allSatisfy { $0.work == .noOp })
            for ticket in first { try await farm.finish(ticket) }
            let second = try await farm.work()
            #expect(second.map(\.kind) == [.stitch, .stitch])
            for id in ids {
                #expect(try await farm.state(id) == .completed)
                #expect(try await farm.eventKinds(id) == [.submitted, .probing, .rendering, .completed])
                let progress = try await farm.export(id).progress
                #expect(progress.jobs == 4 && progress.jobsDone == 4 && progress.jobsReused == 0)
            }
        }
    }

    @Test(
        "No draft can ask for one",
        arguments: [
            (#"{"version": 1, "noOp": {}, "mainTrackClips": [{"type": "av", "url": "/media/a.mp4"}]}"#, "noOp"),
            (#"{"version": 1, "mainTrackClips": [{"type": "noOp", "url": "/media/a.mp4"}]}"#, "mainTrackClips[0].type"),
            (
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "/media/a.mp4", "work": {"noOp": {}}}]}"#,
                "mainTrackClips[0].work"
            ),
        ])
    func drafts(_ document: String, _ path: String) throws {
        let planner = ExportPlanner(allowedDirectories: ["/media"])
        let source = ExportSource(
            id: ExportID(), tenant: 1, pool: "default", priority: 0, document: document, parameters: [:], settings: [:])
        #expect(try planner.probes(of: source).allSatisfy { $0.job.work != .noOp })
        let failure = #expect(throws: ExportFailure.self) { try planner.plan(source, probeResults: [:]) }
        #expect(failure?.diagnostics.contains { $0.path == path } == true, "\(String(describing: failure))")
    }

    @Test("No setting can ask for one")
    func settings() {
        for name in ["noOp", "work", "kind"] {
            #expect(ExportSettings.read([name: "noOp"]).diagnostics.contains { $0.path.hasSuffix(name) })
        }
    }
}
