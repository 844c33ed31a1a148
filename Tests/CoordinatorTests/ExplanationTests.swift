import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import Testing
import FoundationEssentials

/// Situations in which a job or an export waits, and the reason that the farm gives.
@Suite("Why a job waits", .timeLimit(.minutes(2)))
struct ExplanationTests {
    /// A farm with a leader, and workers that say what the test wants.
    private struct Farm {
        let lease: LeaseFixture
        let steps: StoreFixture
        let queue = MemoryJobQueue()

        init() async throws {
            lease = try await LeaseFixture()
            steps = StoreFixture(store: lease.store, tenant: try await lease.store.createTenant("studio", weight: 1).id)
        }

        func worker(
            _ id: String, slots: Int = 1, pools: [String] = ["default"], running: [JobTicket] = [],
            _ change: (inout WorkerStatus) -> Void = { _ in }
        ) async throws {
            var status = WorkerStatus(
                id: id, host: "host", version: "1", roles: WorkerRole.allCases, pools: pools, slots: slots, startedAt: Date(),
                seenAt: Date(), isDraining: false,
                running: running.map { ticket in
                    .init(
                        job: ticket.job, attempt: ticket.attempt, kind: ticket.kind, done: 12, total: 30, startedAt: Date())
                })
            change(&status)
            _ = await queue.heartbeat(status, lifetime: .seconds(600))
        }

        var explanation: FarmExplanation {
            FarmExplanation(
                store: lease.store, workers: CachedLook(workersOf: queue, timeout: .seconds(600)), capableWorkerWait: 600)
        }

        func why(_ job: Job, leads: Bool = true) async throws -> [WaitReason] {
            if leads { _ = try await lease.take() }
            return try #require(try await explanation.job(job.id, tenant: steps.tenant, at: steps.now)).reasons
        }

        func why(_ export: ExportID) async throws -> [WaitReason] {
            _ = try await lease.take()
            return try #require(try await explanation.export(export, tenant: steps.tenant, at: steps.now)).reasons
        }

        func end() async { await lease.pool.close() }
    }

    @Test("No worker serves the pool, then they drain or pause, then one is free")
    func workers() async throws {
        let farm = try await Farm()
        let job = try await farm.steps.job(try await farm.steps.rendering(SampleFilm()), .video)
        try await farm.worker("w1", pools: ["gpu"])
        #expect(try await farm.why(job).map(\.rule) == [.noWorker])
        #expect(try await farm.why(job)[0].message.contains("in the pool 'default'"))
        try await farm.worker("w1") { $0.isDraining = true }
        try await farm.worker("w2") { $0.pausedFor = "the store is away" }
        let idle = try await farm.why(job)
        #expect(idle.map(\.rule) == [.idleWorkers] && idle[0].workers == ["w1", "w2"])
        #expect(idle[0].message.hasPrefix("the workers that serve the role 'video' in the pool 'default' take no jobs: "))
        #expect(idle[0].message.contains("'w1' drains, 'w2' takes no jobs: the store is away"), "\(idle[0].message)")
        try await farm.worker("w3")
        let next = try await farm.why(job)
        #expect(next.map(\.rule) == [.next] && next[0].message == "it is sent next")
        await farm.end()
    }

    @Test("An operator has paused the queue")
    func paused() async throws {
        let farm = try await Farm()
        let job = try await farm.steps.job(try await farm.steps.rendering(SampleFilm()), .video)
        try await farm.worker("w1")
        try await farm.lease.store.setPaused(.video, true)
        let reasons = try await farm.why(job)
        #expect(reasons.map(\.rule) == [.pausedQueue])
        #expect(reasons[0].message.contains("spool queue resume video"))
        await farm.end()
    }

