import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import Scheduling
import Testing
import FoundationEssentials

/// Expects a call to be refused.
/// - Parameter message: what the message has in it; nil for any.
func expectRefusal(
    _ code: FarmError.Code, saying message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async {
    let error = await #expect(throws: FarmError.self, sourceLocation: sourceLocation) { try await call() }
    #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    #expect(error?.message.isEmpty == false, "it says why", sourceLocation: sourceLocation)
    if let message {
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
}

@Suite("Every store: tenants and tokens")
struct StoreConformanceTenants {
    private func hash(_ secret: String) -> String { ContentHash.of(Data(secret.utf8)) }

    /// The beginning of what the database's own checks lead to.
    private static let refused = "the database refused the change: "

    @Test("A tenant's name is unique", arguments: StoreKind.allCases)
    func tenants(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("agency-2", weight: 3)
            #expect(other.name == "agency-2" && other.weight == 3 && other.id != farm.tenant)
            #expect(Set(try await farm.store.tenants().map(\.name)) == ["studio", "agency-2"])
            await expectRefusal(.conflict) { _ = try await farm.store.createTenant("agency-2", weight: 1) }
            #expect(try await farm.store.tenants().count == 2)
        }
    }

    @Test(
        "An invalid name, or a weight out of range, is refused", arguments: StoreKind.allCases,
        [("", 1), ("-a", 1), ("Studio", 1), ("a b", 1), (String(repeating: "a", count: 64), 1), ("a", 0), ("a", 1001)])
    func invalid(kind: StoreKind, tenant: (name: String, weight: Int)) async throws {
        try await onStore(kind) { farm in
            await expectRefusal(.invalid) { _ = try await farm.store.createTenant(tenant.name, weight: tenant.weight) }
        }
    }

    @Test("A tenant's weight and cap are changed each by itself", arguments: StoreKind.allCases)
    func changed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            #expect(try await store.tenants().map(\.priorityCap) == [Tenant.defaultPriorityCap])
            let agency = try await store.createTenant("agency", weight: 2, priorityCap: 10)
            #expect(agency.weight == 2 && agency.priorityCap == 10)
            let capped = try await store.changeTenant("agency", weight: nil, priorityCap: -5)
            #expect(capped.id == agency.id && capped.weight == 2 && capped.priorityCap == -5)
            let heavier = try await store.changeTenant("agency", weight: 3, priorityCap: nil)
            #expect(heavier.weight == 3 && heavier.priorityCap == -5)
            #expect(try await store.tenants().first { $0.name == "agency" } == heavier)
            #expect(try await store.tenants().first { $0.name == "studio" }?.priorityCap == Tenant.defaultPriorityCap)
        }
    }

    @Test("A weight or cap out of range is refused and changes nothing", arguments: StoreKind.allCases)
    func outOfRange(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let before = try await store.tenants()
            for weight in [0, 1001] {
                let words = kind == .memory ? "a tenant's weight is from 1 to 1000, not \(weight)" : Self.refused
                await expectRefusal(.invalid, saying: words) {
                    _ = try await store.changeTenant("studio", weight: weight, priorityCap: nil)
                }
            }
            for cap in [-101, 101] {
                let words = kind == .memory ? "a tenant's cap is from -100 to 100, not \(cap)" : Self.refused
                await expectRefusal(.invalid, saying: words) {
                    _ = try await store.changeTenant("studio", weight: nil, priorityCap: cap)
                }
                await expectRefusal(.invalid, saying: words) {
                    _ = try await store.createTenant("agency", weight: 1, priorityCap: cap)
                }
            }
            await expectRefusal(.notFound) { _ = try await store.changeTenant("nobody", weight: 2, priorityCap: nil) }
            #expect(try await store.tenants() == before)
        }
    }

    @Test("A lower cap lowers what the tenant has given, and leaves an operator's priorities", arguments: StoreKind.allCases)
    func lowered(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let other = try await store.createTenant("other", weight: 1).id
            let low = try await farm.submit(priority: 10).id
            let high = try await farm.submit(priority: 50).id
            let urgent = try await farm.submit(priority: 100, mayExceedCap: true).id
            let rendering = try await farm.rendering(SampleFilm(pictures: ["sea"], sounds: []), priority: 99)
            let cancelled = try await farm.submit(priority: 50).id
            _ = try await store.cancel(cancelled)
            let failed = try await farm.submit(priority: 50).id
            _ = try await store.fail(failed, ExportFailure(.input, message: "is damaged"))
            let theirs = try await farm.submit(tenant: other, priority: 50).id
            func priorities() async throws -> [Int] {
                var found: [Int] = []
                for id in [low, high, urgent, rendering, cancelled, failed, theirs] {
                    found.append(try await farm.export(id).priority)
                }
                return found
            }
            _ = try await store.changeTenant("studio", weight: nil, priorityCap: 20)
            #expect(try await priorities() == [10, 20, 100, 20, 50, 20, 50])
            #expect(try await store.openExports(among: [rendering]).map(\.priority) == [20])
            _ = try await store.changeTenant("studio", weight: nil, priorityCap: 60)
            #expect(try await priorities() == [10, 20, 100, 20, 50, 20, 50], "a higher cap raises nothing")
        }
    }

    @Test("A token stands for its tenant and scopes, until it is revoked", arguments: StoreKind.allCases)
    func tokens(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let token = try await store.createToken("ci", tenant: "studio", scopes: [.submit, .read], hash: hash("a"))
            let admin = try await store.createToken("root", tenant: "studio", scopes: [.admin], hash: hash("b"))
            #expect(token.tenant == "studio" && token.name == "ci" && token.revokedAt == nil)
            #expect(
                try await store.principal(tokenHash: hash("a"))
                    == Principal(token: token.id, tenant: farm.tenant, scopes: [.submit, .read]))
            #expect(try await store.principal(tokenHash: hash("b"))?.scopes == [.admin])
            #expect(try await store.principal(tokenHash: hash("c")) == nil)

            #expect(try await store.revokeToken(token.id))
            #expect(try await store.principal(tokenHash: hash("a")) == nil)
            #expect(try await store.principal(tokenHash: hash("b")) != nil)
            #expect(try await !store.revokeToken(max(token.id, admin.id) + 1))
            let listed = try await store.tokens().sorted { $0.id < $1.id }
            #expect(listed.map(\.name) == ["ci", "root"])
            #expect(listed.map { $0.revokedAt != nil } == [true, false])
        }
    }

    @Test("A token needs an existing tenant, a scope, and a secret of its own", arguments: StoreKind.allCases)
    func refusedTokens(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            await expectRefusal(.notFound) {
                _ = try await store.createToken("ci", tenant: "nobody", scopes: [.read], hash: hash("a"))
            }
            let form =
                kind == .memory
                ? "a token has at least one scope, and is kept as the 64 hexadecimal digits of its sha256" : Self.refused
            await expectRefusal(.invalid, saying: form) {
                _ = try await store.createToken("ci", tenant: "studio", scopes: [], hash: hash("a"))
            }
            await expectRefusal(.invalid, saying: form) {
                _ = try await store.createToken("ci", tenant: "studio", scopes: [.read], hash: "the secret itself")
            }
            _ = try await store.createToken("ci", tenant: "studio", scopes: [.read], hash: hash("a"))
            await expectRefusal(.conflict, saying: kind == .memory ? "this token exists already" : Self.refused) {
                _ = try await store.createToken("other", tenant: "studio", scopes: [.read], hash: hash("a"))
            }
            #expect(try await store.tokens().count == 1)
        }
    }

    @Test("A token has the lifetime that it is made with, and its use is noted", arguments: StoreKind.allCases)
    func lifetime(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let forever = try await store.createToken("ci", tenant: "studio", scopes: [.read], hash: hash("a"))
            #expect(forever.expiresAt == nil && forever.lastUsedAt == nil)
            let short = try await store.createToken("ci", tenant: "studio", scopes: [.read], hash: hash("b"), lifetime: 60)
            #expect(abs(try #require(short.expiresAt).timeIntervalSince(short.createdAt) - 60) < 0.01)
            // The store takes what it is given; the API has a shortest time.
            _ = try await store.createToken("ci", tenant: "studio", scopes: [.read], hash: hash("c"), lifetime: -1)
            #expect(try await store.principal(tokenHash: hash("a"))?.tenant == farm.tenant)
            #expect(try await store.principal(tokenHash: hash("b"))?.tenant == farm.tenant)
            #expect(try await store.principal(tokenHash: hash("c")) == nil)
            let used = try await store.tokens().map { $0.lastUsedAt != nil }
            #expect(used == [true, true, false])
            let noted = try await store.tokens().first?.lastUsedAt
            _ = try await store.principal(tokenHash: hash("a"))
            #expect(try await store.tokens().first?.lastUsedAt == noted, "at most once a minute")
        }
    }

    @Test("A token is replaced by an equal one, and ends after the grace", arguments: StoreKind.allCases)
    func rotation(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let old = try await store.createToken(
                "ci", tenant: "studio", scopes: [.read, .submit], hash: hash("a"), lifetime: 90)
            let new = try await store.rotateToken(old.id, hash: hash("b"), grace: 60)
            #expect(new.name == "ci" && new.tenant == "studio" && Set(new.scopes) == [.read, .submit])
            #expect(abs(try #require(new.expiresAt).timeIntervalSince(new.createdAt) - 90) < 1)
            let principals = (try await store.principal(tokenHash: hash("a")), try await store.principal(tokenHash: hash("b")))
            #expect(principals.0?.tenant == principals.1?.tenant && principals.0?.scopes == principals.1?.scopes)
            let ends = try await store.tokens().compactMap(\.expiresAt)
            #expect(ends.count == 2 && abs(ends[0].timeIntervalSince(new.createdAt) - 60) < 1)
            // The grace makes no token valid for longer.
            _ = try await store.rotateToken(old.id, hash: hash("c"), grace: 3600)
            #expect(try await store.tokens().first?.expiresAt == ends[0])
            _ = try await store.rotateToken(new.id, hash: hash("d"), grace: 0)
            #expect(try await store.principal(tokenHash: hash("b")) == nil)
            await expectRefusal(.conflict) { _ = try await store.rotateToken(new.id, hash: hash("e"), grace: 0) }
            await expectRefusal(.notFound) { _ = try await store.rotateToken(999, hash: hash("e"), grace: 0) }
            #expect(try await store.tokens().count == 4)
        }
    }

    @Test("A tenant has no more open exports than its quota", arguments: StoreKind.allCases)
    func openExports(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let changed = try await store.changeTenant("studio", TenantChange(maxOpenExports: 2))
            #expect(changed.maxOpenExports == 2)
            let first = try await farm.submit().id
            _ = try await farm.submit(idempotency: ("key", hash("body")))
            await expectRefusal(.quota) { _ = try await farm.submit() }
            // A repeated request is no new export, and others have a quota of their own.
            _ = try await farm.submit(idempotency: ("key", hash("body")))
            let other = try await store.createTenant("other", weight: 1).id
            for _ in 0..<3 { _ = try await farm.submit(tenant: other) }
            _ = try await store.cancel(first)
            _ = try await farm.submit()
            await expectRefusal(.quota) { _ = try await farm.submit() }
            #expect(try await store.changeTenant("studio", TenantChange(maxOpenExports: 0)).maxOpenExports == nil)
            _ = try await farm.submit()
        }
    }

    @Test("A tenant with its quota of open jobs gets no further export compiled", arguments: StoreKind.allCases)
    func openJobs(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            func listed(besides: Set<ExportID> = []) async throws -> [ExportID] {
                try await store.exportsToCompile(ofEachTenant: 10, besides: besides).map(\.id)
            }
            let other = try await farm.submit(tenant: try await store.createTenant("other", weight: 1).id).id
            let rendering = try await farm.rendering(SampleFilm(pictures: ["a", "b"], sounds: []))
            let (first, second) = (try await farm.submit().id, try await farm.submit().id)
            #expect(Set(try await listed()) == [first, second, other])
            #expect(try await store.changeTenant("studio", TenantChange(maxOpenJobs: 100)).maxOpenJobs == 100)
            #expect(Set(try await listed()) == [first, other], "one after the other, because each may bring many jobs")
            #expect(try await listed(besides: [first]) == [other])
            // There are two segments, their sound and the film.
            _ = try await store.changeTenant("studio", TenantChange(maxOpenJobs: 4))
            #expect(try await listed() == [other])
            _ = try await store.changeTenant("studio", TenantChange(maxOpenJobs: 5))
            #expect(Set(try await listed()) == [first, other])
            _ = try await store.changeTenant("studio", TenantChange(maxOpenJobs: 1))
            #expect(try await listed() == [other])
            _ = try await store.cancel(rendering)
            #expect(Set(try await listed()) == [first, other])
            #expect(try await store.changeTenant("studio", TenantChange(maxOpenJobs: 0)).maxOpenJobs == nil)
            #expect(Set(try await listed()) == [first, second, other])
        }
    }

    @Test("A tenant has no more bytes of assets than its quota", arguments: StoreKind.allCases)
    func assetBytes(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            func put(_ name: String, _ bytes: Int64) async throws {
                try await store.putAsset(
                    Asset(hash: hash(name), byteCount: bytes, name: name, createdAt: Date()), tenant: farm.tenant)
            }
            try await put("a", 60)
            #expect(try await store.changeTenant("studio", TenantChange(maxAssetBytes: 100)).maxAssetBytes == 100)
            await expectRefusal(.forbidden) { try await put("b", 41) }
            await expectRefusal(.forbidden) { try await store.checkRoom(forAssetOf: 41, tenant: farm.tenant) }
            #expect(try await store.asset(hash("b"), tenant: farm.tenant) == nil)
            try await store.checkRoom(forAssetOf: 40, tenant: farm.tenant)
            try await put("b", 40)
            try await put("a", 60)
            await expectRefusal(.forbidden) { try await put("c", 1) }
            #expect(try await store.changeTenant("studio", TenantChange(maxAssetBytes: 0)).maxAssetBytes == nil)
            try await put("c", 1)
        }
    }
}
