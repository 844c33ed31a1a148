import FarmAPI
import Coordinator
import ExportPlan
import InMemoryLogging
import JobQueue
import Logging
import Scheduling
import Testing
import FoundationEssentials

/// How the leader's scheduler follows the store, step by step, with a store and a queue in memory.
@Suite("The leader's dispatch")
struct LeaderDispatchTests {
    /// A leader that takes one step at a time, and a worker that has all roles.
    private struct Scene {
        let farm: StoreFixture
        let queue = MemoryJobQueue()
        let news = LeaderNews()
        let log = InMemoryLogHandler()
        let leader: Leader
        var state = DispatchState()
        var worker: WorkerStatus

        init(slots: Int = 4) async throws {
            let store = MemoryFarmStore()
            farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
            var logger = Logger(label: "leader") { [log] _ in log }
            logger.logLevel = .error
            leader = Leader(
                store: store, queue: queue, planner: ExportPlanner(allowedDirectories: []), news: news, logger: logger)
            worker = WorkerStatus(
                id: "w1", host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default", "gpu"], slots: slots,
                startedAt: Date(), seenAt: Date(), isDraining: false, running: [])
            _ = await queue.prepare(pools: ["default"])
        }

        /// One round of the leader.
        /// - Returns: what the worker takes from the queue then.
        mutating func round() async throws -> [JobDelivery] {
            try await leader.dispatch(&state, to: [worker], at: farm.now)
            var taken: [JobDelivery] = []
            while true {
                let more = try await queue.take(
                    roles: worker.roles, pools: worker.pools, worker: worker.id, limit: 100, wait: .zero)
                if more.isEmpty { return taken }
                taken += more
            }
        }

        /// Reports these jobs as done, and lets the leader apply it.
        func finish(_ deliveries: [JobDelivery]) async throws {
            for delivery in deliveries {
                let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
                await queue.report(JobReport(delivery.ticket.identity, worker: "w1", outcome), finishing: delivery)
            }
            _ = try await leader.applyReports(wait: .zero)
        }
    }

    private static func film(_ name: String, pictures: Int) -> SampleFilm {
        SampleFilm(pictures: (0..<pictures).map { "\(name) \($0)" }, sounds: [])
    }

    @Test("A film is rendered by rounds and reports alone, and the scheduler then knows of nothing more")
    func wholeFilm() async throws {
        var scene = try await Scene()
        let export = try await scene.farm.rendering(Self.film("sea", pictures: 6))
        var repetitions = 0
        while try await scene.farm.state(export) != .completed {
            repetitions += 1
            try #require(repetitions < 20)
            let taken = try await scene.round()
            try #require(taken.count <= 4, "no more than there are slots")
            try await scene.finish(taken)
        }
        #expect(try await scene.round().isEmpty)
        #expect(scene.state.knownJobs.ready.isEmpty && scene.state.knownJobs.inFlight.isEmpty)
        #expect(!scene.state.isBusy)
    }

    @Test("A new leader counts what is in flight, and sends what its room is left for")
    func begins() async throws {
        var scene = try await Scene()
        let export = try await scene.farm.rendering(Self.film("sea", pictures: 6))
        for picture in 0..<3 { _ = try await scene.farm.dispatch(export, .video, picture) }
        #expect(try await scene.round().count == 1)
        #expect(scene.state.knownJobs.inFlight.count == 4)
    }

    @Test("An export that another coordinator cancels sends nothing more, and others get its room")
    func cancelled() async throws {
        var scene = try await Scene()
        let first = try await scene.farm.rendering(Self.film("sea", pictures: 9))
        #expect(try await scene.round().count == 4)
        let second = try await scene.farm.rendering(Self.film("hills", pictures: 4))
        scene.news.note(payload: WorkNotice.export(second).payload)
        #expect(try await scene.round().isEmpty)
        _ = try await scene.farm.store.cancel(first)
        scene.news.note(payload: WorkNotice.export(first).payload)
        let taken = try await scene.round()
        #expect(taken.count == 4)
        let jobs = Set(try await scene.farm.jobs(second).map(\.id))
        #expect(taken.allSatisfy { jobs.contains($0.ticket.job) })
    }

