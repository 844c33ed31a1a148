import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import Synchronization
import Testing
import FoundationEssentials

/// Leases end only while the leader looks on. The clocks of the queue and of the watch are the test's own.
@Suite("Reclaiming jobs")
struct ReclaimTests {
    /// A clock that only the test moves.
    private final class Time: Sendable {
        private let instant = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { instant.withLock { $0 } }

        func pass(_ time: Duration) { instant.withLock { $0 += time } }
    }

    /// A leader whose steps the test takes itself, with one job in the hands of worker w1.
    private struct Scene {
        let time = Time()
        let queue: MemoryJobQueue
        let farm: StoreFixture
        let watch: QueueWatch
        let leader: Leader
        let export: ExportID
        let delivery: JobDelivery

        init(film: SampleFilm = SampleFilm()) async throws {
            let time = time
            queue = MemoryJobQueue { time.now }
            watch = QueueWatch(at: time.now)
            let store = MemoryFarmStore()
            farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
            var logger = Logger(label: "leader")
            logger.logLevel = .critical
            leader = Leader(
                store: store, queue: queue, planner: ExportPlanner(allowedDirectories: []), news: LeaderNews(), logger: logger,
                watch: watch)
            export = try await farm.rendering(film)
            _ = await queue.prepare(pools: ["default"])
            let ticket = try await farm.dispatch(export, .video)
            await queue.send([ticket])
            let taken = try await queue.take(roles: [.video], pools: ["default"], worker: "w1", limit: 1, wait: .zero)
            delivery = try #require(taken.first)
        }

        /// Lets time pass in which the queue answers each second.
        func look(for seconds: Int, renewing: Bool = false) async {
            for _ in 0..<seconds {
                time.pass(.seconds(1))
                watch.look(at: time.now)
                if renewing { await queue.renew([delivery], worker: "w1") }
            }
        }

        func reclaim() async throws { try await leader.reclaimExpired(at: time.now) }

        /// The states of the job's attempts, in order.
        func attempts() async throws -> [AttemptState] {
            try await farm.attempts(delivery.ticket.job).map(\.state)
        }
    }

