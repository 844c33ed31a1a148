import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: probing sources")
struct StoreConformanceProbing {
    @Test("The export with the highest priority is compiled first, then the oldest", arguments: StoreKind.allCases)
    func compiledInOrder(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var ids: [ExportID] = []
            for priority in [0, 5, 0, 5, -1] {
                let request = ExportRequest(.document("{}"), label: "film", priority: priority)
                ids.append(
                    try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil).export.id)
            }
            let order = [1, 3, 0, 2, 4].map { ids[$0] }
            #expect(try await farm.store.exportsToCompile(limit: 100).map(\.source.id) == order)
            #expect(try await farm.store.exportsToCompile(limit: 2).map(\.source.id) == Array(order.prefix(2)))
        }
    }

    @Test("The first exports of each tenant are listed, so that none hides another's", arguments: StoreKind.allCases)
    func ofEachTenant(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var others: [Int64] = []
            for name in ["second", "third"] { others.append(try await farm.store.createTenant(name, weight: 1).id) }
            var ids: [ExportID] = []
            for (tenant, priority) in [(farm.tenant, 90), (farm.tenant, 90), (others[0], 50), (others[1], 0)] {
                let request = ExportRequest(.document("{}"), label: "film", priority: priority)
                ids.append(try await farm.store.submit(request, id: ExportID(), tenant: tenant, idempotency: nil).export.id)
            }
            func listed(_ limit: Int, besides exports: Set<ExportID> = []) async throws -> [ExportID] {
                try await farm.store.exportsToCompile(ofEachTenant: limit, besides: exports).map(\.id)
            }
            #expect(try await listed(4) == ids)
            #expect(try await listed(1) == [ids[0], ids[2], ids[3]])
            #expect(try await listed(1, besides: [ids[0], ids[3]]) == [ids[1], ids[2]])
        }
    }

    @Test("An export is compiled when accepted, and again when its probes are over", arguments: StoreKind.allCases)
    func toCompile(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.submit().id
            #expect(try await farm.isToCompile(id))
            try await farm.store.startProbing(
                id, jobs: [("sea.mp4", .probe("sea.mp4")), ("hills.mp4", .probe("hills.mp4", ordinal: 1))])
            #expect(try await farm.state(id) == .probing)
            #expect(try await !farm.isToCompile(id))
            let first = try await farm.dispatch(id, .probe, 0)
            #expect(try await !farm.isToCompile(id))
            try await farm.report(first, .started)
            try await farm.finish(first, facts: .sample("sea.mp4"))
            #expect(try await !farm.isToCompile(id))
            let second = try await farm.dispatch(id, .probe, 1)
            #expect(try await farm.finish(second, facts: .sample("hills.mp4")).hasNews)
            #expect(try await farm.isToCompile(id))
            #expect(try await farm.store.exportsToCompile(limit: 10).map(\.state) == [.probing])
            let probeResults = try await farm.store.probeResults(of: id)
            #expect(probeResults == ["sea.mp4": .facts(.sample("sea.mp4")), "hills.mp4": .facts(.sample("hills.mp4"))])
            #expect(try await farm.eventKinds(id) == [.submitted, .probing])
        }
    }

    @Test("Exports are compiled in order of acceptance, no more than asked for", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var ids: [ExportID] = []
            for _ in 1...5 { ids.append(try await farm.submit().id) }
            #expect(try await farm.store.startProbing(ids[0], jobs: []))
            #expect(try await !farm.store.startProbing(ids[1], jobs: [("sea.mp4", .probe("sea.mp4"))]))
            _ = try await farm.store.cancel(ids[3])
            let listed = try await farm.store.exportsToCompile(limit: 10)
            #expect(listed.map(\.source.id) == [ids[0], ids[2], ids[4]])
            #expect(listed.map(\.state) == [.probing, .submitted, .submitted])
            #expect(try await farm.store.exportsToCompile(limit: 2).map(\.source.id) == [ids[0], ids[2]])
        }
    }

    @Test("Probing begins only once, however often it is asked for", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4"])
            try await farm.store.startProbing(id, jobs: [("hills.mp4", .probe("hills.mp4", ordinal: 1))])
            #expect(try await farm.jobs(id).count == 1)
            let over = try await farm.submit().id
            _ = try await farm.store.cancel(over)
            #expect(try await !farm.store.startProbing(over, jobs: [("sea.mp4", .probe("sea.mp4"))]))
            #expect(try await !farm.store.startProbing(over, jobs: []))
            #expect(try await farm.state(over) == .cancelled)
            #expect(try await farm.jobs(over).isEmpty)
            #expect(try await farm.eventKinds(id).count { $0 == .probing } == 1)
        }
    }

    @Test("A probe's ticket names its source; probes do not count as the film's jobs", arguments: StoreKind.allCases)
    func ticket(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["https://example.org/sea.mp4"])
            let ticket = try await farm.dispatch(id, .probe)
            #expect(ticket.kind == .probe && ticket.work == .probe(path: "https://example.org/sea.mp4"))
            #expect(try await farm.export(id).progress == ExportProgress())
            try await farm.finish(ticket, facts: .sample("sea"))
            #expect(try await farm.export(id).progress == ExportProgress())
        }
    }

    @Test(
        "One probe of a location serves all waiting exports of the tenant, and no other tenant's",
        arguments: StoreKind.allCases)
    func shared(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let (first, second) = (try await farm.probing(["sea.mp4"]), try await farm.probing(["sea.mp4", "hills.mp4"]))
            let theirs = try await farm.probing(["sea.mp4"], tenant: other)
            let ticket = try await farm.dispatch(first, .probe)
            #expect(Set(try await farm.candidates().map(\.export)) == [second, theirs])
            #expect(try await farm.candidates().first { $0.export == second }?.ordinal == 1, "one looks at the sea already")
            try await farm.finish(ticket, facts: .sample("sea.mp4"))
            #expect(try await farm.isToCompile(first))
            #expect(try await !farm.isToCompile(second))
            #expect(try await farm.store.probeResults(of: second) == ["sea.mp4": .facts(.sample("sea.mp4"))])
            #expect(try await farm.job(second, .probe, 0).state == .done)
            #expect(try await farm.job(second, .probe, 0).reused)
            #expect(try await farm.store.probeResults(of: theirs).isEmpty)
        }
    }

    @Test("An asset is probed once, and its facts hold for all later exports", arguments: StoreKind.allCases)
    func asset(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let hash = ContentHash.of(Data("sea".utf8))
            let location = "asset:\(hash)"
            let other = try await farm.store.createTenant("other", weight: 1).id
            for tenant in [farm.tenant, other] {
                let asset = Asset(hash: hash, byteCount: 1000, name: "sea.mp4", createdAt: Date())
                try await farm.store.putAsset(asset, tenant: tenant)
            }
            let first = try await farm.probing([location])
            try await farm.finish(try await farm.dispatch(first, .probe), facts: .sample("sea"))

            let second = try await farm.probing([location])
            #expect(try await farm.jobs(second).isEmpty)
            #expect(try await farm.store.probeResults(of: second) == [location: .facts(.sample("sea"))])
            #expect(try await farm.isToCompile(second), "nothing is left to wait for")
            let third = try await farm.probing(["hills.mp4", location])
            #expect(try await farm.jobs(third).map(\.ordinal) == [0])
            #expect(try await farm.jobs(try await farm.probing([location], tenant: other)).count == 1, "their own to find out")
        }
    }

    @Test("Any other location is probed for each export, because its file may change", arguments: StoreKind.allCases)
    func changing(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await farm.probing(["sea.mp4"])
            try await farm.finish(try await farm.dispatch(first, .probe), facts: .sample("sea"))
            #expect(try await farm.jobs(try await farm.probing(["sea.mp4"])).map(\.state) == [.ready])
        }
    }

    @Test(
        "A source that cannot be probed is a probe result and does not end the export",
        arguments: StoreKind.allCases, [FailureClass.input, .crash])
    func fault(kind: StoreKind, failureClass: FailureClass) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4", "hills.mp4"])
            var effects = JobEffects()
            while try await farm.job(id, .probe, 0).state == .ready {
                effects = try await farm.fail(try await farm.dispatch(id, .probe, 0), failureClass)
            }
            #expect(try await farm.job(id, .probe, 0).state == .failed)
            #expect(effects.toCancel.isEmpty)
            #expect(try await farm.state(id) == .probing)
            #expect(try await farm.job(id, .probe, 1).state == .ready)
            try await farm.finish(try await farm.dispatch(id, .probe, 1), facts: .sample("hills"))
            #expect(try await farm.isToCompile(id))
            let failure = JobFailure(failureClass, subject: "sea.mp4", message: "went wrong")
            let probeResults = try await farm.store.probeResults(of: id)
            #expect(probeResults == ["sea.mp4": .fault(failure), "hills.mp4": .facts(.sample("hills"))])
        }
    }

    @Test("When the last open probe fails, the export can be compiled", arguments: StoreKind.allCases)
    func lastFault(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4"])
            #expect(try await farm.fail(try await farm.dispatch(id, .probe), .input).hasNews)
            #expect(try await farm.isToCompile(id))
        }
    }

    @Test("A probe's failure belongs to one export; another export probes again", arguments: StoreKind.allCases)
    func faultIsNotShared(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (first, second) = (try await farm.probing(["sea.mp4"]), try await farm.probing(["sea.mp4"]))
            try await farm.fail(try await farm.dispatch(first, .probe), .input)
            #expect(try await farm.job(second, .probe).state == .ready)
            #expect(try await farm.store.probeResults(of: second).isEmpty)
            #expect(try await farm.candidates().map(\.export) == [second])
        }
    }

    @Test("A probe that fails by the farm's fault ends the export after its retries", arguments: StoreKind.allCases)
    func farmsFault(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["sea.mp4", "hills.mp4"])
            for _ in 1...5 { try await farm.fail(try await farm.dispatch(id, .probe, 0), .transient) }
            #expect(try await farm.state(id) == .failed)
            #expect(try await farm.export(id).failure?.failureClass == .transient)
            #expect(try await farm.job(id, .probe, 1).state == .cancelled)
        }
    }
}
