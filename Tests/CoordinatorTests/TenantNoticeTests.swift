import Coordinator
import FarmAPI
import Postgres
import Testing

@Suite("Notices about tenants", .timeLimit(.minutes(2)))
struct TenantNoticeTests {
    @Test("A lower cap is announced after the exports whose priorities it has lowered")
    func lowerCap() async throws {
        let database = try await LeaseFixture()
        let store = database.store
        let farm = StoreFixture(store: store, tenant: try await store.createTenant("studio", weight: 1).id)
        let high = try await farm.submit(priority: 50).id
        _ = try await farm.submit(priority: 5)
        let notices = try await announced(2, in: database) {
            _ = try await store.changeTenant("studio", weight: nil, priorityCap: 10)
        }
        #expect(notices == [.export(high), .settings])
        await database.pool.close()
    }

    @Test("A new tenant and a new share are announced")
    func settings() async throws {
        let database = try await LeaseFixture()
        let store = database.store
        let notices = try await announced(2, in: database) {
            _ = try await store.createTenant("studio", weight: 1)
            _ = try await store.changeTenant("studio", weight: 2, priorityCap: nil)
        }
        #expect(notices == [.settings, .settings])
        await database.pool.close()
    }

    /// The first notices to the leader that a change makes, in their order.
    private func announced(
        _ count: Int, in database: LeaseFixture, by change: () async throws -> Void
    ) async throws -> [WorkNotice] {
        let listener = PostgresListener(database.configuration, channels: [PostgresFarmStore.workChannel])
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        #expect(await events.next() == .listening)
        try await change()
        var notices: [WorkNotice] = []
        while notices.count < count {
            guard case .notification(let notification) = await events.next() else { break }
            notices.append(try #require(WorkNotice(payload: notification.payload)))
        }
        running.cancel()
        try await running.value
        return notices
    }
}