    @Test("A failed attempt is retried later, and the time is named")
    func pause() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        try await farm.worker("w1")
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .transient)
        let reasons = try await farm.why(try await farm.steps.job(id, .video))
        #expect(reasons.map(\.rule) == [.pause])
        #expect(reasons[0].message.contains("it is retried at "), "\(reasons[0].message)")
        #expect(reasons[0].message.contains(": attempt 1 failed ('sea.mp4' went wrong)"), "\(reasons[0].message)")
        #expect(try #require(reasons[0].until) > farm.steps.now)
        await farm.end()
    }

    @Test("A job that has failed names its failure, and how it is retried")
    func failed() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .input)
        let job = try await farm.steps.job(id, .video)
        let reasons = try await farm.why(job)
        #expect(reasons.map(\.rule) == [.over])
        #expect(
            reasons[0].message
                == "it waits for nothing, because it has failed ('sea.mp4' went wrong); retry it with: spool job retry \(job.id)")
        await farm.end()
    }

    @Test("All slots are busy, and exports of the tenant and of others go first")
    func slots() async throws {
        let farm = try await Farm()
        let other = try await farm.lease.store.createTenant("other", weight: 1).id
        let urgent = try await farm.steps.rendering(SampleFilm(pictures: ["news"]), priority: 10)
        _ = try await farm.steps.rendering(SampleFilm(pictures: ["theirs"]), tenant: other)
        let running = try await farm.steps.rendering(SampleFilm(pictures: ["now"]))
        let ticket = try await farm.steps.dispatch(running, .video)
        try await farm.worker("w1", running: [ticket])
        let id = try await farm.steps.rendering(SampleFilm(pictures: ["later"]), priority: -10)
        let reasons = try await farm.why(try await farm.steps.job(id, .video))
        #expect(reasons.map(\.rule) == [.slots, .order])
        #expect(reasons[0].workers == ["w1"])
        #expect(
            reasons[0].message
                == "all 1 slots of the workers that may do it are busy; more workers would make it faster")
        // The export that runs has sound that is ready, too, but another role's jobs stand in another queue.
        #expect(reasons[1].exports == [urgent], "\(reasons[1].message)")
        #expect(reasons[1].message.contains("the share of 1 other tenant"), "\(reasons[1].message)")
        #expect(
            reasons[1].message.contains(
                "before it go exports of the same tenant with a higher priority or an earlier time: \(urgent.text)"),
            "\(reasons[1].message)")
        let first = try await farm.why(try await farm.steps.job(urgent, .video))
        #expect(first.map(\.rule) == [.slots, .order] && first[1].exports == nil)
        await farm.end()
    }

    @Test("Exports that an operator put first, and more of the same tenant than are named, go first")
    func order() async throws {
        let farm = try await Farm()
        let other = try await farm.lease.store.createTenant("other", weight: 1, priorityCap: 5).id
        _ = try await farm.steps.rendering(
            SampleFilm(pictures: ["news"]), tenant: other, priority: 6, mayExceedCap: true)
        for number in 0..<JobRivals.limit {
            _ = try await farm.steps.rendering(SampleFilm(pictures: ["\(number)"]), priority: 1)
        }
        try await farm.worker("w1")
        let id = try await farm.steps.rendering(SampleFilm())
        let reasons = try await farm.why(try await farm.steps.job(id, .video))
        #expect(reasons.map(\.rule) == [.order])
        #expect(reasons[0].message.contains("1 urgent export that an operator put first"), "\(reasons[0].message)")
        #expect(reasons[0].message.contains(" and perhaps more"), "\(reasons[0].message)")
        await farm.end()
    }

    @Test("A job of many slots waits for enough of one worker")
    func width() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        let other = try await farm.steps.dispatch(id, .audio)
        // It ran out of memory once, and is retried alone on a machine.
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .resource)
        try await farm.worker("w1", slots: 4, running: [other])
        let facts = try await farm.why(try await farm.steps.job(id, .video))
        #expect(facts.map(\.rule) == [.slots])
        #expect(facts[0].message.contains("it needs 4 slots of one worker at once, and no more than 3 are free"))
        await farm.end()
    }

    @Test("A worker lacks what the job needs, and what jobs like it need")
    func lacking() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        try await farm.worker("w1")
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .environment, worker: "w1")
        _ = try await farm.lease.pool.query("UPDATE jobs SET not_before = now() - interval '1 hour'")
        for ordinal in 0...1 {
            let reasons = try await farm.why(try await farm.steps.job(id, .video, ordinal))
            #expect(reasons.map(\.rule) == [.excludedWorkers] && reasons[0].workers == ["w1"], "video \(ordinal)")
            #expect(reasons[0].message.contains("'sea.mp4' went wrong") && reasons[0].message.contains("600 s"))
        }
        #expect(try await farm.why(try await farm.steps.job(id, .audio)).map(\.rule) == [.next])
        try await farm.worker("w2")
        #expect(try await farm.why(try await farm.steps.job(id, .video)).map(\.rule) == [.next])
        await farm.end()
    }

    @Test("A job that took down the only worker goes to it again, although one that has gone lacked what it needs")
    func crashedBesideLacking() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .environment, worker: "gone")
        try await farm.steps.fail(try await farm.steps.dispatch(id, .video), .crash, worker: "w1")
        _ = try await farm.lease.pool.query("UPDATE jobs SET not_before = now() - interval '1 hour'")
        try await farm.worker("w1")
        let reasons = try await farm.why(try await farm.steps.job(id, .video))
        #expect(reasons.map(\.rule) == [.next] && reasons[0].workers == ["w1"], "\(reasons)")
        await farm.end()
    }

    @Test("Nothing is sent while the queue is away")
    func noQueue() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        _ = try await farm.lease.take()
        let away = CachedLook<[WorkerStatus]>(at: "the queue", lifetime: .seconds(600)) {
            throw FarmError(.unavailable, "nobody listens")
        }
        let explanation = FarmExplanation(store: farm.lease.store, workers: away, capableWorkerWait: 600)
        let ready = try await farm.steps.job(id, .video)
        let sent = try await farm.steps.dispatch(id, .video, 1)
        for job in [ready.id, sent.job] {
            let report = try #require(try await explanation.job(job, tenant: nil, at: farm.steps.now))
            #expect(report.reasons.map(\.rule) == [.noQueue])
            #expect(report.reasons[0].message == "the queue (Redis) cannot be reached, so nothing is sent")
        }
        await farm.end()
    }

    @Test("A job that is sent while it is asked about is on its way")
    func sentMeanwhile() async throws {
        let farm = try await Farm()
        let (steps, id) = (farm.steps, try await farm.steps.rendering(SampleFilm()))
        _ = try await farm.lease.take()
        let looking = CachedLook<[WorkerStatus]>(at: "the queue", lifetime: .seconds(600), timeout: .seconds(600)) {
            _ = try await steps.dispatch(id, .video)
            return []
        }
        let explanation = FarmExplanation(store: farm.lease.store, workers: looking, capableWorkerWait: 600)
        let job = try await steps.job(id, .video)
        let report = try #require(try await explanation.job(job.id, tenant: nil, at: steps.now))
        #expect(report.reasons.map(\.message) == ["it is being sent at this moment"])
        await farm.end()
    }

    @Test("What a job or an export needs is done, and its next step has not begun")
    func betweenSteps() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        _ = try await farm.lease.pool.query("UPDATE jobs SET state = 'done', finished_at = now() WHERE kind <> 'stitch'")
        let stitch = try await farm.why(try await farm.steps.job(id, .stitch))
        #expect(stitch.map(\.message) == ["what it needs is done, and it becomes ready at once"])
        #expect(try await farm.why(id).map(\.message) == ["what it needs is done, and its next step begins at once"])
        await farm.end()
    }

    @Test("A complete film is on its way to its destination")
    func destination() async throws {
        let farm = try await Farm()
        let request = ExportRequest(.document("{}"), label: "film", settings: ["destination": "archive"])
        let id = try await farm.lease.store.submit(request, id: ExportID(), tenant: farm.steps.tenant, idempotency: nil).export.id
        try await farm.lease.store.startProbing(id, jobs: [])
        try await farm.lease.store.startRendering(id, SampleFilm().plan)
        try await farm.steps.work()
        let reasons = try await farm.why(id)
        #expect(reasons.map(\.rule) == [.destination])
        #expect(
            reasons[0].message
                == "the film is complete and is being sent to its destination; see: spool status \(id.text)")
        await farm.end()
    }

    @Test("A stitch waits for its segments, and says what holds the first of them")
    func dependencies() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        let stitch = try await farm.steps.job(id, .stitch)
        let reasons = try await farm.why(stitch)
        #expect(reasons.map(\.rule) == [.jobs, .noWorker])
        #expect(reasons[0].message == "it needs 4 other jobs first: 1 audio, 1 soundtrack, 2 video")
        #expect(reasons[1].message.hasPrefix("job \(try await farm.steps.job(id, .video).id) (video 0): "))
        await farm.end()
    }

    @Test("Another job makes the same artifact")
    func maker() async throws {
        let farm = try await Farm()
        let first = try await farm.steps.rendering(SampleFilm(pictures: ["sea"]))
        let second = try await farm.steps.rendering(SampleFilm(pictures: ["sea", "hills"]))
        let ticket = try await farm.steps.dispatch(first, .video)
        try await farm.steps.report(ticket, .started)
        try await farm.worker("w1", running: [ticket])
        let reasons = try await farm.why(try await farm.steps.job(second, .video))
        #expect(reasons.map(\.rule) == [.jobs] && reasons[0].jobs == [ticket.job])
        #expect(reasons[0].message.contains("on worker 'w1'"))
        #expect(reasons[0].message.contains(" makes the same artifact now"))
        #expect(reasons[0].message.hasSuffix(", and this job is done with it"))
        await farm.end()
    }

    @Test("A job is sent, runs, falls silent, and is over")
    func course() async throws {
        let farm = try await Farm()
        let id = try await farm.steps.rendering(SampleFilm())
        let ticket = try await farm.steps.dispatch(id, .video)
        let job = try await farm.steps.job(id, .video)
        #expect(try await farm.why(job).map(\.rule) == [.noWorker], "nobody is there to take it")
        let nobody = try await farm.why(job)[0].message
        #expect(nobody.hasPrefix("its ticket has been in the queue of the pool 'default' since "))
        #expect(nobody.contains(", and no worker takes jobs of the role 'video' there; the ticket is taken back after "))
        try await farm.worker("w1")
        #expect(try await farm.why(job).map(\.rule) == [.sent])
        #expect(try await farm.why(job)[0].message.hasSuffix(", and the next free slot takes it"))
        try await farm.worker("w1") { $0.waiting = [ticket.identity] }
        let since = FarmJSON.text(try #require(job.dispatchedAt))
        #expect(
            try await farm.why(job)[0].message
                == "worker 'w1' has it since \(since), and begins it when a slot of it is free")
        try await farm.steps.report(ticket, .started)
        try await farm.worker("w1", running: [ticket])
        #expect(try await farm.why(job).map(\.rule) == [.running])
        #expect(try await farm.why(job)[0].message.hasPrefix("it runs on worker 'w1' since "))
        #expect(try await farm.why(job)[0].message.contains("12 of 30 done"))
        #expect(try await farm.why(id).map(\.rule).first == .running)
        await farm.queue.flush()
        #expect(
            try await farm.why(job)[0].message.contains(
                "which has sent no heartbeat lately; another worker gets it when its lease of "))
        try await farm.steps.finish(ticket)
        #expect(try await farm.why(job).map(\.rule) == [.over])
        #expect(try await farm.why(job)[0].message == "it waits for nothing, because it is done")
        await farm.end()
    }

    @Test("Exports wait to be compiled, for their tenant's quota, or for a leader, and end")
    func exports() async throws {
        let farm = try await Farm()
        let first = try await farm.steps.submit().id
        let second = try await farm.steps.submit().id
        #expect(try await farm.why(first).map(\.rule) == [.compiling])
        #expect(try await farm.why(first)[0].message.hasPrefix("its draft is compiled next"))
        #expect(try await farm.why(second)[0].message.contains("after 1 of the same tenant"))
        let rendering = try await farm.steps.rendering(SampleFilm())
        _ = try await farm.lease.store.changeTenant("studio", TenantChange(maxOpenJobs: 3))
        let quota = try await farm.why(second)
        #expect(quota.map(\.rule) == [.quota] && quota[0].message.contains("3 open jobs and may have 3"), "\(quota)")
        #expect(try await farm.why(rendering).map(\.rule) == [.noWorker])
        let job = try await farm.steps.job(rendering, .video)
        _ = try await farm.lease.pool.query("UPDATE lead SET holder = NULL")
        #expect(try await farm.why(job, leads: false).map(\.rule) == [.noLeader])
        #expect(
            try await farm.why(job, leads: false)[0].message
                == "no coordinator leads, so nothing is sent; see whether one is running")
        #expect(
            try await farm.explanation.export(first, tenant: farm.steps.tenant, at: farm.steps.now)?.reasons.map(\.message)
                == ["no coordinator leads, so its draft is not compiled; see whether one is running"])
        _ = try await farm.lease.store.cancel(rendering)
        #expect(try await farm.why(rendering).map(\.rule) == [.over])
        #expect(try await farm.why(try await farm.steps.job(rendering, .video)).map(\.rule) == [.over])
        await farm.end()
    }

    @Test("A tenant is told nothing of jobs and exports of others")
    func tenants() async throws {
        let farm = try await Farm()
        let other = try await farm.lease.store.createTenant("other", weight: 1).id
        let theirs = try await farm.steps.rendering(SampleFilm(), tenant: other)
        let job = try await farm.steps.job(theirs, .video)
        let explanation = farm.explanation
        #expect(try await explanation.job(job.id, tenant: farm.steps.tenant) == nil)
        #expect(try await explanation.export(theirs, tenant: farm.steps.tenant) == nil)
        #expect(try await explanation.job(job.id, tenant: nil) != nil)
        #expect(try await explanation.export(theirs, tenant: nil) != nil)
        await farm.end()
    }

    @Test("Both stores know the same of what stands beside a job and an export", arguments: StoreKind.allCases)
    func rivals(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1, priorityCap: 5).id
            let ids = try await [
                farm.rendering(SampleFilm(pictures: ["a"])), farm.rendering(SampleFilm(pictures: ["b"]), priority: 3),
                farm.rendering(SampleFilm(pictures: ["c"]), priority: 2),
                farm.rendering(SampleFilm(pictures: ["d"]), priority: 1),
            ]
            _ = try await farm.rendering(SampleFilm(pictures: ["e"]), tenant: other, priority: 6, mayExceedCap: true)
            let last = try await farm.rendering(SampleFilm(pictures: ["f"]))
            let rivals = try await farm.store.rivals(of: try await farm.job(last, .video))
            #expect(rivals.earlier == [ids[1], ids[2], ids[3]])
            #expect(rivals.otherTenants == 1 && rivals.urgentExports == 1)
            #expect(rivals.maker == nil && rivals.lacking.isEmpty)
            let submitted = try await [farm.submit(priority: 1), farm.submit(), farm.submit()]
            let compile = try await farm.store.compileRivals(of: submitted[2])
            #expect(compile.earlier == 2 && compile.maxOpenJobs == nil && compile.openJobs == nil)
        }
    }
}
