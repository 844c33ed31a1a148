import Coordinator
import FarmAPI
import Testing

@Suite("Every store: answers to requests with keys")
struct StoreConformanceKeyedAnswers {
    private let answer = KeyedAnswer(
        status: 201, contentType: "application/json", location: "/v1/x", body: #"{"a":"ä"}"#)

    @Test("A request is new once, then under way, and then has its answer", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            func begin(_ key: String = "k", _ hash: String = "h", tenant: Int64? = nil) async throws -> KeyedRequest {
                try await farm.store.beginRequest(key, hash: hash, tenant: tenant ?? farm.tenant)
            }
            #expect(try await begin() == .new)
            #expect(try await begin() == .underWay)
            #expect(try await begin("k", "g") == .ofAnotherRequest)
            #expect(try await begin(tenant: other) == .new)
            #expect(try await begin("l") == .new)
            try await farm.store.endRequest("k", tenant: farm.tenant, answer)
            #expect(try await begin() == .answered(answer))
            #expect(try await begin("k", "g") == .ofAnotherRequest)
            #expect(try await begin(tenant: other) == .underWay)
            // One that failed is carried out when it is repeated.
            try await farm.store.endRequest("l", tenant: farm.tenant, nil)
            #expect(try await begin("l") == .new)
            // An answer is not lost to a late failure of the same request.
            try await farm.store.endRequest("k", tenant: farm.tenant, nil)
            #expect(try await begin() == .answered(answer))
            let secret = KeyedAnswer(status: 201, isSecret: true)
            try await farm.store.endRequest("l", tenant: farm.tenant, secret)
            #expect(try await begin("l") == .answered(secret))
        }
    }

    @Test("Of many requests at the same time one is new", arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let outcomes = try await withThrowingTaskGroup(of: KeyedRequest.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await farm.store.beginRequest("k", hash: "h", tenant: farm.tenant) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .new } == 1 && outcomes.count { $0 == .underWay } == 19)
        }
    }
}
