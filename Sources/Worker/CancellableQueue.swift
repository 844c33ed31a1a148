import FarmAPI
import JobQueue

/// The queue as a worker uses it. A cancelled task stops waiting at once, even where the call itself goes on until a
/// server that is away has timed out. A worker that has to end therefore does end.
struct CancellableQueue: WorkerQueue {
    let queue: any WorkerQueue

    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        try await waitUnlessCancelled {
            try await queue.take(
                roles: roles, pools: pools, worker: worker, limit: limit, wait: wait)
        }
    }

    func renew(_ deliveries: [JobDelivery], worker: String) async throws {
        try await waitUnlessCancelled { try await queue.renew(deliveries, worker: worker) }
    }

    func report(_ report: JobReport, finishing: JobDelivery?) async throws {
        try await waitUnlessCancelled { try await queue.report(report, finishing: finishing) }
    }

    func heartbeat(_ status: WorkerStatus, lifetime: Duration) async throws -> HeartbeatAnswer {
        try await waitUnlessCancelled { try await queue.heartbeat(status, lifetime: lifetime) }
    }

    func deregister(worker: String) async throws {
        try await waitUnlessCancelled { try await queue.deregister(worker: worker) }
    }
}
