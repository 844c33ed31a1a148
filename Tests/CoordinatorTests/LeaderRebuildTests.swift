import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Logging
import Postgres
import Scheduling
import Testing
import FoundationEssentials

@Suite("A scheduler that contradicts the database", .timeLimit(.minutes(2)))
struct LeaderRebuildTests {
    @Test("An export that is suddenly in another pool ends the round, and the next one builds the scheduler again")
    func otherPool() async throws {
        let lease = try await LeaseFixture()
        let farm = StoreFixture(store: lease.store, tenant: try await lease.store.createTenant("studio", weight: 1).id)
        let news = LeaderNews()
        var logger = Logger(label: "leader")
        logger.logLevel = .critical
        let leader = Leader(
            store: lease.store, queue: MemoryJobQueue(), planner: ExportPlanner(allowedDirectories: []), news: news,
            logger: logger)
        let worker = WorkerStatus(
            id: "w1", host: "here", version: "1", roles: WorkerRole.allCases, pools: ["default", "gpu"], slots: 1,
            startedAt: Date(), seenAt: Date(), isDraining: false, running: [])
        var state = DispatchState()
        let export = try await farm.rendering(SampleFilm())
        try await leader.dispatch(&state, to: [worker], at: farm.now)
        try await lease.pool.execute("UPDATE exports SET pool = 'gpu'")
        news.note(payload: WorkNotice.export(export).payload)
        var refusal: FarmError?
        do {
            try await leader.dispatch(&state, to: [worker], at: farm.now)
        } catch let error as FarmError {
            refusal = error
        }
        #expect(refusal == FarmError(.internalError, "the scheduler contradicts the database, and is built again from it"))
        try await leader.dispatch(&state, to: [worker], at: farm.now)
        let known = state.knownJobs
        #expect(known.ready.union(known.inFlight) == Set(try await farm.active().map(\.job.job.id)))
        await lease.pool.close()
    }
}
