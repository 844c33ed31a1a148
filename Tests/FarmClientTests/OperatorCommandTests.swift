import Coordinator
import DraftModel
import ExportPlan
import FarmAPI
import FarmClient
import JobQueue
import Scheduling
import TestSupport
import Testing
import FoundationEssentials

/// The commands for queues and workers, and a draft's history.
@Suite("The command line of operators")
struct OperatorCommandTests {
    /// Runs a command against a farm.
    private func spool(_ farm: LiveFarm, token: String = LiveFarm.token, _ arguments: String...) async throws -> SpoolTool.Outcome
    {
        try await SpoolTool.run(arguments + ["--server", farm.address, "--token", token])
    }

    /// An export with ready jobs for segments.
    private func ready(
        _ farm: LiveFarm, _ label: String, segments: Int, tenant: Int64 = 1, pool: String = "default", priority: Int = 0
    ) async throws -> ExportID {
        let id = ExportID()
        let request = ExportRequest(.document("{}"), label: label, priority: priority, pool: pool)
        _ = try await farm.store.submit(request, id: id, tenant: tenant, idempotency: nil)
        _ = try await farm.store.startProbing(id, jobs: [])
        let jobs = (0..<segments).map { number in
            PlannedJob(
                kind: .video, ordinal: number, key: ArtifactKey("\(id.text) \(number)"), work: .probe(path: "/x"),
                frameCount: 30, weight: 2)
        }
        let film = ArtifactKey("film of \(id.text)")
        let stitch = PlannedJob(kind: .stitch, ordinal: 0, key: film, work: .probe(path: "/x"), weight: 1)
        try await farm.store.startRendering(
            id, PlannedExport(jobs: jobs + [stitch], filmKey: film, frameCount: 30 * segments))
        return id
    }

