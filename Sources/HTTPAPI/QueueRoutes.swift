import Coordinator
import FarmAPI
import Hummingbird
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The roles' queues in numbers, over all tenants; pausing and resuming them is the operator's.
struct QueueRoutes {
    let store: any JobStore
    let wake: @Sendable () -> Void

    func add(to v1: RouterGroup<FarmRequestContext>) {
        v1.get("queues", use: list)
        v1.post("queues/:role/pause") { request, context in try await set(context, paused: true) }
        v1.post("queues/:role/resume") { request, context in try await set(context, paused: false) }
    }

    @Sendable private func list(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        _ = try context.caller(.read)
        _ = try request.query()
        let now = Date()
        return try .json(Listing(try await store.queues(at: now), at: now))
    }

    private func set(_ context: FarmRequestContext, paused: Bool) async throws -> Response {
        _ = try context.caller(.admin)
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
