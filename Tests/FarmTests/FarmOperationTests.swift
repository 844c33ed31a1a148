import Coordinator
import ExportPlan
import JobQueue
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What operators and clients do to a running farm, and what it answers when something is wrong.
@Suite(.serialized) struct FarmOperationTests {
    @Test("a cancelled export stops, and leaves no rendering process behind", .timeLimit(.minutes(5)))
    func cancelled() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)], ["--set", "encoderSpeed=placebo"])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            let processes = try await farm.renderingProcesses()
            #expect(!processes.isEmpty)
            let asked = ContinuousClock.now
            let outcome = try await farm.spool(["cancel", id])
            #expect(outcome.status == 0)
            try await farm.untilGone(processes)
            print("from 'spool cancel' to the rendering process's end: \(asked.duration(to: .now))")
            #expect(try await farm.export(id).state == .cancelled)
            // The worker goes on with others.
            try await farm.watch(try await farm.submit([drafts.file(1)]))
        }
    }

    @Test("exports for workers that are not there wait, and keep nobody else waiting", .timeLimit(.minutes(5)))
    func emptyPool() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let waiting = try await farm.submit(
                [drafts.file(0), drafts.file(1)], ["--pool", "gpu", "--priority", "50", "--set", "videoQuality=30"])
            try await farm.watch(try await farm.submit([drafts.file(0)]))
            for id in waiting { #expect(try await !farm.export(id).state.isTerminal) }
            await farm.startWorker("w2", pools: "gpu")
            try await farm.watch(waiting)
        }
    }

    @Test("a worker that drains ends its job or hands it back, takes no other, and exits with 0", .timeLimit(.minutes(5)))
    func drained() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            #expect(try await farm.drain("w1") == 0)
            // What it said last is still on its way when it is gone. That nothing is left to the lease show the attempts: one that
            // ends by it is neither succeeded nor returned.
            try await farm.eventually {
                try await farm.renderedJobs().allSatisfy { $0.state != .dispatched && $0.state != .running }
            }
            await farm.startWorker("w2")
            try await farm.watch([id])
            for job in try await farm.renderedJobs() {
                let attempts = try await farm.store.job(job.id, tenant: nil)?.attempts ?? []
                #expect(attempts.allSatisfy { $0.state == .succeeded || $0.state == .returned }, "\(attempts)")
            }
        }
    }

    @Test("a source that vanishes after submit fails its export, and says which", .timeLimit(.minutes(5)))
    func vanished() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            #expect(try await farm.spool(["queue", "pause", "video"]).status == 0)
            let id = try await farm.submit([drafts.file(0)])[0]
            try FileManager.default.removeItem(atPath: farm.directory.file("store/assets"))
            #expect(try await farm.spool(["queue", "resume", "video"]).status == 0)
            let outcome = try await farm.spool(["watch", id])
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("mainTrackClips[0].url"))
            #expect(outcome.errors.contains("is no longer there"))
        }
    }

    @Test("a wrong token, a faulty draft and a farm that is not there are told apart", .timeLimit(.minutes(5)))
    func refusals() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 0) { farm in
            let stranger = try await farm.spool(["status"], token: "wrong")
            #expect(stranger.status == 65)
            #expect(stranger.errors.contains("token"))
            let faulty = farm.directory.file("faulty.json")
            try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "gone.mp4", "sped": 2}]}"#.utf8)
                .write(to: URL(fileURLWithPath: faulty))
            let refused = try await farm.spool(["submit", faulty])
            #expect(refused.status == 65)
            #expect(refused.errors.contains("mainTrackClips[0].sped"))
            try await farm.kill("coordinator0")
            let away = try await farm.spool(["submit", drafts.file(0)])
            #expect(away.status == 69)
        }
    }

    @Test("a worker renders without knowing the database", .timeLimit(.minutes(5)))
    func noCredentials() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let environment = try await farm.environment(of: try await farm.process("w1"))
            #expect(environment.contains("SPOOL_REDIS_URL"))
            #expect(!environment.contains("postgres"))
            try await farm.watch(try await farm.submit([drafts.file(0)]))
        }
    }
}

extension TestFarm {
    /// A process's environment, a line each.
    nonisolated func environment(of process: Int) async throws -> String {
        try await ShellTool.run("tr '\\0' '\\n' < /proc/\(process)/environ").output
    }

    nonisolated func export(_ id: String) async throws -> Export {
        let id = try #require(ExportID(id))
        return try #require(try await store.export(id, tenant: nil))
    }

    nonisolated func segments() async throws -> [Job] {
        try await store.jobs(.init(limit: 1_000_000)).filter { $0.kind == .video }
    }

    /// Segments of other exports that were begun after this one was accepted and before its own first.
    nonisolated func segmentsBegunBeforeFirst(of id: String) async throws -> Int {
        let export = try await export(id)
        let segments = try await segments()
        let own = segments.filter { $0.export == export.id }.compactMap(\.startedAt)
        let others = segments.filter { $0.export != export.id }.compactMap(\.startedAt)
        let first = try #require(own.min())
        return others.count { $0 > export.createdAt && $0 < first }
    }

    /// Whether a worker, or this one, is at a segment right now.
    nonisolated func rendersSegment(on worker: String? = nil) async throws -> Bool {
        try await store.jobs(.init(state: .running, role: .video, limit: 1000)).contains {
            $0.kind == .video && (worker == nil || $0.worker == worker)
        }
    }

    /// A process of the farm by its number.
    nonisolated func process(_ worker: String) async throws -> Int {
        let found = try await ShellTool.run("pgrep -f '^\(SpoolTool.executable) worker --name \(worker) '").output
        return try #require(found.split(separator: "\n").first.flatMap { Int($0) })
    }

    /// The processes that worker w1 has below it.
    nonisolated func renderingProcesses() async throws -> [Int] {
        try await ShellTool.run("pgrep -P \(try await process("w1"))").output.split(separator: "\n").compactMap { Int($0) }
    }
}
