import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import Scheduling
import Testing
import FoundationEssentials

@Suite("Every store: what clients remove and change")
struct StoreConformanceRemoving {
    private struct Stopped: Error {}

    @Test("A draft that was removed leaves the revisions of exports", arguments: StoreKind.allCases)
    func draft(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for document in ["one", "two", "three"] {
                _ = try await farm.store.putDraft("intro", document: document, tenant: farm.tenant)
            }
            let request = ExportRequest(.named("intro", revision: 2), label: "film")
            let export = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export
            let revision = ExportSource.Revision(name: "intro", number: 2)
            #expect(try await farm.store.source(of: export.id)?.revision == revision)
            try await farm.store.removeDraft("intro", tenant: farm.tenant) { #expect($0 == "three") }
            #expect(try await farm.store.draft("intro", revision: nil, tenant: farm.tenant) == nil)
            #expect(try await farm.store.drafts(tenant: farm.tenant, after: nil, limit: 10).isEmpty)
            let source = try await farm.store.source(of: export.id)
            #expect(source?.document == "two" && source?.revision == nil)
            await #expect(throws: FarmError.self) { try await farm.store.removeDraft("intro", tenant: farm.tenant) { _ in } }
            #expect(try await farm.store.putDraft("intro", document: "new", tenant: farm.tenant).revision == 1)
            _ = try await farm.store.cancel(export.id)
            try await farm.store.removeExport(export.id)
            #expect(try await farm.store.draft("intro", revision: 1, tenant: farm.tenant)?.document == "new")
        }
    }

