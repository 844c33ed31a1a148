package import FarmAPI

/// The log of what operators changed. Rows are only added.
package protocol AdminLogStore: Sendable {
    /// Adds an action before it is carried out.
    /// - Parameter action: its `id` and `at` are given by the store.
    /// - Returns: its id.
    func begin(_ action: AdminAction) async throws -> Int64
    /// Notes the outcome of an action.
    func end(action id: Int64, status: Int) async throws
    /// The newest first.
    /// - Parameter id: only actions before this one; nil for the newest.
    func adminActions(before id: Int64?, limit: Int) async throws -> [AdminAction]
}