    @Test("What no notification told is found by comparing with the store")
    func compared() async throws {
        var scene = try await Scene()
        let first = try await scene.farm.rendering(Self.film("sea", pictures: 9))
        #expect(try await scene.round().count == 4)
        let second = try await scene.farm.rendering(Self.film("hills", pictures: 2))
        _ = try await scene.farm.store.cancel(first)
        #expect(try await scene.round().isEmpty, "it does not know of it yet")
        try await scene.leader.compareSome(&scene.state)
        #expect(try await scene.farm.store.audit(at: scene.farm.now).isEmpty, "the news may be on their way")
        try await scene.leader.compareSome(&scene.state)
        let jobs = try await scene.farm.active().map(\.job.job.id).sorted()
        #expect(Set(jobs).isSubset(of: scene.state.knownJobs.ready))
        let faults = try await scene.farm.store.audit(at: scene.farm.now)
        #expect(faults.map(\.rule) == [.scheduler] && faults.map(\.subject) == [second.text])
        let list = jobs.map(String.init).joined(separator: ", ")
        #expect(faults.first?.detail == "the scheduler did not know that jobs \(list) are ready")
        let message = "the scheduler did not know that jobs \(list) are ready of export \(second.text)"
        #expect(scene.log.entries.map(\.message.description) == [message])
    }

    @Test("Something that is told between two comparisons is no fault")
    func late() async throws {
        var scene = try await Scene()
        _ = try await scene.round()
        let export = try await scene.farm.rendering(Self.film("hills", pictures: 2))
        try await scene.leader.compareSome(&scene.state)
        scene.news.note(payload: WorkNotice.export(export).payload)
        try await scene.leader.compareSome(&scene.state)
        let sent = try await scene.round()
        #expect(sent.map(\.ticket.kind) == [.video, .video, .soundtrack])
        try await scene.leader.compareSome(&scene.state)
        #expect(try await scene.farm.store.audit(at: scene.farm.now).isEmpty)
    }

    @Test("Nothing is a fault while the step that stored it may still tell of it, and what it does not tell is one later")
    func untold() async throws {
        var scene = try await Scene()
        _ = try await scene.round()
        let (leader, farm) = (scene.leader, scene.farm)
        var state = scene.state
        // The answer to the statement comes so late that the store is compared three times meanwhile.
        try await scene.news.storing {
            _ = try await farm.rendering(Self.film("hills", pictures: 2))
            for _ in 0..<3 { try await leader.compareSome(&state) }
        }
        #expect(try await farm.store.audit(at: farm.now).isEmpty && state.knownJobs.ready.isEmpty)
        // A step that began afterwards can tell nothing of it.
        try await scene.news.storing { try await leader.compareSome(&state) }
        #expect(try await farm.store.audit(at: farm.now).map(\.rule) == [.scheduler])
        #expect(state.knownJobs.ready.count == 3)
    }

    @Test("A tenant is charged for what its jobs took, and not for the prediction, also where the store is compared first")
    func comparedShares() async throws {
        var scene = try await Scene(slots: 1)
        let store = scene.farm.store
        let other = try await store.createTenant("other", weight: 1).id
        for (tenant, name, seconds) in [(scene.farm.tenant, "sea", 100.0), (other, "hills", 1)] {
            let film = Self.film(name, pictures: 4)
            let id = try await scene.farm.probing([], tenant: tenant)
            let jobs = film.jobs.map { job in
                var job = job
                job.weight = seconds
                return job
            }
            try await store.startRendering(id, PlannedExport(jobs: jobs, filmKey: film.filmKey, frameCount: film.frameCount))
        }
        var order: [Int64] = []
        // The second tenant's job takes ten times as long as the first one's, which was predicted to take a hundred times.
        for seconds in [1.0, 10, 1, 1] {
            let taken = try #require(try await scene.round().first)
            order.append(taken.ticket.tenant)
            let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
            let measured = JobMeasurement(taken.ticket.work, seconds: seconds)
            await scene.queue.report(
                JobReport(taken.ticket.identity, worker: "w1", outcome, measured: measured), finishing: taken)
            _ = try await scene.leader.applyReports(wait: .zero)
            try await scene.leader.compareSome(&scene.state)
        }
        #expect(order == [scene.farm.tenant, other, scene.farm.tenant, scene.farm.tenant])
    }

