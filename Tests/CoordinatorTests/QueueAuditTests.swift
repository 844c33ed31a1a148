import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Postgres
import Synchronization
import TestSupport
import Testing
import FoundationEssentials

/// The audit of the database against the queue: each rule is broken by hand, and found.
@Suite("The audit of the queue")
struct QueueAuditTests {
    /// A clock that tests set.
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private struct Scene {
        let farm: StoreFixture
        let clock = Clock()
        let queue: MemoryJobQueue
        let ticket: JobTicket

        init() async throws {
            let (clock, store) = (clock, MemoryFarmStore())
            queue = MemoryJobQueue(now: { clock.now })
            farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
            _ = await queue.prepare(pools: ["default"])
            ticket = try await farm.dispatch(try await farm.rendering(SampleFilm()), .video)
            await queue.send([ticket])
        }

        func take(_ worker: String = "w1") async throws -> JobDelivery {
            try #require(
                try await queue.take(roles: [.video], pools: ["default"], worker: worker, limit: 1, wait: .zero).first)
        }

        /// A heartbeat that says what the worker is at work on.
        func beat(_ worker: String = "w1", running tickets: [JobTicket] = [], isDraining: Bool = false) async {
            var status = WorkerStatus(
                id: worker, host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default"], slots: 1,
                startedAt: farm.now, seenAt: farm.now, isDraining: isDraining, running: [])
            status.running = tickets.map {
                WorkerStatus.Running(
                    job: $0.job, attempt: $0.attempt, kind: $0.kind, done: 0, total: 1, startedAt: farm.now)
            }
            _ = await queue.heartbeat(status, lifetime: .seconds(3600))
        }

        func faults() async throws -> [String] {
            try await FarmAudit(store: farm.store, queue: queue, pause: .zero).run(at: farm.now).faults
                .map { "\($0.rule.rawValue): \($0.subject) \($0.detail)" }
        }

        /// The ticket as faults name it.
        var name: String { "job \(ticket.job), attempt \(ticket.attempt)" }
    }

    @Test("Finds nothing of a farm at work")
    func clean() async throws {
        let scene = try await Scene()
        #expect(try await scene.faults().isEmpty)
        let delivery = try await scene.take()
        await scene.beat(running: [scene.ticket])
        #expect(try await scene.faults().isEmpty)
        try await scene.farm.report(scene.ticket, .started)
        #expect(try await scene.faults().isEmpty)
        await scene.queue.report(
            JobReport(scene.ticket.identity, worker: "w1", .finished(result: JobResult(), reused: false)), finishing: delivery)
        #expect(try await scene.faults().isEmpty, "the report is on its way")
    }

    @Test("Finds attempts without tickets, and tickets without attempts")
    func tickets() async throws {
        let scene = try await Scene()
        await scene.queue.flush()
        #expect(
            try await scene.faults()
                == ["tickets: \(scene.name) is under way, and the queue has neither its ticket nor its report"])
        var foreign = scene.ticket
        foreign.attempt = 7
        await scene.queue.send([scene.ticket, foreign])
        #expect(
            try await scene.faults()
                == ["tickets: job \(foreign.job), attempt 7 is in the queue, and is not under way in the database"])
    }

    @Test("Finds tickets that nobody can read, once a lease has passed")
    func readers() async throws {
        let scene = try await Scene()
        scene.clock.advance(.seconds(19))
        #expect(try await scene.faults().isEmpty)
        scene.clock.advance(.seconds(2))
        let expected = ["readers: \(scene.name) has waited for 21 s in a lane that no worker serves"]
        #expect(try await scene.faults() == expected)
        await scene.beat(isDraining: true)
        #expect(try await scene.faults() == expected)
        await scene.beat()
        #expect(try await scene.faults().isEmpty)
    }

    @Test("Finds leases that nobody renews, and leases of workers that do nothing")
    func leases() async throws {
        let scene = try await Scene()
        let delivery = try await scene.take()
        await scene.beat()
        #expect(
            try await scene.faults() == ["leases: \(scene.name) has a lease at worker 'w1', which is not at work on it"])
        await scene.beat(running: [scene.ticket])
        #expect(try await scene.faults().isEmpty)
        scene.clock.advance(.seconds(21))
        #expect(
            try await scene.faults()
                == ["leases: \(scene.name) is at worker 'w1', which has not renewed its lease for 21 s"])
        await scene.queue.renew([delivery], worker: "w1")
        #expect(try await scene.faults().isEmpty)
    }

    @Test("Finds reports that are not applied")
    func reports() async throws {
        let scene = try await Scene()
        let delivery = try await scene.take()
        await scene.queue.report(
            JobReport(scene.ticket.identity, worker: "w1", .finished(result: JobResult(), reused: false)), finishing: delivery)
        scene.clock.advance(.seconds(11))
        #expect(try await scene.faults() == ["reports: the reports have waited to be applied for 11 s"])
    }

    @Test("What has passed at the second look is no fault")
    func passing() async throws {
        let scene = try await Scene()
        await scene.queue.flush()
        let audit = FarmAudit(store: scene.farm.store, queue: scene.queue, pause: .milliseconds(200))
        async let report = audit.run(at: scene.farm.now)
        await scene.queue.send([scene.ticket])
        #expect(try await report.faults.isEmpty)
    }

    @Test("Finds a farm without a leader, and a leader that is silent")
    func lead() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await MigratedDatabase.make()), limit: 2)
        let audit = FarmAudit(store: PostgresFarmStore(pool), queue: MemoryJobQueue())
        func faults() async throws -> [String] {
            try await audit.run(at: Date()).faults.map { "\($0.rule.rawValue): \($0.detail)" }
        }
        #expect(try await faults() == ["lead: has no coordinator that leads"])
        try await pool.execute("UPDATE lead SET holder = 'a coordinator', renewed_at = now()")
        #expect(try await faults().isEmpty)
        try await pool.execute("UPDATE lead SET renewed_at = now() - interval '30 s'")
        let silent = try await faults()
        #expect(silent.count == 1 && silent[0].hasPrefix("lead: has a leader that has not renewed its lead for 3"))
        await pool.close()
    }

    @Test("Finds rows that stay for too long")
    func retention() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await MigratedDatabase.make()), limit: 2)
        try await pool.execute("UPDATE lead SET holder = 'a coordinator', renewed_at = now() + interval '1 h'")
        let store = PostgresFarmStore(pool)
        let farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        let id = try await farm.rendering(SampleFilm())
        _ = try await store.cancel(id)
        let audit = FarmAudit(store: store, queue: MemoryJobQueue(), pause: .zero)
        func faults(_ age: String) async throws -> [AuditFault] {
            try await pool.execute("UPDATE exports SET finished_at = now() - interval '\(age)'")
            return try await audit.run(at: Date()).faults
        }
        #expect(try await faults("7 days").isEmpty, "the leader moves them within minutes")
        let late = try await faults("7 days 2 hours")
        #expect(late.map(\.rule) == [.retention] && late.map(\.subject) == ["jobs"])
        #expect(late.first?.detail.hasSuffix("that should be in the history for an hour or longer") == true)
        await pool.close()
    }
}
