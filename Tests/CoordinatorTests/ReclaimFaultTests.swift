import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import Postgres
import Synchronization
import Testing
import FoundationEssentials

/// A job that nobody works on any more, and whose attempt the database refuses to end.
@Suite("A job that cannot be reclaimed", .timeLimit(.minutes(2)))
struct ReclaimFaultTests {
    /// How often a step is tried before its export fails.
    private static let tries = 3

    /// A leader whose steps the test takes itself, with a job that was sent.
    private struct Scene {
        let lease: LeaseFixture
        let farm: StoreFixture
        let queue: MemoryJobQueue
        let leader: Leader
        let export: ExportID
        let ticket: JobTicket

        /// - Parameters:
        ///   - queue: the queue, in which a worker is silent by the queue's own clock.
        ///   - watch: since when the queue has been watched.
        init(queue: MemoryJobQueue = MemoryJobQueue(), watch: QueueWatch = QueueWatch()) async throws {
            self.queue = queue
            lease = try await LeaseFixture()
            farm = StoreFixture(store: lease.store, tenant: try await lease.store.createTenant("studio", weight: 1).id)
            var logger = Logger(label: "leader")
            logger.logLevel = .critical
            leader = Leader(
                store: lease.store, queue: queue, planner: ExportPlanner(allowedDirectories: []), news: LeaderNews(),
                logger: logger, watch: watch)
            export = try await farm.rendering(SampleFilm())
            ticket = try await farm.dispatch(export, .video)
            try await lease.pool.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.state IN ('lost', 'returned') THEN RAISE 'this row is refused'; END IF; RETURN NEW; END $$
                """)
            try await lease.pool.execute(
                "CREATE TRIGGER refuse BEFORE UPDATE ON attempts FOR EACH ROW EXECUTE FUNCTION refuse()")
        }

        /// Expects that the export has failed for a reason that begins so.
        func expectFailure(_ beginning: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let failure = try #require(try await farm.export(export).failure, sourceLocation: sourceLocation)
            #expect(failure.failureClass == .crash && failure.job == ticket.job, sourceLocation: sourceLocation)
            #expect(failure.message.hasPrefix(beginning), "\(failure.message)", sourceLocation: sourceLocation)
            #expect(failure.message.contains("this row is refused"), sourceLocation: sourceLocation)
            await lease.pool.close()
        }
    }

    @Test("A lease whose end the database refuses three times fails the export, with the reason")
    func expired() async throws {
        let time = Mutex(ContinuousClock.now)
        let queue = MemoryJobQueue { time.withLock { $0 } }
        let watch = QueueWatch(at: time.withLock { $0 })
        let scene = try await Scene(queue: queue, watch: watch)
        for number in 1...Self.tries {
            #expect(try await scene.farm.state(scene.export) == .rendering, "before try \(number)")
            await queue.send([scene.ticket])
            _ = try await queue.take(roles: [.video], pools: ["default"], worker: "w1", limit: 1, wait: .zero)
            for _ in 1...15 {
                time.withLock { $0 += .seconds(1) }
                watch.look(at: time.withLock { $0 })
            }
            try await scene.leader.reclaimExpired(at: time.withLock { $0 })
        }
        try await scene.expectFailure("the expired lease of job \(scene.ticket.job) could not be stored: ")
    }

    @Test("A lost ticket whose job the database does not make ready again fails the export, with the reason")
    func lost() async throws {
        let scene = try await Scene()
        for number in 1...Self.tries {
            #expect(try await scene.farm.state(scene.export) == .rendering, "before try \(number)")
            try await scene.leader.reconcile(olderThan: .zero)
        }
        try await scene.expectFailure("job \(scene.ticket.job), which is to be ready again, could not be stored: ")
    }
}
