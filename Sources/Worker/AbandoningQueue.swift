import JobQueue

/// The queue as a worker uses it: whoever is cancelled stops waiting at once, also where the call itself goes on until a server
/// that is away has been given up on. So a worker that has to end does end.
struct AbandoningQueue: WorkerQueue {
    let queue: any WorkerQueue

    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        try await orAbandon { try await queue.take(roles: roles, pools: pools, worker: worker, limit: limit, wait: wait) }
    }

    func renew(_ deliveries: [JobDelivery], worker: String) async throws {
        try await orAbandon { try await queue.renew(deliveries, worker: worker) }
    }

    func report(_ report: JobReport, finishing: JobDelivery?) async throws {
        try await orAbandon { try await queue.report(report, finishing: finishing) }
    }

    func beat(_ status: WorkerStatus, lifetime: Duration) async throws -> Set<AttemptID> {
        try await orAbandon { try await queue.beat(status, lifetime: lifetime) }
    }

    func leave(worker: String) async throws {
        try await orAbandon { try await queue.leave(worker: worker) }
    }
}