    @Test("A draft's history lists its revisions with their exports, the newest first")
    func history() async throws {
        try await LiveFarm.serve { farm in
            for seconds in 1...3 {
                let draft =
                    ##"{"version":1,"videoSize":{"width":64,"height":64},"mainTrackClips":[{"type":"color","color":"#ff0000ff","duration":\##(seconds)}]}"##
                _ = try await farm.client.putDraft("team", document: Data(draft.utf8))
            }
            let submitted = try await spool(farm, "submit", "--draft", "team@2")
            let export = try #require(submitted.output.split(separator: "\n").first, "\(submitted.errors)")
            let table = try await spool(farm, "draft", "history", "team", "--columns", "revision,exports,newest")
            #expect(
                table.output == """
                    REVISION  EXPORTS  NEWEST EXPORT
                           3        0  -
                           2        1  \(export)
                           1        0  -

                    """, "\(table)")
            let json = try await spool(farm, "draft", "history", "team", "--json", "--limit", "2")
            let revisions = try FarmJSON.decode([DraftRevisionReport].self, from: Data(json.output.utf8))
            #expect(revisions.map(\.revision) == [3, 2] && revisions[0].byteCount > 60)
            let missing = try await spool(farm, "draft", "history", "nobody")
            #expect(missing.status == 65 && missing.errors == "error: there is no draft 'nobody'\n", "\(missing)")
            #expect(try await spool(farm, "draft", "history", "team", "--limit", "0").status == 64)
            let unknown = try await spool(farm, token: "guess", "draft", "history", "team")
            #expect(unknown.status == 65 && unknown.output.isEmpty, "\(unknown)")
        }
    }

    @Test("A worker is asked to resume, and one that cannot says why")
    func resume() async throws {
        try await LiveFarm.serve { farm in
            let now = Date()
            var status = WorkerStatus(
                id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 2, startedAt: now, seenAt: now,
                isDraining: false, running: [])
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
            try await farm.queue.drain(status)
            let outcome = try await spool(farm, "worker", "resume", "w1", "w2")
            #expect(outcome.output == "w1: takes jobs, and is no longer asked to drain\n")
            #expect(outcome.errors == "error: w2: no worker 'w2' has sent a heartbeat recently\n")
            #expect(outcome.status == 65)
            #expect(try await !farm.queue.heartbeat(status, lifetime: .seconds(60)).isToDrain)

            status.isDraining = true
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
            let late = try await spool(farm, "worker", "resume", "w1")
            #expect(late.status == 65 && late.errors.contains("w1: it is too late for worker 'w1'"), "\(late)")

            status.canResume = true
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(60))
            // The worker hears of the change, or has ended meanwhile.
            for end in [true, false] {
                let draining = status
                try await farm.queue.drain(draining)
                async let answer = spool(farm, "worker", "resume", "w1")
                while try await !farm.queue.heartbeat(draining, lifetime: .seconds(60)).isToResume {
                    try await nextLook()
                }
                if end {
                    try await farm.queue.deregister(worker: "w1")
                    let outcome = try await answer
                    #expect(outcome.status == 65, "\(outcome)")
                    #expect(
                        outcome.errors
                            == "error: w1: it was too late: the worker ended before it heard of the change; start it again\n",
                        "\(outcome)")
                    _ = try await farm.queue.heartbeat(draining, lifetime: .seconds(60))
                } else {
                    var resumed = draining
                    resumed.isDraining = false
                    _ = try await farm.queue.heartbeat(resumed, lifetime: .seconds(60))
                    #expect(try await answer.output == "w1: takes jobs again, with 0 of 2 slots busy\n")
                }
            }
        }
    }

    @Test("A worker that does not hear of the change is told after a while, with where to look", .timeLimit(.minutes(2)))
    func deafWorker() async throws {
        try await LiveFarm.serve { farm in
            let now = Date()
            var status = WorkerStatus(
                id: "w1", host: "h", version: "1", roles: [.video], pools: ["default"], slots: 2, startedAt: now, seenAt: now,
                isDraining: true, running: [])
            status.canResume = true
            _ = try await farm.queue.heartbeat(status, lifetime: .seconds(110))
            try await farm.queue.drain(status)
            let outcome = try await spool(farm, "worker", "resume", "w1")
            #expect(outcome.status == 75)
            #expect(
                outcome.errors
                    == "error: w1: the worker still drains; it may be ending, so look at 'spool worker show w1'\n", "\(outcome)")
        }
    }

    @Test("The jobs that are sent next are shown in order, with what stands in their way")
    func peek() async throws {
        try await LiveFarm.serve { farm in
            let empty = try await spool(farm, "queue", "peek")
            #expect(empty.status == 0 && empty.output.hasPrefix("PLACE  JOB") && empty.output.split(separator: "\n").count == 1)
            _ = try await ready(farm, "slow", segments: 2)
            _ = try await ready(farm, "fast", segments: 1, priority: 50)
            let csv = try await spool(farm, "queue", "peek", "video", "--csv", "--columns", "place,kind,label,priority,predicted")
            #expect(
                csv.output == "place,kind,label,priority,predicted\n1,video 0,fast,50,2.0\n2,video 0,slow,0,2.0\n"
                    + "3,video 1,slow,0,2.0\n", "\(csv)")
            _ = try await farm.client.setPaused(.video, true)
            let table = try await spool(farm, "queue", "peek", "--limit", "1", "--utc")
            #expect(table.output.contains("READY") && table.output.split(separator: "\n").count == 2, "\(table)")
            #expect(
                table.errors == """
                    note: the queue 'video' is paused, so none of its jobs is sent
                    note: no worker takes jobs of the role 'video' in the pool 'default', so none is sent there

                    """, "\(table)")
            #expect(try await spool(farm, "queue", "peek", "--limit", "101").status == 64)
            let column = try await spool(farm, "queue", "peek", "--sort", "size")
            #expect(column.status == 64 && column.errors.contains("--sort knows no column 'size'; there are place, job"))
        }
    }

    @Test(
        "A queue that drains is paused until nothing is in flight; when interrupted it stays so, and says it",
        .timeLimit(.minutes(2)))
    func drain() async throws {
        try await LiveFarm.serve { farm in
            let idle = try await spool(farm, "queue", "drain", "audio", "stitch")
            #expect(idle.status == 0)
            #expect(
                idle.output == "nothing of the queues 'audio', 'stitch' is in flight; the queues 'audio', 'stitch' stay paused; "
                    + "resume them with: spool queue resume audio stitch\n", "\(idle)")
            let export = try await ready(farm, "film", segments: 1)
            let job = try #require(try await farm.store.activeJobs(of: [export]).first?.job.id)
            let ticket = try #require(try await farm.store.dispatch([job], at: Date()).first)
            let server = "SPOOL_SERVER=\(farm.address) SPOOL_TOKEN=\(LiveFarm.token)"
            let log = farm.directory.file("drain.log")
            let stopped = try await ShellTool.run(
                """
                \(server) '\(SpoolTool.executable)' queue drain video 2> '\(log)' & pid=$!
                until grep -q '1 dispatched' '\(log)'; do :; done; kill -INT $pid; wait $pid
                """)
            #expect(stopped.status == 130, "\(stopped)")
            let said = try String(contentsOfFile: log, encoding: .utf8)
            #expect(
                said == "1 dispatched, 0 running\n"
                    + "note: the queue 'video' stays paused; resume it with: spool queue resume video\nstopped\n", "\(said)")
            #expect(try await farm.store.pausedRoles() == Set(WorkerRole.allCases))

            async let drained = spool(farm, "queue", "drain", "video", "--json")
            _ = try await farm.store.apply(
                JobReport(ticket.identity, worker: "w", .finished(result: JobResult(), reused: false)), at: Date(), jitter: 0)
            let queues = try FarmJSON.decode([QueueStatus].self, from: Data(try await drained.output.utf8))
            #expect(queues.map(\.role) == [.video] && queues.allSatisfy { $0.isPaused && $0.running + $0.dispatched == 0 })
        }
    }

    @Test("A queue that is resumed while it drains ends the wait, and the message says what to do", .timeLimit(.minutes(2)))
    func resumedMeanwhile() async throws {
        try await LiveFarm.serve { farm in
            let export = try await ready(farm, "film", segments: 1)
            let job = try #require(try await farm.store.activeJobs(of: [export]).first?.job.id)
            _ = try #require(try await farm.store.dispatch([job], at: Date()).first)
            async let drained = spool(farm, "queue", "drain", "video")
            while try await farm.store.pausedRoles().isEmpty { try await nextLook() }
            _ = try await farm.client.setPaused(.video, false)
            let outcome = try await drained
            #expect(outcome.status == 75)
            #expect(
                outcome.errors.hasSuffix(
                    "error: the queue 'video' was resumed meanwhile, so it does not drain; pause it again, or leave it\n"),
                "\(outcome)")
        }
    }

    @Test("Purging cancels the exports with ready jobs that are meant, and asks first")
    func purge() async throws {
        try await LiveFarm.serve { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            _ = try await ready(farm, "test", segments: 2, pool: "gpu")
            let kept = try await ready(farm, "keep", segments: 1, pool: "gpu")
            let third = try await ready(farm, "test", segments: 1, tenant: other)
            func open() async throws -> Int { try await farm.client.exports(state: .rendering).items.count }

            #expect(try await spool(farm, "queue", "purge").errors.contains("say which exports are meant"))
            let dry = try await spool(farm, "queue", "purge", "video", "--pool", "gpu", "--dry-run")
            #expect(dry.status == 0 && dry.output.split(separator: "\n").count == 3, "\(dry)")
            #expect(dry.errors == "note: 2 would be cancelled, and none is, because of --dry-run\n")
            let unasked = try await spool(farm, "queue", "purge", "video")
            #expect(
                unasked.status == 64
                    && unasked.errors.contains(
                        "nobody can be asked here, because this is no terminal; give --yes, or look first with --dry-run"),
                "\(unasked)")
            #expect(try await open() == 3)

            let labelled = try await spool(farm, "queue", "purge", "--label", "test", "--pool", "gpu", "--yes")
            #expect(
                labelled.output == "cancelled 1 export with ready jobs in the pool 'gpu' with the label 'test'\n", "\(labelled)")
            let again = try await spool(farm, "queue", "purge", "--label", "test", "--pool", "gpu", "--yes")
            #expect(again.status == 0 && again.output.hasPrefix("there is no open export with ready jobs"), "\(again)")
            let nobody = try await spool(farm, "queue", "purge", "--tenant", "nobody", "--yes")
            #expect(nobody.status == 65, "\(nobody)")
            #expect(nobody.errors.contains("there is no tenant 'nobody'; 'spool tenant ls' lists them"), "\(nobody)")
            let tenant = try await spool(farm, "queue", "purge", "--tenant", "other", "--yes", "--json")
            #expect(tenant.output.contains(third.text) && !tenant.output.contains(kept.text), "\(tenant)")
            #expect(try await farm.client.exports(state: .rendering).items.map(\.id) == [kept])
            #expect(try await spool(farm, "queue", "purge", "audio", "--yes").output.hasPrefix("there is no open export"))

            let words = [
                SpoolTool.executable, "queue", "purge", "video", "--server", farm.address, "--token", LiveFarm.token,
            ]
            for (answer, left) in [("n", 1), ("", 1), ("yes", 0)] {
                let asked = try await PseudoTerminal.run(words, columns: 200, typed: answer + "\n")
                #expect(asked.status == (left == 0 ? 0 : 75), "\(asked.output)")
                #expect(asked.output.contains("Cancel 1 export with 1 ready job of the role 'video'? [y/N]"), "\(asked.output)")
                #expect(try await open() == left, "\(asked.output)")
            }
        }
    }

    @Test("A tenant's token purges and peeks at its own exports only")
    func tenancy() async throws {
        try await LiveFarm.serve { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            _ = try await farm.store.createToken(
                "o", tenant: "other", scopes: [.read, .submit], hash: TokenSecret.hash("theirs"))
            _ = try await ready(farm, "ours", segments: 1)
            let theirs = try await ready(farm, "theirs", segments: 1, tenant: other)
            let peeked = try await spool(farm, token: "theirs", "queue", "peek", "--json")
            #expect(try FarmJSON.decode([QueuedJob].self, from: Data(peeked.output.utf8)).map(\.export) == [theirs])
            let named = try await spool(farm, token: "theirs", "queue", "purge", "--tenant", "one", "--yes")
            #expect(named.status == 65 && named.errors.contains("lacks the scope 'admin'"), "\(named)")
            let purged = try await spool(farm, token: "theirs", "queue", "purge", "video", "--yes")
            #expect(purged.output == "cancelled 1 export with ready jobs of the role 'video'\n", "\(purged)")
            #expect(try await farm.client.exports(state: .rendering).items.map(\.label) == ["ours"])
        }
    }
}
