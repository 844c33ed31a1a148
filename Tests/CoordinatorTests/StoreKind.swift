import Coordinator
import Postgres
import TestSupport
import Testing

/// The stores that the conformance suite runs on, one after the other.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, postgres

    /// - Returns: a store with nothing in it, of which nobody else knows.
    func make() async throws -> any FarmStore {
        switch self {
        case .memory:
            return MemoryFarmStore()
        case .postgres:
            let database = try await PostgresServer.shared().makeDatabase()
            let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
            _ = try await Migrator(pool).migrate()
            return PostgresFarmStore(pool)
        }
    }
}

/// Runs a test on a new store, and looks afterwards whether everything in it still adds up.
func onStore(
    _ kind: StoreKind, sourceLocation: SourceLocation = #_sourceLocation, _ test: (StoreFixture) async throws -> Void
) async throws {
    let store = try await kind.make()
    let tenant = try await store.createTenant("studio", weight: 1)
    let farm = StoreFixture(store: store, tenant: tenant.id)
    try await test(farm)
    try await expectConsistency(of: store, sourceLocation: sourceLocation)
}
