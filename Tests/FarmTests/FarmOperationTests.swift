import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// Operations on a running farm, and its answers when something is wrong.
@Suite(.serialized) struct FarmOperationTests {
    @Test("A cancelled export stops and leaves no rendering process behind", .timeLimit(.minutes(5)))
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
            // The worker goes on with other exports.
            try await farm.watch(try await farm.submit([drafts.file(1)]))
        }
    }

    @Test(
        "A request that waits too long for the database is refused, and answered when the database is free",
        .timeLimit(.minutes(2)))
    func statementTime() async throws {
        try await TestFarm.with(workers: 0) { farm in
            try await farm.startCoordinator(1, environment: ["SPOOL_STATEMENT_TIMEOUT": "1"])
            let holder = try await farm.connection()
            try await holder.transaction { transaction in
                try await transaction.execute("LOCK TABLE exports")
                let refused = try await farm.spool(["status"], coordinator: 1)
                #expect(refused.status == 69, "\(refused.output) \(refused.errors)")
                // Other tables are free.
                #expect(try await farm.spool(["token", "ls"], coordinator: 1).status == 0)
            }
            #expect(try await farm.spool(["status"], coordinator: 1).status == 0)
        }
    }

    @Test("A coordinator on a taken port names it and the remedy, and ends with exit code 69", .timeLimit(.minutes(2)))
    func takenPort() async throws {
        try await TestFarm.with(workers: 0) { farm in
            let outcome = try await farm.coordinatorOnTakenPort()
            #expect(outcome.status == 69)
            #expect(
                outcome.errors.hasSuffix(
                    " of '127.0.0.1' is taken by another program; stop that, or choose another port with --port or SPOOL_PORT\n"),
                "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").last?.hasPrefix("error: port ") == true)
            let elsewhere = try await farm.coordinatorOnTakenPort("--host 192.0.2.1")
            #expect(elsewhere.status == 69)
            #expect(
                elsewhere.errors.hasSuffix(
                    "error: '192.0.2.1' is not an address of this machine; choose another one with --host or SPOOL_HOST\n"),
                "\(elsewhere.errors)")
            #expect(try await farm.spool(["queue", "ls"]).status == 0)
        }
    }

    @Test("Exports for a pool without workers wait, and do not delay other exports", .timeLimit(.minutes(5)))
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

    @Test("spool why names the rule that holds exports and jobs, one line each", .timeLimit(.minutes(5)))
    func reasons() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            #expect(try await farm.spool(["queue", "pause", "video"]).status == 0)
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.eventually { try await farm.export(id).state == .probing }
            let job = try #require(try await farm.store.jobs(.init(limit: 1)).first).id
            let both = try await farm.spool(["why", id, "\(job)"])
            let reason = "the queue of the role 'video' is paused; resume it with: spool queue resume video"
            #expect(both.status == 0, "\(both.errors)")
            #expect(
                both.output == """
                    export \(id) is probing
                      pausedQueue: job \(job) (probe 0): \(reason)
                    job \(job) is ready
                      pausedQueue: \(reason)

                    """)
            #expect(try await farm.spool(["queue", "resume", "video"]).status == 0)
            try await farm.watch([id])
            #expect(try await farm.spool(["why", id]).output.contains("over: it waits for nothing"))
            let unknown = try await farm.spool(["why", "999999"])
            #expect(unknown.status == 65 && unknown.errors.contains("there is no job 999999"), "\(unknown.errors)")
        }
    }

    @Test("A worker that drains ends its job or returns it, takes no other, and exits with 0", .timeLimit(.minutes(5)))
    func drained() async throws {
        let drafts = try await SampleDrafts()
        try await TestFarm.with(workers: 1) { farm in
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.eventually { try await farm.rendersSegment() }
            #expect(try await farm.drain("w1") == 0)
            // The worker's last report may still be on its way when it has ended. The attempts show that no job waited
            // for its lease to expire: an attempt that ends in that way is neither succeeded nor returned.
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

    @Test("A source that vanishes after submission fails its export, which names the source", .timeLimit(.minutes(5)))
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

    @Test("A wrong token, a faulty draft and an unreachable farm give different errors", .timeLimit(.minutes(5)))
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

    @Test(
        "Entries in Redis that cannot be read stop no export, leave the coordinator ready, and are logged",
        .timeLimit(.minutes(3)))
    func unreadableEntries() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        try await TestFarm.with(workers: 1) { farm in
            let commands = [
                ["SADD", "spool:workers", "w0"], ["SET", "spool:worker:w0", #"{"id":"w0"}"#],
                ["XADD", "spool:reports", "*", "json", "rubbish"], ["XADD", "spool:jobs:video:default", "*", "json", "rubbish"],
            ]
            for command in commands { _ = try await farm.redis.ask(command) }
            #expect(try await farm.readiness() == "200")
            let id = try await farm.submit([drafts.file(0)])[0]
            try await farm.watch([id])
            #expect(try await farm.film(id) == local)
            let logs = [
                ("coordinator0", "spool:worker:w0"), ("coordinator0", "spool:reports, entry"),
                ("w1", "spool:jobs:video:default, entry"),
            ]
            for (name, place) in logs {
                let lines = try farm.log(of: name).split(separator: "\n").filter { $0.contains(place) }
                #expect(lines.contains { $0.contains("cannot be read and is skipped") }, "\(name): \(lines)")
            }
        }
    }

    @Test("A worker renders without knowing the database", .timeLimit(.minutes(5)))
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
    /// The environment of a process, one line for each variable.
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

    /// The number of segments of other exports that began after this export was accepted and before its own first
    /// segment.
    nonisolated func segmentsBegunBeforeFirst(of id: String) async throws -> Int {
        let export = try await export(id)
        let segments = try await segments()
        let own = segments.filter { $0.export == export.id }.compactMap(\.startedAt)
        let others = segments.filter { $0.export != export.id }.compactMap(\.startedAt)
        let first = try #require(own.min())
        return others.count { $0 > export.createdAt && $0 < first }
    }

    /// Whether a worker, or the given one, renders a segment now.
    nonisolated func rendersSegment(on worker: String? = nil) async throws -> Bool {
        try await store.jobs(.init(state: .running, role: .video, limit: 1000)).contains {
            $0.kind == .video && (worker == nil || $0.worker == worker)
        }
    }

    /// The process id of a worker, once it works.
    nonisolated func process(_ worker: String) async throws -> Int {
        try await untilLogged("working: ", by: worker)
        let found = try await ShellTool.run("pgrep -f '^\(SpoolTool.executable) worker --name \(worker) '").output
        return try #require(found.split(separator: "\n").first.flatMap { Int($0) })
    }

    /// The rendering processes of worker w1, after the processes that wait for them outside their namespaces.
    nonisolated func renderingProcesses() async throws -> [Int] {
        let line = """
            descendants() { local child; for child in $(pgrep -P $1); do echo $child; descendants $child; done; }
            descendants \(try await process("w1"))
            """
        return try await ShellTool.run(line).output.split(separator: "\n").compactMap { Int($0) }
    }
}
