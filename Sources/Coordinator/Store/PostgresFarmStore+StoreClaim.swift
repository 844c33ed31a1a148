import Postgres

/// Whether the farm has been given the directory or the bucket that its machines share.
extension PostgresFarmStore {
    /// Whether the farm has a store. One that does not carry the farm's mark then counts as away.
    package func hasStore() async throws -> Bool {
        try await query("SELECT has_store FROM farm").first?.get("has_store") ?? false
    }

    /// - Parameter value: whether the farm has a store from now on.
    package func setHasStore(_ value: Bool) async throws {
        _ = try await query("UPDATE farm SET has_store = \(value) WHERE has_store <> \(value)")
    }
}
