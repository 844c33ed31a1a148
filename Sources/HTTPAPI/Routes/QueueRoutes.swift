import Coordinator
import FarmAPI
import Hummingbird
import JobQueue
import FoundationEssentials

/// Shows how many jobs are in each role's queue, over all tenants. Only the operator may pause and resume queues.
struct QueueRoutes {
    let store: any FarmStore
    let workers: CachedLook<[WorkerStatus]>
    /// What ended in the last hour, which a farm with many jobs counts for some tenths of a second.
    let history: CachedLook<[QueueHistory]>
    let wake: @Sendable () -> Void

    func add(to router: inout DescribedRouter) {
        router.add(
            RouteDescription(
                .get, "/v1/queues", "listQueues", "Shows the queue of each role, over all tenants.", scopes: [.read],
                answers: [.json(Listing<QueueStatus>.self, "a listing of queues")], faults: [.badRequest]), use: list)
        let history = history
        router.add(
            RouteDescription(
                .get, "/v1/queues/history", "listQueueHistory",
                "Shows how many jobs were done and how many attempts failed in each of the last 60 minutes, by role and over all "
                    + "tenants, the oldest minute first. The numbers may be 15 seconds old.",
                scopes: [.read], answers: [.json(Listing<QueueHistory>.self, "a listing of roles, which has one page")],
                faults: [.badRequest])
        ) { request, _, _ in
            _ = try request.query()
            return try .json(Listing(try await history.value(), at: Date()))
        }
        router.add(
            RouteDescription(
                .get, "/v1/queues/next", "listNextJobs",
                "Lists the ready jobs that are sent next, in order. A tenant sees its own jobs, in the order among themselves. "
                    + "Exports of one tenant and jobs of one export are in the leader's own order; tenants take turns as if the leader "
                    + "had begun to lead now, because only its memory has what they used before. Pauses do not count.",
                scopes: [.read],
                query: [
                    .choice("role", WorkerRole.self, "only jobs of this role"),
                    QueryParameter("pool", "a pool", "only jobs of this pool", .string),
                    QueryParameter(
                        "limit", "1...\(QueuedJob.limit)", default: "20", "how many jobs", .integer(1...QueuedJob.limit)),
                ],
                answers: [.json(Listing<QueuedJob>.self, "a listing of jobs, which has one page")], faults: [.badRequest]),
            use: next)
        router.add(
            RouteDescription(
                .post, "/v1/queues/:role/pause", "pauseQueue", "Pauses a queue: its jobs wait, and jobs that run go on.",
                scopes: [.admin],
                parameters: [.role], answers: [.json(QueuePause.self, "the role, and whether its queue is paused")],
                faults: [.notFound])
        ) { _, _, context in try await set(context, paused: true) }
        router.add(
            RouteDescription(
                .post, "/v1/queues/:role/resume", "resumeQueue", "Resumes a queue.", scopes: [.admin], parameters: [.role],
                answers: [.json(QueuePause.self, "the role, and whether its queue is paused")], faults: [.notFound])
        ) { _, _, context in try await set(context, paused: false) }
    }

    @Sendable private func list(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        _ = try request.query()
        let now = Date()
        var queues = try await store.queues(at: now)
        // A pool's name may be one that another tenant has given. While Redis is away, nobody knows which workers there are.
        let workers = caller.isOperator ? try? await workers.value() : nil
        for index in queues.indices {
            let role = queues[index].role
            if !caller.isOperator { queues[index].pools = [] }
            guard let workers else { continue }
            queues[index].poolsWithoutWorkers = queues[index].pools.filter { pool in
                !workers.contains { $0.takesJobs && $0.roles.contains(role) && $0.pools.contains(pool) }
            }
        }
        return try .json(Listing(queues, at: now))
    }

    @Sendable private func next(_ request: Request, _ caller: Caller, _ context: FarmRequestContext) async throws -> Response {
        let query = try request.query("role", "pool", "limit")
        if let pool = query.values["pool"] { try TextCheck.noNUL(pool, "pool") }
        let now = Date()
        let filter = NextJobsFilter(
            role: try query.choice("role", WorkerRole.self), pool: query.values["pool"], tenant: caller.visibleTenant,
            limit: try query.integer("limit", in: 1...QueuedJob.limit) ?? 20)
        return try .json(Listing(try await NextJobs(store: store).list(filter, at: now), at: now))
    }

    private func set(_ context: FarmRequestContext, paused: Bool) async throws -> Response {
        let text = try context.parameters.require("role")
        guard let role = WorkerRole(rawValue: text) else {
            let names = WorkerRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestFault(.notFound, "there is no queue '\(text)'; there are \(names)")
        }
        try await store.setPaused(role, paused)
        if !paused { wake() }
        return try .json(QueuePause(role: role, isPaused: paused))
    }
}

extension PathParameter {
    fileprivate static let role = PathParameter(
        name: "role", meaning: "one of " + WorkerRole.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
        example: "video", schema: .choice(WorkerRole.allCases.map(\.rawValue)))
}
