import Coordinator
import FarmAPI
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
}
