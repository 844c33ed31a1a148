import Coordinator
import ExportPlan
import FarmAPI
import Postgres
import Testing

@Suite("A failure that another version stored", .timeLimit(.minutes(1)))
struct StoredFailureTests {
    @Test("It is shown as its JSON, and the exports beside it are read as always")
    func otherFormat() async throws {
        let lease = try await LeaseFixture()
        let farm = StoreFixture(store: lease.store, tenant: try await lease.store.createTenant("studio", weight: 1).id)
        let failure = ExportFailure(.input, message: "no such clip")
        let exports = try await [farm.submit().id, farm.submit().id]
        for export in exports { _ = try await lease.store.fail(export, failure) }
        try await lease.pool.execute(
            #"UPDATE exports SET failure = '{"reason": 7}' WHERE id = $1"#, [.uuid(exports[0].text)])
        let failures = try await lease.store.exports(ExportFilter(limit: 10)).map(\.failure)
        let message = #"the reason was stored by another version of spool and cannot be read: {"reason": 7}"#
        #expect(failures == [failure, ExportFailure(.crash, message: message)])
        await lease.pool.close()
    }
}
