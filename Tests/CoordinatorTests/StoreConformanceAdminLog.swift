import Coordinator
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: the log of operators' actions")
struct StoreConformanceAdminLog {
    @Test("Actions are listed in pages, the newest first, with their outcomes", arguments: StoreKind.allCases)
    func listing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var ids: [Int64] = []
            for number in 1...3 {
                ids.append(
                    try await farm.store.begin(
                        AdminAction(
                            id: 0, at: .distantPast, token: 7, tenant: farm.tenant, address: number == 1 ? nil : "192.0.2.7",
                            operation: "createTenant", path: "/v1/tenants", body: #"{"name": "'"}"#)))
            }
            try await farm.store.end(action: ids[1], status: 409)
            let actions = try await farm.store.adminActions(before: nil, limit: 2)
            #expect(actions.map(\.id) == [ids[2], ids[1]] && actions.map(\.status) == [nil, 409])
            let first = try #require(try await farm.store.adminActions(before: ids[1], limit: 2).first)
            #expect(first.id == ids[0] && first.address == nil && first.token == 7 && first.tenant == farm.tenant)
            #expect(first.operation == "createTenant" && first.path == "/v1/tenants" && first.body == #"{"name": "'"}"#)
            #expect(abs(first.at.timeIntervalSinceNow) < 60)
        }
    }

    @Test("The oldest actions and workers of long ago are removed, some at a time", arguments: StoreKind.allCases)
    func retention(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for number in 1...5 {
                _ = try await farm.store.begin(
                    AdminAction(
                        id: 0, at: .distantPast, token: 7, tenant: farm.tenant, address: nil, operation: "createTenant",
                        path: "/v1/tenants/\(number)", body: ""))
                try await farm.store.note([
                    WorkerStatus(
                        id: "w\(number)", host: "north", version: "1", roles: [.video], pools: ["default"], slots: 2,
                        startedAt: farm.now - 9000, seenAt: farm.now - Double(number * 1000), isDraining: false, running: [])
                ])
            }
            var cutoffs = RetentionCutoffs()
            (cutoffs.adminActions, cutoffs.workers) = (Date() - 3600, farm.now - 2500)
            let expired = try await farm.store.expired(cutoffs)
            #expect(expired.droppedAdminActions == 0 && expired.droppedWorkers == 3)
            #expect(try await farm.store.dropAdminActions(before: Date() - 3600, limit: 2).isEmpty)
            #expect(try await farm.store.dropWorkers(unseenSince: farm.now - 2500, limit: 2).droppedWorkers == 2)
            #expect(try await farm.store.dropWorkers(unseenSince: farm.now - 2500, limit: 2).droppedWorkers == 1)
            #expect(try await farm.store.dropWorkers(unseenSince: farm.now - 2500, limit: 2).isEmpty)
            #expect(try await farm.store.dropAdminActions(before: Date() + 3600, limit: 2).droppedAdminActions == 2)
            let left = try await farm.store.adminActions(before: nil, limit: 10)
            #expect(left.map(\.path) == ["/v1/tenants/5", "/v1/tenants/4", "/v1/tenants/3"])
            #expect(try await farm.store.expired(cutoffs).droppedWorkers == 0)
        }
    }
}
