import FarmAPI
import ContentHashing
import Coordinator
import Testing
import FoundationEssentials

@Suite("Every store: drafts and assets")
struct StoreConformanceLibrary {
    private func asset(_ name: String, age: Double = 0) -> Asset {
        // Whole seconds, because a store may keep times with fewer digits than memory has.
        let time = Date(timeIntervalSince1970: 1_700_000_000 - age)
        return Asset(hash: ContentHash.of(Data(name.utf8)), byteCount: 5_000_000_000, name: name, createdAt: time)
    }

    @Test("Each revision of a draft stays as it was stored, byte for byte", arguments: StoreKind.allCases)
    func revisions(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let documents = [#"{"a": 1}"#, #"{ "a":1 }"#, #"{"title": "Grüße 🎬 \u0000 'x'"}"#, ""]
            for (place, document) in documents.enumerated() {
                let revision = try await farm.store.putDraft("intro", document: document, tenant: farm.tenant)
                #expect(revision.name == "intro" && revision.revision == place + 1)
            }
            for (place, document) in documents.enumerated() {
                let found = try await farm.store.draft("intro", revision: place + 1, tenant: farm.tenant)
                #expect(found?.document == document && found?.revision.revision == place + 1)
            }
            let newest = try await farm.store.draft("intro", revision: nil, tenant: farm.tenant)
            #expect(newest?.revision.revision == documents.count && newest?.document == documents.last)
            for missing in [0, -1, 5] {
                #expect(try await farm.store.draft("intro", revision: missing, tenant: farm.tenant) == nil)
            }
            #expect(try await farm.store.draft("outro", revision: nil, tenant: farm.tenant) == nil)
        }
    }

    @Test("Storing the newest document again adds no revision; an older one does", arguments: StoreKind.allCases)
    func sameAgain(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var revisions: [Int] = []
            for document in ["one", "one", "two", "one"] {
                revisions.append(try await farm.store.putDraft("intro", document: document, tenant: farm.tenant).revision)
            }
            #expect(revisions == [1, 1, 2, 3])
        }
    }

    @Test("Named drafts are listed with their newest revision, other drafts are not", arguments: StoreKind.allCases)
    func listing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            #expect(try await farm.store.drafts(tenant: farm.tenant, after: nil, limit: 100).isEmpty)
            for (name, document) in [("b", "1"), ("a", "1"), ("b", "2")] {
                _ = try await farm.store.putDraft(name, document: document, tenant: farm.tenant)
            }
            _ = try await farm.submit(document: "{}")
            let drafts = try await farm.store.drafts(tenant: farm.tenant, after: nil, limit: 100)
            #expect(drafts.map(\.name) == ["a", "b"] && drafts.map(\.revision) == [1, 2])
        }
    }

    @Test("A draft's revisions are listed with their sizes and exports, the newest first", arguments: StoreKind.allCases)
    func history(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let other = try await store.createTenant("other", weight: 1).id
            for document in ["1", "Grüße", "three"] {
                _ = try await store.putDraft("intro", document: document, tenant: farm.tenant)
            }
            _ = try await store.putDraft("intro", document: "theirs", tenant: other)
            _ = try await farm.submit(document: "1")
            var made: [ExportID] = []
            for number in 0..<12 {
                let request = ExportRequest(.named("intro", revision: number == 0 ? 1 : 2), label: "film")
                made.append(try await store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id)
            }
            let all = try await store.draftRevisions("intro", tenant: farm.tenant, before: nil, limit: 100)
            #expect(all.map(\.revision) == [3, 2, 1] && all.allSatisfy { $0.name == "intro" })
            #expect(all.map(\.byteCount) == [5, 7, 1], "bytes, and not characters")
            #expect(all.map(\.exportCount) == [0, 11, 1])
            #expect(all.last?.newestExports == [made[0]])
            #expect(all[1].newestExports == made.suffix(10).reversed(), "the newest ten")
            let stored = try await store.draft("intro", revision: 2, tenant: farm.tenant)
            #expect(all[1].createdAt == stored?.revision.createdAt)
            #expect(
                try await store.draftRevisions("intro", tenant: farm.tenant, before: 3, limit: 1).map(\.revision) == [2])
            #expect(try await store.draftRevisions("intro", tenant: farm.tenant, before: 1, limit: 9).isEmpty)
            #expect(try await store.draftRevisions("outro", tenant: farm.tenant, before: nil, limit: 9).isEmpty)
            #expect(try await store.draftRevisions("intro", tenant: other, before: nil, limit: 9).map(\.byteCount) == [6])
        }
    }

    @Test("Assets are listed newest first, and storing one again adds none", arguments: StoreKind.allCases)
    func assets(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for (name, age) in [("sea", 20.0), ("hills", 10), ("waves", 30), ("sea", 20)] {
                try await farm.store.putAsset(asset(name, age: age), tenant: farm.tenant)
            }
            #expect(
                try await farm.store.assets(tenant: farm.tenant, after: nil, limit: 10).map(\.name) == ["hills", "sea", "waves"])
            #expect(try await farm.store.assets(tenant: farm.tenant, after: nil, limit: 2).map(\.name) == ["hills", "sea"])
            let sea = asset("sea", age: 20)
            #expect(try await farm.store.asset(sea.hash, tenant: farm.tenant) == sea)
            #expect(try await farm.store.asset(asset("rain").hash, tenant: farm.tenant) == nil)
        }
    }

    @Test("An asset without a sha256, or with a negative size, is refused", arguments: StoreKind.allCases)
    func invalidAsset(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var (unnamed, negative) = (asset("sea"), asset("hills"))
            unnamed.hash = "sea"
            negative.byteCount = -1
            for asset in [unnamed, negative] {
                let words =
                    kind == .memory
                    ? "'\(asset.hash)' is not the sha256 of an asset, or its size is negative"
                    : "the database refused the change: "
                await expectRefusal(.invalid, saying: words) {
                    try await farm.store.putAsset(asset, tenant: farm.tenant)
                }
            }
            let stored = try await farm.store.assets(tenant: farm.tenant, after: nil, limit: 10)
            #expect(stored.isEmpty)
        }
    }

    @Test("A tenant sees nothing of another's library", arguments: StoreKind.allCases)
    func tenancy(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            let other = try await store.createTenant("other", weight: 1).id
            _ = try await store.putDraft("intro", document: "ours", tenant: farm.tenant)
            try await store.putAsset(asset("sea"), tenant: farm.tenant)
            #expect(try await store.draft("intro", revision: nil, tenant: other) == nil)
            #expect(try await store.drafts(tenant: other, after: nil, limit: 100).isEmpty)
            #expect(try await store.asset(asset("sea").hash, tenant: other) == nil)
            #expect(try await store.assets(tenant: other, after: nil, limit: 10).isEmpty)

            #expect(try await store.putDraft("intro", document: "theirs", tenant: other).revision == 1)
            try await store.putAsset(asset("sea"), tenant: other)
            #expect(try await store.draft("intro", revision: nil, tenant: farm.tenant)?.document == "ours")
            #expect(try await store.assets(tenant: other, after: nil, limit: 10).count == 1)
        }
    }
}
