public import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The farm's truth. `PostgresFarmStore` keeps it for good, `MemoryFarmStore` for tests; one suite of tests runs on both.
///
/// Every call is one transaction: it happens whole or not at all. All throw `FarmError`.
public protocol FarmStore: TenantStore, LibraryStore, ExportStore, JobStore, RecordingStore {}

/// Tenants and their tokens.
public protocol TenantStore: Sendable {
    /// - Throws: `FarmError` `conflict` when the name is taken.
    func createTenant(_ name: String, weight: Int) async throws -> Tenant
    func tenants() async throws -> [Tenant]
    /// - Parameter hash: sha256 of the secret.
    /// - Throws: `FarmError` `notFound` when there is no such tenant.
    func createToken(_ name: String, tenant: String, scopes: [Scope], hash: String) async throws -> Token
    func tokens() async throws -> [Token]
    /// - Returns: false when there is no such token.
    func revokeToken(_ id: Int64) async throws -> Bool
    /// Whom a token stands for; nil when it is unknown or revoked.
    func principal(tokenHash: String) async throws -> Principal?
}

/// What tenants hand in to use again.
public protocol LibraryStore: Sendable {
    /// Adds a revision, unless the document is the newest one's, to the byte.
    func putDraft(_ name: String, document: String, tenant: Int64) async throws -> DraftRevision
    /// - Parameter revision: nil for the newest.
    func draft(_ name: String, revision: Int?, tenant: Int64) async throws -> (revision: DraftRevision, document: String)?
    /// The newest revision of each, by name.
    func drafts(tenant: Int64) async throws -> [DraftRevision]
    func putAsset(_ asset: Asset, tenant: Int64) async throws
    func asset(_ hash: String, tenant: Int64) async throws -> Asset?
    /// Newest first.
    func assets(tenant: Int64, limit: Int) async throws -> [Asset]
}

/// Exports from acceptance to the end.
public protocol ExportStore: Sendable {
    /// Accepts an export.
    /// - Parameter idempotency: a client's key and the hash of what it asked for: the same again gives the same export.
    /// - Returns: the export, and whether it is new.
    /// - Throws: `FarmError` `conflict` when the key was used for something else, `notFound` when there is no such draft.
    func submit(
        _ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) async throws -> (export: Export, isNew: Bool)
    /// - Parameter tenant: nil for the operator, who sees all.
    func export(_ id: ExportID, tenant: Int64?) async throws -> Export?
    /// Newest first.
    func exports(tenant: Int64?, state: ExportState?, limit: Int) async throws -> [Export]
    /// What an export was made from.
    func source(of id: ExportID) async throws -> ExportSource?
    /// What happened after event `after`, in order.
    func events(of id: ExportID, after: Int64, limit: Int) async throws -> [ExportEvent]
    /// - Returns: attempts in workers' hands, which have to be told; nil when the export was over already.
    func cancel(_ id: ExportID) async throws -> [AttemptID]?

    // For the leader:

    /// Exports in `submitted`, and those in `probing` whose probes are all over; first of tenants that are not among `served`, then of
    /// those in its order; of one tenant by priority, then in order of acceptance.
    /// - Parameters:
    ///   - tenants: whose exports are left out.
    ///   - exports: left out themselves.
    func exportsToCompile(
        limit: Int, besides tenants: Set<Int64>, _ exports: Set<ExportID>, served: [Int64]
    ) async throws -> [ExportToCompile]
    /// submitted -> probing. Locations whose facts are known already from an asset's earlier probe need no job.
    /// - Returns: whether everything is known, so that the export can be compiled at once; false for one that was not `submitted`.
    @discardableResult
    func startProbing(_ id: ExportID, jobs: [(location: String, job: NewJob)]) async throws -> Bool
    func findings(of id: ExportID) async throws -> [String: SourceFinding]
    /// probing -> rendering. Jobs whose artifact is there already are done at once, but for the stitch.
    func startRendering(_ id: ExportID, _ plan: PlannedExport) async throws
    /// The film or another artifact is gone or damaged: no export relies on it any more.
    func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws
    /// - Returns: attempts in workers' hands, which have to be told.
    func fail(_ id: ExportID, _ failure: ExportFailure) async throws -> [AttemptID]
}

/// Jobs, from ready to over.
public protocol JobStore: Sendable {
    /// Ready jobs of a role, the first few of each export.
    func candidates(role: WorkerRole, perExport: Int, at now: Date) async throws -> [DispatchCandidate]
    /// What tenants and exports have in flight. Every tenant is among them, with its share; of the exports those that have
    /// something in flight.
    func loads() async throws -> (tenants: [Int64: TenantLoad], exports: [ExportID: Double])
    /// ready -> dispatched, for those that still are. A job that was stored by another version and cannot be read ends its
    /// export, with the reason.
    func dispatch(_ jobs: [Int64], at now: Date) async throws -> [JobTicket]
    /// Applies what a worker reported.
    func apply(_ report: JobReport, at now: Date, luck: Double) async throws -> JobEffects
    /// The workers that had these attempts are silent, or the queue lost them.
    func lose(_ attempts: [AttemptID], at now: Date, luck: Double) async throws -> JobEffects
    /// Everything dispatched or running, with the time of its dispatch.
    func inFlight() async throws -> [(id: AttemptID, dispatchedAt: Date)]
    /// Jobs in flight by role and pool.
    func laneLoads() async throws -> [JobLane: LaneLoad]
    /// Roles of which any job is ready.
    func readyRoles() async throws -> Set<WorkerRole>

    func job(_ id: Int64, tenant: Int64?) async throws -> (job: Job, attempts: [JobAttempt])?
    func jobs(_ filter: JobFilter) async throws -> [Job]
    /// Whose jobs these are, by number; those that are not there, or another tenant's, are left out.
    func exports(ofJobs jobs: [Int64], tenant: Int64?) async throws -> [Int64: ExportID]
    /// An operator's retry of a failed job: the job and its export go on.
    /// - Throws: `FarmError` `conflict` when it has not failed.
    func retry(_ job: Int64) async throws
    func queues(at now: Date) async throws -> [QueueStatus]
    func setPaused(_ role: WorkerRole, _ paused: Bool) async throws
    func pausedRoles() async throws -> Set<WorkerRole>
    func note(_ workers: [WorkerStatus]) async throws
}

/// Recordings, which others change whole.
public protocol RecordingStore: Sendable {
    /// - Throws: `FarmError` `conflict` when there is one of that id.
    func createRecording(_ record: RecordingRecord) async throws
    /// - Parameter tenant: nil for the operator, who sees all.
    func recording(_ id: RecordingID, tenant: Int64?) async throws -> RecordingRecord?
    /// Newest first.
    func recordings(tenant: Int64?, limit: Int) async throws -> [RecordingRecord]
    /// Replaces a recording's content.
    /// - Returns: the record as it is now; nil when it is no longer of the given version, and nothing is changed then.
    func changeRecording(_ record: RecordingRecord) async throws -> RecordingRecord?
}

/// What followed from reports.
public struct JobEffects: Hashable, Sendable {
    /// Attempts of exports that are over now: their workers have to be told.
    public var toCancel: [AttemptID] = []
    /// Whether anything may be dispatched or compiled now that could not before.
    public var hasNews = false

    public init() {}

    public mutating func merge(_ other: JobEffects) {
        toCancel += other.toCancel
        hasNews = hasNews || other.hasNews
    }
}

/// What went wrong with a request to the farm.
public struct FarmError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable, Codable {
        case notFound, conflict, invalid
        /// The database or the queue cannot be reached.
        case unavailable
        case internalError
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