    @Test("A paused role sends nothing until it is resumed")
    func paused() async throws {
        var scene = try await Scene()
        _ = try await scene.farm.rendering(SampleFilm(pictures: ["sea"], sounds: ["waves"]))
        try await scene.farm.store.setPaused(.video, true)
        #expect(try await scene.round().map(\.ticket.kind) == [.audio])
        try await scene.farm.store.setPaused(.video, false)
        #expect(try await scene.round().isEmpty)
        scene.news.note(payload: WorkNotice.settings.payload)
        #expect(try await scene.round().map(\.ticket.kind) == [.video])
    }

    @Test("An export above its tenant's cap is sent before shares, until a notice says that the cap is higher")
    func urgent() async throws {
        var scene = try await Scene()
        let store = scene.farm.store
        let other = try await store.createTenant("other", weight: 1).id
        _ = try await store.changeTenant("studio", weight: nil, priorityCap: 10)
        let urgent = try await scene.farm.rendering(Self.film("sea", pictures: 30), priority: 11, mayExceedCap: true)
        _ = try await scene.farm.rendering(Self.film("hills", pictures: 30), tenant: other)
        let ours = Set(try await scene.farm.jobs(urgent).map(\.id))
        let first = try await scene.round()
        #expect(first.count == 4 && first.allSatisfy { ours.contains($0.ticket.job) })
        _ = try await store.changeTenant("studio", weight: nil, priorityCap: 11)
        scene.worker.slots = 8
        let second = try await scene.round()
        #expect(!second.isEmpty && second.allSatisfy { ours.contains($0.ticket.job) }, "it does not know the new cap yet")
        scene.news.note(payload: WorkNotice.settings.payload)
        scene.worker.slots = 12
        let third = try await scene.round()
        #expect(!third.isEmpty && third.allSatisfy { !ours.contains($0.ticket.job) }, "the other tenant has had nothing yet")
    }

    @Test("A lower cap makes none of the tenant's waiting exports urgent")
    func lowerCap() async throws {
        var scene = try await Scene()
        let store = scene.farm.store
        let other = try await store.createTenant("other", weight: 1).id
        let high = try await scene.farm.rendering(Self.film("sea", pictures: 30), priority: 50)
        #expect(try await scene.round().count == 4)
        _ = try await scene.farm.rendering(Self.film("hills", pictures: 30), tenant: other)
        _ = try await store.changeTenant("studio", weight: nil, priorityCap: 10)
        // A store in memory notifies nobody. The one in the database sends these notices in this order.
        for export in try await store.openExports(after: 0, limit: 10) {
            scene.news.note(payload: WorkNotice.export(export.id).payload)
        }
        scene.news.note(payload: WorkNotice.settings.payload)
        scene.worker.slots = 8
        let ours = Set(try await scene.farm.jobs(high).map(\.id))
        let taken = try await scene.round()
        #expect(taken.contains { !ours.contains($0.ticket.job) })
    }

    @Test("After an operator's retry the jobs of the export are sent again")
    func retried() async throws {
        var scene = try await Scene()
        let export = try await scene.farm.rendering(Self.film("sea", pictures: 1))
        let ticket = try #require(try await scene.round().first { $0.ticket.kind == .video })
        let failure = JobFailure(.input, subject: "sea.mp4", message: "is damaged")
        await scene.queue.report(
            JobReport(ticket.ticket.identity, worker: "w1", .failed(failure: failure)), finishing: ticket)
        _ = try await scene.leader.applyReports(wait: .zero)
        #expect(try await scene.farm.state(export) == .failed)
        #expect(try await scene.round().isEmpty)
        #expect(!scene.state.isBusy, "what was in flight of a failed export takes no room")
        try await scene.farm.store.retry(ticket.ticket.job)
        scene.news.note(payload: WorkNotice.export(export).payload)
        #expect(try await scene.round().contains { $0.ticket.job == ticket.ticket.job && $0.ticket.attempt == 2 })
    }

