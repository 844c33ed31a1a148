import FarmAPI
import Coordinator
import Postgres
import TestSupport
import Testing

/// The stores that the conformance suite runs on, one after the other.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, postgres

    /// - Returns: an empty store that no other test uses.
    func make() async throws -> any FarmStore {
        switch self {
        case .memory:
            return MemoryFarmStore()
        case .postgres:
            let database = try await MigratedDatabase.make()
            let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
            return PostgresFarmStore(pool)
        }
    }
}

/// Runs a test on a new store, and checks afterwards that everything in it is consistent.
func onStore(
    _ kind: StoreKind, sourceLocation: SourceLocation = #_sourceLocation, _ test: (StoreFixture) async throws -> Void
) async throws {
    // A server has a limited number of connections.
    let needsTurn = kind == .postgres
    if needsTurn { await Turns.shared.take() }
    do {
        let store = try await kind.make()
        let tenant = try await store.createTenant("studio", weight: 1)
        let farm = StoreFixture(store: store, tenant: tenant.id)
        try await test(farm)
        try await expectConsistency(of: store, sourceLocation: sourceLocation)
    } catch {
        if needsTurn { await Turns.shared.give() }
        throw error
    }
    if needsTurn { await Turns.shared.give() }
}

/// How many tests may have a database at a time.
private actor Turns {
    static let shared = Turns()
    private var free = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
