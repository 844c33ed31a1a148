package import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// Checks of what is true of a farm at all times (`AuditRule`).
package protocol AuditStore: Sendable {
    /// Notes what a process of the farm found wrong. A fault of the same rule and subject is replaced.
    func noteFaults(_ faults: [AuditFault]) async throws
    /// For how many seconds the lead has not been renewed; nil where nobody leads. A store in memory has no lead, and is
    /// always led.
    func leadAge() async throws -> Double?
    /// Checks the rules that concern the database alone, in one snapshot of it.
    /// - Returns: the faults in the order of the rules: what is wrong now, and what was noted within a day.
    func audit(at now: Date) async throws -> [AuditFault]
    /// What completed exports offer, in the order of the exports' ids: the keys of the film and of the pictures beside it.
    /// - Parameter export: only exports behind this one; nil for the first.
    func films(
        of tenant: Int64, _ cutoffs: FileCutoffs, after export: ExportID?, limit: Int
    ) async throws -> [(export: ExportID, keys: [ArtifactKey])]
}
