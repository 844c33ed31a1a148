import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing

@Suite("Every store: submitting exports")
struct StoreConformanceSubmit {
    @Test("An accepted export keeps everything that was asked for", arguments: StoreKind.allCases)
    func accepted(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = ExportID()
            let request = ExportRequest(
                .document(#"{"name": "Grüße"}"#), label: "holiday.json", parameters: ["name": "Ada"],
                settings: ["crf": "20"], priority: -7, pool: "gpu")
            let (export, isNew) = try await farm.store.submit(request, id: id, tenant: farm.tenant, idempotency: nil)
            #expect(isNew && export.id == id && export.tenant == farm.tenant && export.label == "holiday.json")
            #expect(export.priority == -7 && export.pool == "gpu" && export.state == .submitted)
            #expect(export.filmKey == nil && export.failure == nil && export.finishedAt == nil)
            let found = try #require(try await farm.store.export(id, tenant: farm.tenant))
            #expect(found.label == export.label && found.number == export.number && found.state == .submitted)
            #expect(try await farm.eventKinds(id) == [.submitted])
            let source = try #require(try await farm.store.exportsToCompile(limit: 10).first?.source)
            #expect(source.id == id && source.tenant == farm.tenant && source.pool == "gpu" && source.priority == -7)
            #expect(source.document == #"{"name": "Grüße"}"#)
            #expect(source.parameters == ["name": "Ada"] && source.settings == ["crf": "20"])
            await expectRefusal(
                .conflict, saying: kind == .memory ? "there is an export \(id) already" : "the database refused the change: "
            ) {
                _ = try await farm.store.submit(request, id: id, tenant: farm.tenant, idempotency: nil)
            }
        }
    }