    @Test("A condition that is not met stops the change of a draft", arguments: StoreKind.allCases)
    func condition(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            await #expect(throws: Stopped.self) {
                _ = try await farm.store.putDraft("a", document: "x", tenant: farm.tenant) { newest in
                    #expect(newest == nil)
                    throw Stopped()
                }
            }
            #expect(try await farm.store.drafts(tenant: farm.tenant, after: nil, limit: 10).isEmpty)
            _ = try await farm.store.putDraft("a", document: "x", tenant: farm.tenant)
            await #expect(throws: Stopped.self) {
                try await farm.store.removeDraft("a", tenant: farm.tenant) { newest in
                    #expect(newest == "x")
                    throw Stopped()
                }
            }
            #expect(try await farm.store.draft("a", revision: nil, tenant: farm.tenant)?.document == "x")
        }
    }

    @Test("An export is removed with its jobs and events, once it is over", arguments: StoreKind.allCases)
    func export(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm()
            let id = try await farm.rendering(film)
            await #expect(throws: FarmError.self) { try await farm.store.removeExport(id) }
            _ = try await farm.work()
            #expect(try await farm.state(id) == .completed)
            let other = try await farm.rendering(film)
            _ = try await farm.work()
            let job = try await farm.jobs(id)[0].id
            try await farm.store.removeExport(id)
            #expect(try await farm.store.export(id, tenant: nil) == nil)
            #expect(try await farm.store.job(job, tenant: nil) == nil)
            #expect(try await farm.store.events(of: id, after: 0, limit: 10).isEmpty)
            #expect(try await farm.state(other) == .completed)
            await #expect(throws: FarmError.self) { try await farm.store.removeExport(id) }
            #expect(try await farm.store.audit(at: farm.now).isEmpty)
        }
    }

    @Test("A removed film is needed no more, unless another export has it", arguments: StoreKind.allCases)
    func film(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let film = SampleFilm()
            let first = try await farm.rendering(film)
            await expectRefusal(.conflict) { try await farm.store.removeFilm(of: first) }
            _ = try await farm.work()
            let second = try await farm.rendering(film)
            _ = try await farm.work()
            let key = try #require(try await farm.export(first).filmKey)
            #expect(try await farm.export(second).filmKey == key)
            func need() async throws -> FileNeed? {
                let record = try await farm.store.artifactRecords([key], tenant: farm.tenant, FileCutoffs())[key]
                return try #require(record).need
            }
            try await farm.store.removeFilm(of: first)
            #expect(try await farm.export(first).filmRemovedAt != nil)
            #expect(try await farm.export(first).state == .completed)
            #expect(try await need() == .film)
            await expectRefusal(.notFound) { try await farm.store.removeFilm(of: first) }
            try await farm.store.removeFilm(of: second)
            #expect(try await need() == nil)
            await expectRefusal(.notFound) { try await farm.store.removeFilm(of: ExportID()) }
            // The file is there until garbage is collected, and then serves other exports.
            let third = try await farm.rendering(film)
            #expect(try await farm.export(third).filmRemovedAt == nil)
            _ = try await farm.work()
            #expect(try await need() == .film)
            #expect(try await farm.store.audit(at: farm.now).isEmpty)
        }
    }

    @Test("An asset that a parameter of a waiting export names is not removed", arguments: StoreKind.allCases)
    func asset(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let hash = ContentHash.of("sea".utf8)
            try await farm.store.putAsset(
                Asset(hash: hash, byteCount: 3, name: "sea", createdAt: Date(timeIntervalSince1970: 1_700_000_000)),
                tenant: farm.tenant)
            let request = ExportRequest(.document("{}"), label: "film", parameters: ["clip": "asset:\(hash)"])
            let export = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export
            await #expect(throws: FarmError.self) { try await farm.store.removeAsset(hash, tenant: farm.tenant) }
            _ = try await farm.store.cancel(export.id)
            try await farm.store.removeAsset(hash, tenant: farm.tenant)
            #expect(try await farm.store.asset(hash, tenant: farm.tenant) == nil)
            await #expect(throws: FarmError.self) { try await farm.store.removeAsset(hash, tenant: farm.tenant) }
        }
    }

    @Test("Pages of assets, recordings, drafts, exports and jobs are complete", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for number in 0..<7 {
                // Three have the same time, to the microsecond.
                let time = Date(timeIntervalSince1970: 1_700_000_000.123456 + Double(number / 3))
                try await farm.store.putAsset(
                    Asset(hash: ContentHash.of("\(number)".utf8), byteCount: 1, name: "\(number)", createdAt: time),
                    tenant: farm.tenant)
            }
            let whole = try await farm.store.assets(tenant: farm.tenant, after: nil, limit: 100)
            var found: [Asset] = []
            for _ in 0..<10 {
                let place = found.last.map { ListingPlace(createdAt: $0.createdAt, id: $0.hash) }
                found += try await farm.store.assets(tenant: farm.tenant, after: place, limit: 2)
            }
            #expect(found == whole && whole.count == 7)

            let exports = [try await farm.submit(), try await farm.submit(), try await farm.submit()]
            let before = try await farm.store.exports(ExportFilter(before: exports[2].number, limit: 10))
            #expect(before.map(\.id) == [exports[1].id, exports[0].id])
            let id = try await farm.rendering(SampleFilm())
            let jobs = try await farm.jobs(id).map(\.id).sorted()
            let rest = try await farm.store.jobs(JobFilter(export: id, after: jobs[0], limit: 100)).map(\.id)
            #expect(rest == Array(jobs.dropFirst()))
        }
    }

    @Test("A new priority counts until the export is over", arguments: StoreKind.allCases)
    func priority(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.store.setPriority(7, of: id, mayExceedCap: false)
            #expect(try await farm.export(id).priority == 7)
            #expect(try await farm.active().first { $0.export.id == id }?.export.priority ?? 7 == 7)
            await #expect(throws: FarmError.self) { try await farm.store.setPriority(100, of: id, mayExceedCap: false) }
            try await farm.store.setPriority(100, of: id, mayExceedCap: true)
            _ = try await farm.work()
            await #expect(throws: FarmError.self) { try await farm.store.setPriority(1, of: id, mayExceedCap: true) }
            await #expect(throws: FarmError.self) { try await farm.store.setPriority(1, of: ExportID(), mayExceedCap: true) }
        }
    }
}
