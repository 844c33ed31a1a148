package import ExportPlan
package import FoundationEssentials

/// A job that failed for good because its rendering processes crashed. Its export has failed with it. It stays listed until
/// somebody retries the job or discards it.
package struct DeadLetter: Hashable, Sendable, Codable {
    package var job: Int64
    package var export: ExportID
    package var tenant: Int64
    package var kind: JobKind
    package var ordinal: Int
    /// How many attempts there were.
    package var attempts: Int
    /// The workers that had it, each once, in order.
    package var workers: [String]
    /// Why the last attempt failed.
    package var failure: JobFailure
    package var diedAt: Date

    package init(
        job: Int64, export: ExportID, tenant: Int64, kind: JobKind, ordinal: Int, attempts: Int, workers: [String],
        failure: JobFailure, diedAt: Date
    ) {
        self.job = job
        self.export = export
        self.tenant = tenant
        self.kind = kind
        self.ordinal = ordinal
        self.attempts = attempts
        self.workers = workers
        self.failure = failure
        self.diedAt = diedAt
    }
}
