import FarmAPI
import JobQueue
import Redis
import Synchronization
import TestSupport
import Testing
import Worker

@Suite("A worker that drains")
struct DrainTests {
    enum Absence: CaseIterable, Sendable { case throwing, silent }

    @Test("It ends when its grace is over, although its queue is away", .timeLimit(.minutes(1)), arguments: Absence.allCases)
    func memory(_ absence: Absence) async throws {
        let queue = MemoryJobQueue()
        let away = AwayQueue(queue, absence)
        let farm = try await WorkerFixture(queue: queue, seen: away)
        try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence), farm.ticket(2, "waits for a slot")])
        try await drained(farm) { away.leave() }
        // A job whose end could not be reported is reclaimed when its lease expires.
        #expect(await queue.reclaimExpired(idle: .zero).map(\.job).contains(1))
    }

    @Test("It ends when Redis is gone or does not answer", .timeLimit(.minutes(1)), arguments: ["KILL", "STOP"])
    func redis(_ signal: String) async throws {
        let server = try await RedisServer.start()
        func connect() throws -> RedisJobQueue { RedisJobQueue(RedisClient(try RedisConfiguration(url: server.url))) }
        let farm = try await WorkerFixture(queue: try connect(), seen: try connect())
        try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence)])
        try await drained(farm) { try await server.signal(signal) }
        try await server.signal("CONT")  // while stopped, the process could not be ended
    }

    @Test("A worker drains when the coordinator asks it", .timeLimit(.minutes(1)))
    func asked() async throws {
        let queue = MemoryJobQueue()
        let farm = try await WorkerFixture(queue: queue, seen: queue)
        try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await farm.worker.run() }
            let status = try await farm.status { !$0.running.isEmpty }
            await queue.drain(status)
            try await group.waitForAll()
        }
        #expect(await queue.workers().isEmpty)
        // On a busy machine the worker may end before it has returned the job, which is then reclaimed.
        let outcomes = try await queue.reports(limit: 10, wait: .zero).map(\.report.outcome)
        #expect(outcomes.allSatisfy { $0 == .started || $0 == .returned }, "\(outcomes)")
    }

    @Test("A worker whose drain is taken back takes jobs again, in all its slots", .timeLimit(.minutes(2)))
    func resumed() async throws {
        let queue = MemoryJobQueue()
        let farm = try await WorkerFixture(queue: queue, seen: queue, capacity: WorkerCapacity(slots: 3), grace: .seconds(600))
        try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence)])
        try await farm.working {
            for round in 1...2 {
                let status = try await farm.status { !$0.running.isEmpty && !$0.isDraining }
                await queue.drain(status)
                let draining = try await farm.status { $0.isDraining && $0.running.count == 1 }
                #expect(draining.canResume == true && draining.running.map(\.job) == [1])
                await queue.resume(draining)
                let resumed = try await farm.status { !$0.isDraining }
                #expect(resumed.canResume == false)
                // Two slots are free. Their jobs end while the silent one still runs.
                let jobs = Int64(round * 10)..<Int64(round * 10 + 4)
                try await farm.queue.send(try jobs.map { try farm.ticket($0, "job-\($0)") })
                #expect(Set(try await farm.ends(4).map(\.id.job)) == Set(jobs))
            }
        }
    }

    @Test("A drain that a signal began, or whose jobs have ended, is not taken back", .timeLimit(.minutes(1)))
    func tooLate() async throws {
        let queue = MemoryJobQueue()
        let farm = try await WorkerFixture(queue: queue, seen: queue, grace: .seconds(2))
        try await farm.queue.send([farm.ticket(1, MisbehavingRenderer.silence)])
        let ended = Task { try await farm.worker.run() }  // awaited below
        await queue.drain(try await farm.status { !$0.running.isEmpty })
        _ = try await farm.status { $0.isDraining }
        // The signal comes after the coordinator's request, and counts.
        async let stopped: Void = farm.worker.drain()
        await queue.resume(try await farm.status { $0.isDraining && $0.canResume != true })
        await stopped
        try await ended.value
        #expect(await queue.workers().isEmpty)
    }

    /// Drains a worker with a silent job, when its queue has gone, and waits for its end.
    private func drained(_ farm: WorkerFixture, _ leave: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await farm.worker.run() }
            _ = try await farm.status { !$0.running.isEmpty }
            try await leave()
            group.addTask { await farm.worker.drain() }
            try await group.waitForAll()
        }
    }
}

/// A queue that can go away.
private final class AwayQueue: WorkerQueue {
    struct Away: Error {}

    private let queue: MemoryJobQueue
    private let absence: DrainTests.Absence
    private let isAway = Mutex(false)

    init(_ queue: MemoryJobQueue, _ absence: DrainTests.Absence) {
        self.queue = queue
        self.absence = absence
    }

    func leave() { isAway.withLock { $0 = true } }

    /// A silent server answers nobody, not even callers that stop waiting.
    private func check() async throws {
        guard isAway.withLock({ $0 }) else { return }
        if absence == .throwing { throw Away() }
        let task = Task { try await Task.sleep(for: .seconds(3600)) }  // cancelling the caller does not end this wait
        _ = await task.result
    }

    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        try await check()
        return try await queue.take(
            roles: roles, pools: pools, worker: worker, limit: limit, wait: wait)
    }

    func renew(_ deliveries: [JobDelivery], worker: String) async throws {
        try await check()
        await queue.renew(deliveries, worker: worker)
    }

    func report(_ report: JobReport, finishing: JobDelivery?) async throws {
        try await check()
        await queue.report(report, finishing: finishing)
    }

    func heartbeat(_ status: WorkerStatus, lifetime: Duration) async throws -> HeartbeatAnswer {
        try await check()
        return await queue.heartbeat(status, lifetime: lifetime)
    }

    func deregister(worker: String) async throws {
        try await check()
        await queue.deregister(worker: worker)
    }
}
