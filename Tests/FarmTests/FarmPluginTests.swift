import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing
import FoundationEssentials

/// Plug-ins on a farm's workers, which may have different versions.
@Suite(.serialized) struct FarmPluginTests {
    @Test(
        "Of two workers with different versions of a plug-in, only the one with the requested version renders",
        .timeLimit(.minutes(10)))
    func versions() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.plugin("paint", "memset(output, 90, count);", in: directory.file("first"))
        _ = try await BuiltPlugins.plugin("paint", "memset(output, 200, count);", in: directory.file("second"))
        let draft = """
            {"version": 1, "videoSize": {"width": 64, "height": 64}, "mainTrackClips": [],
             "layers": [{"timeRange": {"start": 0, "duration": 30}, "source": {"type": "solid", "color": "#0000FF"},
             "operations": [{"type": "externalFilter", "name": "paint"}]}]}
            """
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        try await TestFarm.with(workers: 0) { farm in
            for name in ["first", "second"] {
                await farm.startWorker(name, environment: ["SPOOL_PLUGIN_PATH": directory.file(name)])
            }
            let ids = try await farm.submit([path])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]).isEmpty == false)
            var workers: Set<String> = []
            for job in try await farm.store.jobs(.init(limit: 10_000)) where job.kind == .video || job.kind == .probe {
                let attempts = try await farm.store.job(job.id, tenant: nil)?.attempts ?? []
                workers.formUnion(attempts.filter { $0.state == .succeeded }.compactMap(\.worker))
                for failure in attempts.compactMap(\.failure) { #expect(failure.failureClass == .environment) }
            }
            #expect(workers.count == 1)
        }
    }
}
