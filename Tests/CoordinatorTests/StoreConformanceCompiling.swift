import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Postgres
import TestSupport
import Testing

@Suite("Every store: the leader's own records")
struct StoreConformanceCompiling {
    @Test("Beginnings of compiling are counted until compiling ends", arguments: StoreKind.allCases)
    func attempts(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let (first, second) = (try await farm.submit().id, try await farm.submit().id)
            for count in 1...3 { #expect(try await farm.store.beginCompiling(first) == count) }
            #expect(try await farm.store.beginCompiling(second) == 1, "each export has its own count")
            try await farm.store.endCompiling(first)
            #expect(try await farm.store.beginCompiling(first) == 1)
            #expect(try await farm.store.beginCompiling(second) == 2)
            try await farm.store.startProbing(second, jobs: [])
            #expect(try await farm.store.beginCompiling(second) == 1, "the export's next state ends the count")
        }
    }

    @Test("Exports that are compiled together become what they become one after the other", arguments: StoreKind.allCases)
    func batch(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            // The second and third share a segment; one is cancelled meanwhile, and one belongs to nobody.
            let films = [SampleFilm(), SampleFilm(pictures: ["sea"]), SampleFilm(pictures: ["sea", "sky"]), SampleFilm()]
            var ids: [Int64: [ExportID]] = [:]
            for tenant in [farm.tenant, other] {
                for _ in films { ids[tenant, default: []].append(try await farm.submit(tenant: tenant).id) }
            }
            let (alone, together) = (try #require(ids[farm.tenant]), try #require(ids[other]))
            for cancelled in [alone[3], together[3]] { _ = try await farm.store.cancel(cancelled) }
            let probes = [[], [("sea.mp4", PlannedJob.probe("sea.mp4"))], [], []]
            var known: Set<ExportID> = []
            for (id, probes) in zip(alone, probes) where try await farm.store.startProbing(id, jobs: probes) { known.insert(id) }
            #expect(known == [alone[0], alone[2]])
            let missing = ExportProbes(export: ExportID(), probes: [])
            #expect(
                try await farm.store.startProbing(
                    zip(together, probes).map { ExportProbes(export: $0, probes: $1) } + [missing]) == [together[0], together[2]])
            func plan(_ film: SampleFilm) -> PlannedExport {
                PlannedExport(jobs: film.jobs, filmKey: film.filmKey, frameCount: film.frameCount)
            }
            for (id, film) in zip(alone, films) where known.contains(id) { try await farm.store.startRendering(id, plan(film)) }
            try await farm.store.startRendering(
                [(together[0], films[0]), (together[2], films[2]), (together[3], films[3])].map { id, film in
                    ExportPlanned(export: id, plan: plan(film))
                })
            for (first, second) in zip(alone, together) {
                let (one, two) = (try await farm.export(first), try await farm.export(second))
                #expect(one.state == two.state && one.frameCount == two.frameCount && one.filmKey == two.filmKey)
                #expect(try await farm.eventKinds(first) == farm.eventKinds(second))
                let jobs = (try await farm.jobs(first), try await farm.jobs(second))
                #expect(jobs.0.map(\.key) == jobs.1.map(\.key) && jobs.0.map(\.state) == jobs.1.map(\.state))
                #expect(jobs.0.map(\.priority) == jobs.1.map(\.priority) && jobs.0.map(\.kind) == jobs.1.map(\.kind))
            }
            var states: [ExportState] = []
            for id in together { states.append(try await farm.state(id)) }
            #expect(states == [.rendering, .probing, .rendering, .cancelled])
            #expect(try await farm.jobs(together[3]).isEmpty)
        }
    }

    @Test("Documents are read in the order asked for, until there are enough bytes", arguments: StoreKind.allCases)
    func sources(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            var ids: [ExportID] = []
            for length in [10, 20, 30] {
                ids.append(try await farm.submit(document: "{\(String(repeating: " ", count: length - 2))}").id)
            }
            ids.reverse()
            func read(_ bytes: Int) async throws -> [ExportID] {
                try await farm.store.sources(of: ids + [ExportID()], documentBytes: bytes).map(\.id)
            }
            #expect(try await read(1_000) == ids)
            #expect(try await read(50) == Array(ids.prefix(2)))
            #expect(try await read(51) == ids)
            #expect(try await read(0) == [ids[0]])
        }
    }

    @Test("The farm's id never changes", arguments: StoreKind.allCases)
    func identity(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.store.farm()
            #expect(id.count == 36)
            #expect(try await farm.store.farm() == id)
        }
    }

    @Test("Every farm has an id of its own")
    func identities() async throws {
        var seen = [await MemoryFarmStore().farm(), await MemoryFarmStore().farm()]
        for _ in 0..<2 {
            let database = try await PostgresServer.shared().makeDatabase()
            let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
            _ = try await Migrator(pool).migrate()
            seen.append(try await PostgresFarmStore(pool).farm())
        }
        #expect(Set(seen).count == 4)
    }
}
