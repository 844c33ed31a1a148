package import FarmAPI
package import FoundationEssentials

/// Checks of what is true of a farm at all times (`AuditRule`).
package protocol AuditStore: Sendable {
    /// Notes what a process of the farm found wrong. A fault of the same rule and subject is replaced.
    func noteFaults(_ faults: [AuditFault]) async throws
    /// Checks all rules, in one snapshot of the farm.
    /// - Returns: the faults in the order of the rules: what is wrong now, and what was noted within a day.
    func audit(at now: Date) async throws -> [AuditFault]
}
