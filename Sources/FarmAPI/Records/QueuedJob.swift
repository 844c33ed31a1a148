package import ExportPlan
package import FoundationEssentials

/// A ready job with its place in the order of sending.
package struct QueuedJob: Hashable, Sendable, Codable {
    /// How many are listed at most.
    package static let limit = 100

    /// From 1: the job with 1 is sent first.
    package var place: Int
    package var job: Int64
    package var kind: JobKind
    /// The job's number among those of its kind in its export.
    package var ordinal: Int
    package var role: WorkerRole
    package var pool: String
    package var export: ExportID
    package var label: String
    package var tenant: Int64
    /// The tenant's name.
    package var tenantName: String
    package var priority: Int
    /// Whether the priority is above the tenant's cap, so that the job goes before shares.
    package var isUrgent: Bool
    /// The predicted time on one slot, in seconds.
    package var predicted: Double
    package var readySince: Date

    package init(
        place: Int, job: Int64, kind: JobKind, ordinal: Int, pool: String, export: ExportID, label: String, tenant: Int64,
        tenantName: String, priority: Int, isUrgent: Bool, predicted: Double, readySince: Date
    ) {
        self.place = place
        self.job = job
        self.kind = kind
        self.ordinal = ordinal
        self.role = kind.role
        self.pool = pool
        self.export = export
        self.label = label
        self.tenant = tenant
        self.tenantName = tenantName
        self.priority = priority
        self.isUrgent = isUrgent
        self.predicted = predicted
        self.readySince = readySince
    }
}
