import ContentHashing
import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Scheduling
import Testing
import FoundationEssentials

@Suite("Every store: sources that workers fetch")
struct StoreConformanceRemotes {
    private static let address = "https://media.example.org/sea.mp4?sig=1"

    @Test("A probe's ticket has what is known of its addresses, and later jobs read the asset", arguments: StoreKind.allCases)
    func known(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let address = StoreConformanceRemotes.address
            let first = try await farm.dispatchProbe(of: address)
            #expect(first.remote == RemoteAccess(tenant: "studio"))
            let source = FetchedSource(
                contentHash: ContentHash.of("sea".utf8), byteCount: 3, etag: "\"1\"",
                lastModified: "Wed, 21 Oct 2015 07:28:00 GMT")
            var result = JobResult(facts: SourceFacts.sample("sea"))
            result.fetched = [address: source]
            try await farm.finish(first, result)
            let asset = try #require(try await farm.store.asset(source.contentHash, tenant: farm.tenant))
            #expect(asset.name == "sea.mp4" && asset.byteCount == 3)
            let second = try await farm.dispatchProbe(of: address)
            #expect(second.remote?.known == [address: source])

            // What the address has now replaces what it had.
            var changed = source
            (changed.contentHash, changed.etag) = (ContentHash.of("other".utf8), nil)
            result = JobResult(facts: SourceFacts.sample("other"))
            result.fetched = [address: changed]
            try await farm.finish(second, result)
            #expect(try await farm.dispatchProbe(of: address).remote?.known == [address: changed])
            #expect(try await farm.store.assets(tenant: farm.tenant, after: nil, limit: 10).count == 2)

            let other = try await farm.store.createTenant("other", weight: 1)
            let foreign = try await farm.dispatchProbe(of: address, tenant: other.id)
            #expect(foreign.remote == RemoteAccess(tenant: "other"), "a tenant never learns what another has fetched")
        }
    }

    @Test("A tenant's own list of addresses goes with its tickets", arguments: StoreKind.allCases)
    func addresses(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let patterns = ["https://media.example.org/", "s3://bucket/in/"]
            let changed = try await farm.store.changeTenant("studio", TenantChange(sourceAddresses: patterns))
            #expect(changed.sourceAddresses == patterns && changed.weight == 1)
            #expect(try await farm.dispatchProbe(of: StoreConformanceRemotes.address + "0").remote?.addresses == patterns)
            let none = try await farm.store.changeTenant("studio", TenantChange(sourceAddresses: []))
            #expect(none.sourceAddresses == [])
            #expect(try await farm.dispatchProbe(of: StoreConformanceRemotes.address + "1").remote?.addresses == [])
            _ = try await farm.store.changeTenant("studio", TenantChange(sourceAddresses: ["*"]))
            let all = try await farm.dispatchProbe(of: StoreConformanceRemotes.address + "2")
            #expect(all.remote != nil && all.remote?.addresses == nil)
            #expect(try await farm.dispatchProbe(of: "asset:\(ContentHash.of("a".utf8))").remote == nil)
        }
    }
}

extension StoreFixture {
    /// The ticket of the only probe of a new export.
    fileprivate func dispatchProbe(of location: String, tenant: Int64? = nil) async throws -> JobTicket {
        let id = try await probing([location], tenant: tenant)
        let jobs = try await store.activeJobs(of: [id]).map(\.job.id)
        return try #require(try await store.dispatch(jobs, at: now).first)
    }

    fileprivate func finish(_ ticket: JobTicket, _ result: JobResult) async throws {
        let report = JobReport(ticket.identity, worker: "w", .finished(result: result, reused: false))
        _ = try await store.apply([report], at: now, jitter: 0)
    }
}