    @Test("An idempotency key gives the same export for the same body, else an error", arguments: StoreKind.allCases)
    func idempotency(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let request = ExportRequest(.document("{}"), label: "film")
            func submit(_ key: String, _ body: String, tenant: Int64? = nil) async throws -> (export: Export, isNew: Bool) {
                try await farm.store.submit(
                    request, id: ExportID(), tenant: tenant ?? farm.tenant, idempotency: (key: key, bodyHash: body))
            }
            let first = try await submit("k", "1")
            let again = try await submit("k", "1")
            #expect(first.isNew && !again.isNew && again.export.id == first.export.id)
            await expectRefusal(.conflict) { _ = try await submit("k", "2") }
            #expect(try await farm.store.exports(ExportFilter(limit: 10)).count == 1)
            #expect(try await submit("l", "1").isNew, "another key, another export")

            let other = try await farm.store.createTenant("other", weight: 1).id
            #expect(try await submit("k", "2", tenant: other).isNew, "another tenant's key is another key")

            _ = try await farm.store.cancel(first.export.id)
            let late = try await submit("k", "1")
            #expect(!late.isNew && late.export.id == first.export.id && late.export.state == .cancelled)
        }
    }

    @Test("An export submitted many times at once is one export", arguments: StoreKind.allCases)
    func concurrent(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let results = try await withThrowingTaskGroup(of: (Export, Bool).self) { group in
                for _ in 1...8 {
                    group.addTask {
                        try await farm.store.submit(
                            ExportRequest(.document("{}"), label: "film"), id: ExportID(), tenant: farm.tenant,
                            idempotency: (key: "k", bodyHash: "1"))
                    }
                }
                return try await group.reduce(into: [(Export, Bool)]()) { $0.append($1) }
            }
            #expect(Set(results.map(\.0.id)).count == 1)
            #expect(results.count { $0.1 } == 1)
        }
    }

    @Test("A named draft is rendered as it was when the export was accepted", arguments: StoreKind.allCases)
    func named(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let store = farm.store
            func submit(_ name: String, _ revision: Int?) async throws -> ExportID {
                let request = ExportRequest(.named(name, revision: revision), label: name)
                return try await store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id
            }
            func document(_ id: ExportID) async throws -> String? {
                try await store.exportsToCompile(limit: 10).first { $0.source.id == id }?.source.document
            }
            _ = try await store.putDraft("intro", document: "one", tenant: farm.tenant)
            let first = try await submit("intro", nil)
            _ = try await store.putDraft("intro", document: "two", tenant: farm.tenant)
            let (second, old) = (try await submit("intro", nil), try await submit("intro", 1))
            #expect(try await document(first) == "one")
            #expect(try await document(second) == "two")
            #expect(try await document(old) == "one")
            await expectRefusal(.notFound, saying: "there is no revision 3 of a draft 'intro'") {
                _ = try await submit("intro", 3)
            }
            await expectRefusal(.notFound, saying: "there is no draft 'outro'") { _ = try await submit("outro", nil) }
            let other = try await store.createTenant("other", weight: 1).id
            await expectRefusal(.notFound) {
                _ = try await store.submit(
                    ExportRequest(.named("intro", revision: nil), label: "stolen"), id: ExportID(), tenant: other,
                    idempotency: nil)
            }
            #expect(try await store.exports(ExportFilter(limit: 10)).count == 3)
        }
    }

    @Test("An impossible priority or pool is refused", arguments: StoreKind.allCases)
    func invalid(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for (request, words) in [
                (ExportRequest(.document("{}"), label: "film", priority: 101), "a priority is from -100 to 100, not 101"),
                (ExportRequest(.document("{}"), label: "film", priority: -101), "a priority is from -100 to 100, not -101"),
                (ExportRequest(.document("{}"), label: "film", pool: "no pool"), "no pool"),
            ] {
                await expectRefusal(.invalid, saying: kind == .memory ? words : "the database refused the change: ") {
                    _ = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil)
                }
            }
        }
    }

    @Test("A priority above the tenant's cap is an operator's alone", arguments: StoreKind.allCases)
    func cap(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.store.changeTenant("studio", weight: nil, priorityCap: 10)
            let error = await #expect(throws: FarmError.self) { _ = try await farm.submit(priority: 11) }
            #expect(error?.code == .forbidden)
            #expect(error?.message.hasPrefix("the priority 11 is above 10, the cap of the tenant 'studio'; ") == true)
            #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
            #expect(try await farm.submit(priority: 10).priority == 10)
            #expect(try await farm.submit(priority: 11, mayExceedCap: true).priority == 11)
            #expect(try await farm.submit().priority == 0)
            let other = try await farm.store.createTenant("other", weight: 1, priorityCap: 50).id
            #expect(try await farm.submit(tenant: other, priority: 50).priority == 50, "each tenant has a cap of its own")
        }
    }

    @Test("An export without a priority has that of the cap, if the cap is below 0", arguments: StoreKind.allCases)
    func negativeCap(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.store.changeTenant("studio", weight: nil, priorityCap: -20)
            let export = try await farm.submit()
            #expect(export.priority == -20)
            #expect(try await farm.export(export.id).priority == -20)
            await expectRefusal(.forbidden) { _ = try await farm.submit(priority: 0) }
            #expect(try await farm.submit(priority: 0, mayExceedCap: true).priority == 0)
        }
    }

    @Test("A repeated submission gives its export also when the cap is lower by then", arguments: StoreKind.allCases)
    func repeatedAfterLowerCap(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.submit(priority: 50, idempotency: (key: "k", bodyHash: "1"))
            _ = try await farm.store.changeTenant("studio", weight: nil, priorityCap: 10)
            #expect(try await farm.submit(priority: 50, idempotency: (key: "k", bodyHash: "1")).id == first.id)
        }
    }

    @Test("Exports are listed newest first, by tenant and state", arguments: StoreKind.allCases)
    func listing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            var ours: [ExportID] = []
            for _ in 1...4 { ours.append(try await farm.submit().id) }
            let theirs = try await farm.submit(tenant: other).id
            _ = try await farm.store.cancel(ours[1])
            func list(_ tenant: Int64?, _ state: ExportState? = nil, limit: Int = 10) async throws -> [ExportID] {
                try await farm.store.exports(ExportFilter(tenant: tenant, state: state, limit: limit)).map(\.id)
            }
            #expect(try await list(farm.tenant) == ours.reversed())
            #expect(try await list(farm.tenant, limit: 2) == [ours[3], ours[2]])
            #expect(try await list(farm.tenant, .cancelled) == [ours[1]])
            #expect(try await list(nil) == [theirs] + ours.reversed())
            #expect(try await list(other) == [theirs])
            #expect(try await list(other, .cancelled).isEmpty)
            #expect(try await farm.store.export(theirs, tenant: farm.tenant) == nil)
            #expect(try await farm.store.export(theirs, tenant: other) != nil)
            #expect(try await farm.store.export(ExportID(), tenant: nil) == nil)
        }
    }

    @Test("A tenant sees nothing of another's jobs", arguments: StoreKind.allCases)
    func jobs(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let id = try await farm.rendering(SampleFilm())
            let job = try await farm.job(id, .video)
            #expect(try await farm.store.job(job.id, tenant: other) == nil)
            #expect(try await farm.store.job(job.id, tenant: farm.tenant) != nil)
            #expect(try await farm.store.jobs(JobFilter(tenant: other)).isEmpty)
            #expect(try await farm.store.jobs(JobFilter(tenant: other, export: id)).isEmpty)
            #expect(try await farm.store.jobs(JobFilter(tenant: farm.tenant, export: id)).count == 5)
            #expect(try await farm.store.job(job.id + 1000, tenant: nil) == nil)
            let asked = [job.id, job.id + 1000, job.id]
            #expect(try await farm.store.exports(ofJobs: asked, tenant: farm.tenant) == [job.id: id])
            #expect(try await farm.store.exports(ofJobs: asked, tenant: nil) == [job.id: id])
            #expect(try await farm.store.exports(ofJobs: asked, tenant: other).isEmpty)
            #expect(try await farm.store.exports(ofJobs: [], tenant: nil).isEmpty)
        }
    }

    @Test("Events come in order, after the last one read", arguments: StoreKind.allCases)
    func events(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.rendering(SampleFilm(pictures: ["rain"], sounds: []))
            let id = try await farm.rendering(SampleFilm())
            _ = try await farm.store.cancel(other)
            _ = try await farm.store.cancel(id)
            let all = try await farm.store.events(of: id, after: 0, limit: 100)
            #expect(all.map(\.kind) == [.submitted, .probing, .rendering, .cancelled])
            #expect(all.allSatisfy { $0.export == id })
            let second = try #require(all.dropFirst().first)
            let rest = try await farm.store.events(of: id, after: second.id, limit: 100)
            #expect(rest.map(\.id) == all.dropFirst(2).map(\.id))
            #expect(try await farm.store.events(of: id, after: 0, limit: 3).map(\.id) == all.prefix(3).map(\.id))
            #expect(try await farm.store.events(of: ExportID(), after: 0, limit: 3).isEmpty)
        }
    }
}