    @Test("A job that all workers are excluded from may go to any worker again")
    func readmitted() async throws {
        var scene = try await Scene()
        _ = try await scene.farm.rendering(Self.film("sea", pictures: 1))
        let ticket = try #require(try await scene.round().first { $0.ticket.kind == .video })
        let failure = JobFailure(.crash, subject: "", message: "the rendering process died")
        await scene.queue.report(
            JobReport(ticket.ticket.identity, worker: "w1", .failed(failure: failure)), finishing: ticket)
        _ = try await scene.leader.applyReports(wait: .zero)
        // The first round finds that no worker is left, the second one sends the job all the same.
        var again: [JobDelivery] = []
        for _ in 0..<2 {
            try await scene.leader.dispatch(&scene.state, to: [scene.worker], at: scene.farm.now + 3600)
            again += try await scene.queue.take(
                roles: scene.worker.roles, pools: scene.worker.pools, worker: "w1", limit: 10, wait: .zero)
        }
        #expect(again.map(\.ticket.job).contains(ticket.ticket.job))
    }

    @Test("A job that any worker may take again goes to a new worker that comes before it is sent")
    func readmittedForNewWorker() async throws {
        var scene = try await Scene()
        _ = try await scene.farm.rendering(Self.film("sea", pictures: 1))
        let ticket = try #require(try await scene.round().first { $0.ticket.kind == .video })
        let failure = JobFailure(.crash, subject: "", message: "the rendering process died")
        await scene.queue.report(
            JobReport(ticket.ticket.identity, worker: "w1", .failed(failure: failure)), finishing: ticket)
        _ = try await scene.leader.applyReports(wait: .zero)
        // It is re-admitted while no worker is left, and waits because the only one drains.
        var draining = scene.worker
        draining.isDraining = true
        let later = scene.farm.now + 3600
        for worker in [scene.worker, draining] {
            try await scene.leader.dispatch(&scene.state, to: [worker], at: later)
        }
        var other = scene.worker
        other.id = "w2"
        for _ in 0..<2 { try await scene.leader.dispatch(&scene.state, to: [scene.worker, other], at: later) }
        let taken = try await scene.queue.take(
            roles: other.roles, pools: other.pools, worker: "w2", limit: 10, wait: .zero)
        #expect(taken.contains { $0.ticket.job == ticket.ticket.job && $0.ticket.worker == "w2" })
    }

    /// Has the worker fail a job because it lacks a font.
    private static func failForFont(_ delivery: JobDelivery, _ scene: Scene) async throws {
        let failure = JobFailure(.environment, subject: "Futura", message: "is not installed")
        await scene.queue.report(
            JobReport(delivery.ticket.identity, worker: "w1", .failed(failure: failure)), finishing: delivery)
        _ = try await scene.leader.applyReports(wait: .zero)
    }

