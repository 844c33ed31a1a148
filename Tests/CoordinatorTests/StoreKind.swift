import Coordinator
import Testing

/// The stores that the conformance suite runs on, one after the other.
enum StoreKind: String, CaseIterable, Sendable {
    case memory

    /// - Returns: a store with nothing in it, of which nobody else knows.
    func make() async throws -> any FarmStore {
        switch self {
        case .memory: MemoryFarmStore()
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
