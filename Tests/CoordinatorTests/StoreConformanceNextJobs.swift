import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: the jobs that are sent next")
struct StoreConformanceNextJobs {
    private func next(
        _ farm: StoreFixture, role: WorkerRole? = nil, pool: String? = nil, tenant: Int64? = nil, limit: Int = 100
    ) async throws -> [QueuedJob] {
        let filter = NextJobsFilter(role: role, pool: pool, tenant: tenant, limit: limit)
        return try await NextJobs(store: farm.store).list(filter, at: farm.now)
    }

    @Test("An urgent export goes first, then tenants take turns, each in the order of its exports", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            #expect(try await next(farm).isEmpty)
            let low = try await farm.rendering(SampleFilm(pictures: ["a", "b"], sounds: []))
            let high = try await farm.rendering(SampleFilm(pictures: ["c"], sounds: []), priority: 20)
            let theirs = try await farm.rendering(SampleFilm(pictures: ["a", "b", "c"], sounds: []), tenant: other)
            let urgent = try await farm.rendering(
                SampleFilm(pictures: ["d"], sounds: []), tenant: other, priority: 100, mayExceedCap: true)
            let jobs = try await next(farm, role: .video)
            #expect(jobs.map(\.place) == Array(1...7))
            #expect(jobs.first?.export == urgent && jobs.first?.isUrgent == true && jobs.count { $0.isUrgent } == 1)
            // The urgent job, which did not wait for its tenant's turn, is charged to that tenant all the same.
            #expect(jobs.dropFirst().map(\.tenant) == [farm.tenant, farm.tenant, other, farm.tenant, other, other])
            let own = jobs.filter { $0.tenant == farm.tenant }
            #expect(own.map(\.export) == [high, low, low] && own.map(\.ordinal) == [0, 0, 1])
            #expect(own.allSatisfy { $0.tenantName == "studio" } && own[0].priority == 20)
            #expect(jobs.filter { $0.export == theirs }.map(\.ordinal) == [0, 1, 2])
            #expect(jobs.allSatisfy { $0.role == .video && $0.predicted == 2 && $0.pool == "default" && $0.label == "film" })
            #expect(try await next(farm, role: .video, limit: 3) == Array(jobs.prefix(3)))
            #expect(try await next(farm, role: .video, tenant: farm.tenant).map(\.job) == own.map(\.job))
            #expect(try await next(farm, pool: "gpu").isEmpty)
            #expect(try await next(farm, role: .stitch).isEmpty, "stitches wait for the segments")
        }
    }

    @Test(
        "Jobs in flight are not listed, nor those for the same artifact, and they count for their tenant",
        arguments: StoreKind.allCases)
    func inFlight(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            let first = try await farm.rendering(SampleFilm(pictures: ["a", "b"], sounds: []))
            let same = try await farm.rendering(SampleFilm(pictures: ["a", "x"], sounds: []))
            let theirs = try await farm.rendering(SampleFilm(pictures: ["a"], sounds: []), tenant: other)
            _ = try await farm.dispatch(first, .video, 0)
            let jobs = try await next(farm, role: .video)
            #expect(jobs.first?.export == theirs, "its tenant has nothing in flight: \(jobs)")
            #expect(Set(jobs.map { "\($0.export) \($0.ordinal)" }) == ["\(theirs) 0", "\(first) 1", "\(same) 1"])
            // A job that waits for its time after a failure is not sent next.
            let ticket = try await farm.dispatch(theirs, .video, 0)
            try await farm.fail(ticket, .transient, missing: [])
            #expect(try await next(farm, role: .video).contains { $0.export == theirs } == false)
        }
    }
}