    @Test("A lease ends when its worker is silent for a lease while the leader looks on, and not before")
    func silence() async throws {
        let scene = try await Scene()
        await scene.look(for: 14)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.dispatched])
        await scene.look(for: 1)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.lost])
    }

    @Test("A live worker keeps its lease for however long")
    func renewed() async throws {
        let scene = try await Scene()
        for _ in 0..<20 {
            await scene.look(for: 14, renewing: true)
            try await scene.reclaim()
        }
        #expect(try await scene.attempts() == [.dispatched])
    }

    /// What keeps the leader from seeing the queue.
    enum Gap: CaseIterable, Sendable {
        /// The queue refuses each look.
        case queueFails
        /// The queue, or the leader's process, stands still.
        case standsStill
    }

    @Test(
        "After a gap no lease ends before the leader has looked on for a whole lease again", arguments: Gap.allCases, [22, 120])
    func gap(_ gap: Gap, seconds: Int) async throws {
        let scene = try await Scene()
        await scene.look(for: 20, renewing: true)
        switch gap {
        case .queueFails:
            for _ in 0..<seconds {
                scene.time.pass(.seconds(1))
                scene.watch.fail(at: scene.time.now)
            }
        case .standsStill: scene.time.pass(.seconds(seconds))
        }
        try await scene.reclaim()
        await scene.look(for: 14)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.dispatched], "the worker has not had its lease yet")
        // The worker was stopped around the end of the gap, and goes on now.
        await scene.look(for: 1, renewing: true)
        try await scene.reclaim()
        await scene.look(for: 14)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.dispatched])
        await scene.look(for: 1)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.lost], "it was seen since the gap, so its silence counts")
    }

    @Test("A worker that is silent since a gap costs its job no attempt", arguments: Gap.allCases)
    func silentSinceGap(_ gap: Gap) async throws {
        let scene = try await Scene()
        switch gap {
        case .queueFails: scene.watch.fail(at: scene.time.now)
        case .standsStill: scene.time.pass(.seconds(22))
        }
        await scene.look(for: 16)
        try await scene.reclaim()
        #expect(try await scene.attempts() == [.returned])
        #expect(try await scene.farm.job(scene.delivery.ticket.job).state == .ready)
    }

    @Test("A look that comes a little late is no gap")
    func late() {
        let time = Time()
        let watch = QueueWatch(at: time.now)
        for _ in 0..<10 {
            time.pass(QueueWatch.longestGap)
            watch.look(at: time.now)
        }
        #expect(watch.duration(at: time.now) == QueueWatch.longestGap * 10)
        #expect(!watch.takeGap())
        time.pass(QueueWatch.longestGap + .milliseconds(1))
        #expect(watch.duration(at: time.now) == .zero, "before the next look")
        watch.look(at: time.now)
        #expect(watch.duration(at: time.now) == .zero, "after it")
        #expect(watch.takeGap() && !watch.takeGap())
    }

    // MARK: Tickets that nobody reads

    private func worker(_ id: String, pools: [String] = ["default"], draining: Bool = false) -> WorkerStatus {
        WorkerStatus(
            id: id, host: "h", version: "1", roles: [.video], pools: pools, slots: 1, startedAt: Date(), seenAt: Date(),
            isDraining: draining, running: [])
    }

    @Test("A ticket that no live worker reads within a lease is taken back, without a failed attempt")
    func unread() async throws {
        let scene = try await Scene()
        let ticket = try await scene.farm.dispatch(scene.export, .video, 1)
        await scene.queue.send([ticket])
        // Its worker died; another one drains, and a third serves another pool.
        _ = await scene.queue.heartbeat(worker("dead"), lifetime: .seconds(10))
        _ = await scene.queue.heartbeat(worker("drains", draining: true), lifetime: .seconds(60))
        _ = await scene.queue.heartbeat(worker("other", pools: ["gpu"]), lifetime: .seconds(60))
        await scene.look(for: 14, renewing: true)
        try await scene.leader.withdrawUnread(at: scene.time.now)
        #expect(try await scene.farm.attempts(ticket.job).map(\.state) == [.dispatched])
        await scene.look(for: 1, renewing: true)
        try await scene.leader.withdrawUnread(at: scene.time.now)
        #expect(try await scene.farm.attempts(ticket.job).map(\.state) == [.returned])
        #expect(try await scene.farm.job(ticket.job).state == .ready)
        #expect(try await scene.attempts() == [.dispatched], "the ticket that a worker has read stays with it")
    }

    @Test("A ticket for workers that are busy stays in the queue")
    func busy() async throws {
        let scene = try await Scene()
        let ticket = try await scene.farm.dispatch(scene.export, .video, 1)
        await scene.queue.send([ticket])
        _ = await scene.queue.heartbeat(worker("w1"), lifetime: .seconds(3600))
        await scene.look(for: 600, renewing: true)
        try await scene.leader.withdrawUnread(at: scene.time.now)
        #expect(try await scene.farm.attempts(ticket.job).map(\.state) == [.dispatched])
        #expect(await scene.queue.held().contains(ticket.identity))
    }

    // MARK: Lost tickets

    @Test("A job that the queue has lost is ready again, but not one whose end waits to be applied")
    func reconciled() async throws {
        let scene = try await Scene()
        let lost = try await scene.farm.dispatch(scene.export, .video, 1)
        let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
        await scene.queue.report(
            JobReport(scene.delivery.ticket.identity, worker: "w1", outcome), finishing: scene.delivery)
        try await scene.leader.reconcile(olderThan: .zero)
        #expect(try await scene.attempts() == [.dispatched], "its report is applied later")
        #expect(try await scene.farm.attempts(lost.job).map(\.state) == [.returned])
    }

    @Test("The start of a job that the queue has lost is no end")
    func startedAndLost() async throws {
        let scene = try await Scene()
        await scene.queue.flush()
        await scene.queue.report(JobReport(scene.delivery.ticket.identity, worker: "w1", .started), finishing: nil)
        try await scene.leader.reconcile(olderThan: .zero)
        #expect(try await scene.attempts() == [.returned])
    }
}