    @Test("A job that no worker can do waits for one that can, and others like it are not sent to those that cannot")
    func waitsForCapableWorker() async throws {
        var scene = try await Scene(slots: 1)
        let export = try await scene.farm.rendering(Self.film("sea", pictures: 3))
        let ticket = try #require(try await scene.round().first { $0.ticket.kind == .video })
        try await Self.failForFont(ticket, scene)
        for _ in 0..<3 {
            let sent = try await scene.round()
            #expect(sent.allSatisfy { $0.ticket.kind != .video }, "w1 is not asked for other pictures: \(sent)")
            try await scene.finish(sent)
        }
        #expect(try await scene.farm.state(export) == .rendering)
        let events = try await scene.farm.store.events(of: export, after: 0, limit: 100)
        let waits = events.filter { $0.message.contains("they wait until") }
        #expect(waits.count == 1 && waits.first?.message.contains("'Futura' is not installed") == true, "\(events)")
        // Comparing the scheduler with the store finds nothing to correct.
        for _ in 0..<2 { try await scene.leader.compareSome(&scene.state) }
        #expect(try await scene.farm.store.audit(at: scene.farm.now).isEmpty)
        var other = scene.worker
        other.id = "w2"
        other.slots = 3
        var taken: [JobDelivery] = []
        for _ in 0..<2 {
            try await scene.leader.dispatch(&scene.state, to: [scene.worker, other], at: scene.farm.now)
            taken += try await scene.queue.take(
                roles: other.roles, pools: other.pools, worker: "w2", limit: 10, wait: .zero)
        }
        #expect(taken.count == 3 && taken.allSatisfy { $0.ticket.worker == "w2" }, "\(taken)")
    }

    @Test("An export fails when no worker has come that can do its job, also under a new leader")
    func failsWithoutCapableWorker() async throws {
        for hasNewLeader in [false, true] {
            var scene = try await Scene(slots: 1)
            let export = try await scene.farm.rendering(Self.film("sea", pictures: 1))
            let ticket = try #require(try await scene.round().first { $0.ticket.kind == .video })
            try await Self.failForFont(ticket, scene)
            for _ in 0..<2 { try await scene.finish(try await scene.round()) }
            if hasNewLeader { scene.state = DispatchState() }
            for seconds in [300.0, 900] {
                for _ in 0..<2 {
                    try await scene.leader.dispatch(&scene.state, to: [scene.worker], at: scene.farm.now + seconds)
                }
                #expect(try await scene.farm.state(export) == (seconds < 600 ? .rendering : .failed))
            }
            let failure = try await scene.farm.store.export(export, tenant: nil)?.failure
            #expect(
                failure?.message == "no worker can do the job: 'Futura' is not installed" && failure?.job == ticket.ticket.job)
        }
    }

    @Test("A notice comes back from its payload, and other payloads are no notices")
    func notices() {
        for notice in [WorkNotice.submission, .settings, .export(ExportID())] {
            #expect(WorkNotice(payload: notice.payload) == notice)
        }
        for payload in ["", "export", "00000000-0000", "settings "] { #expect(WorkNotice(payload: payload) == nil) }
    }

    @Test("A notification of another version makes the leader read everything again", arguments: ["gap", "payload"])
    func rebuilt(how: String) async throws {
        var scene = try await Scene(slots: 1)
        let first = try await scene.farm.rendering(Self.film("sea", pictures: 2))
        let taken = try await scene.round()
        #expect(taken.count == 1)
        _ = try await scene.farm.store.cancel(first)
        _ = try await scene.farm.rendering(Self.film("hills", pictures: 1))
        if how == "gap" { scene.news.noteGap() } else { scene.news.note(payload: "something new") }
        #expect(try await scene.round().count == 1)
    }

    @Test("A backlog that is read in several steps is known in the end, and is dispatched meanwhile")
    func backlog() async throws {
        var scene = try await Scene(slots: 1)
        var exports: [ExportID] = []
        // More than are read at a time, with more jobs than are read before a round.
        for number in 0..<30 { exports.append(try await scene.farm.rendering(Self.film("\(number)", pictures: 300))) }
        let first = try await scene.round()
        #expect(first.count == 1 && scene.state.isBusy && !scene.state.knowsAll)
        try await scene.finish(first)
        var repetitions = 0
        while !scene.state.knowsAll {
            repetitions += 1
            try #require(repetitions < 10)
            _ = try await scene.round()
        }
        let active = try await scene.farm.active().map(\.job)
        #expect(scene.state.knownJobs.ready == Set(active.filter { !$0.isInFlight }.map(\.job.id)))
        #expect(scene.state.knownJobs.inFlight == Set(active.filter(\.isInFlight).map(\.job.id)))
    }
}
