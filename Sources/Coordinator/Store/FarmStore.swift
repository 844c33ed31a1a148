package import FarmAPI
package import ExportPlan
package import JobQueue
package import Scheduling
package import FoundationEssentials

/// The farm's lasting state. `PostgresFarmStore` keeps it in a database, `MemoryFarmStore` in memory for tests; one
/// suite of tests runs on both.
///
/// Every call is one transaction: it happens entirely or not at all. Every call throws `FarmError`.
package protocol FarmStore: TenantStore, LibraryStore, ExportStore, JobStore, RecordingStore, RetentionStore, CostModelStore,
    AuditStore, DeadLetterStore, AdminLogStore, ObservationStore, BatchStore, WebhookStore, PublicationStore, KeyedAnswerStore,
    ExplanationStore
{
    /// The farm's id, which the marker file of its store carries, too; it never changes.
    func farm() async throws -> String
    /// Does nothing for a leader that still leads, and for everybody else.
    /// - Throws: `FarmError` `lostLead` when the store is that of a leader, and another coordinator leads now.
    func confirmLead() async throws
    /// Goes on with numbers that are far behind all that were ever given out, where no job has had this number yet.
    /// - Parameter job: the number of a job that was given out by this farm. The database was restored from a backup where
    ///   it does not know so.
    /// - Returns: whether numbers were skipped.
    func skipNumbers(behindJob job: Int64) async throws -> Bool
}

/// Tenants and their tokens.
package protocol TenantStore: Sendable {
    /// - Throws: `FarmError` `conflict` when the name is taken, `invalid` for a name or number that is not allowed.
    func createTenant(_ name: String, weight: Int, priorityCap: Int) async throws -> Tenant
    /// Changes a tenant, and notifies the leader. What is nil stays as it is. A lower cap lowers the priorities that the
    /// tenant has given to its exports (`PriorityCap`).
    /// - Throws: `FarmError` `notFound` when there is no such tenant, `invalid` for a number that is not allowed.
    func changeTenant(_ name: String, _ change: TenantChange) async throws -> Tenant
    func tenants() async throws -> [Tenant]
    /// - Parameters:
    ///   - hash: sha256 of the secret.
    ///   - lifetime: for how many seconds it is valid; nil until it is revoked.
    /// - Throws: `FarmError` `notFound` when there is no such tenant.
    func createToken(
        _ name: String, tenant: String, scopes: [Scope], hash: String, lifetime: Int?
    ) async throws -> Token
    /// Makes a token with the tenant, name, scopes and lifetime of another one, which stays valid for a time.
    /// - Parameters:
    ///   - hash: sha256 of the new secret.
    ///   - grace: for how many seconds the old token stays valid, unless it expires before.
    /// - Throws: `FarmError` `notFound` when there is no such token, `conflict` when it is not valid any more.
    func rotateToken(_ id: Int64, hash: String, grace: Int) async throws -> Token
    func tokens() async throws -> [Token]
    /// - Returns: false when there is no such token.
    func revokeToken(_ id: Int64) async throws -> Bool
    /// The tenant and scopes that a token stands for, whose use is noted; nil when the token is unknown, revoked or has
    /// expired.
    func principal(tokenHash: String) async throws -> Principal?
}

extension TenantStore {
    /// Creates a token that is valid until it is revoked.
    package func createToken(_ name: String, tenant: String, scopes: [Scope], hash: String) async throws -> Token {
        try await createToken(name, tenant: tenant, scopes: scopes, hash: hash, lifetime: nil)
    }

    /// Creates a tenant with the default cap.
    package func createTenant(_ name: String, weight: Int) async throws -> Tenant {
        try await createTenant(name, weight: weight, priorityCap: Tenant.defaultPriorityCap)
    }

    /// Changes a tenant's share and cap.
    package func changeTenant(_ name: String, weight: Int?, priorityCap: Int?) async throws -> Tenant {
        try await changeTenant(name, TenantChange(weight: weight, priorityCap: priorityCap))
    }
}

/// Drafts and assets that tenants store to use again.
package protocol LibraryStore: Sendable {
    /// Adds a revision, unless the document equals the newest revision byte for byte.
    /// - Parameter condition: is asked about the newest document, nil where there is none, before anything is changed, and
    ///   throws to stop the change.
    func putDraft(
        _ name: String, document: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws -> DraftRevision
    /// Takes a draft out of the library. Exports that were made from it keep their revisions.
    /// - Parameter condition: as for `putDraft`.
    /// - Throws: `FarmError` `notFound`.
    func removeDraft(
        _ name: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws
    /// - Parameter revision: nil for the newest.
    func draft(_ name: String, revision: Int?, tenant: Int64) async throws -> (revision: DraftRevision, document: String)?
    /// The newest revision of each named draft, sorted by name.
    /// - Parameter name: only drafts behind this name; nil for the first.
    func drafts(tenant: Int64, after name: String?, limit: Int) async throws -> [DraftRevision]
    /// The revisions of a named draft, the newest first; none where there is no such draft.
    /// - Parameter revision: only revisions before this one; nil for the newest.
    func draftRevisions(
        _ name: String, tenant: Int64, before revision: Int?, limit: Int
    ) async throws -> [DraftRevisionReport]
    /// - Throws: `FarmError` `forbidden` where the tenant may not have so many bytes.
    func putAsset(_ asset: Asset, tenant: Int64) async throws
    /// Checks whether an asset of this size may be stored, before its bytes are received.
    /// - Throws: `FarmError` `forbidden`.
    func checkRoom(forAssetOf bytes: Int64, tenant: Int64) async throws
    func asset(_ hash: String, tenant: Int64) async throws -> Asset?
    /// The newest first, and those of the same time by their hash.
    /// - Parameter place: only assets behind this place; nil for the first.
    func assets(tenant: Int64, after place: ListingPlace?, limit: Int) async throws -> [Asset]
    /// Forgets an asset. Its bytes go with a later collection of garbage, as those of a file that the farm does not know.
    /// - Throws: `FarmError` `notFound`; `conflict` where an export that is not over, a draft of the library or a recording
    ///   needs it.
    func removeAsset(_ hash: String, tenant: Int64) async throws
}

extension LibraryStore {
    package func putDraft(_ name: String, document: String, tenant: Int64) async throws -> DraftRevision {
        try await putDraft(name, document: document, tenant: tenant) { _ in }
    }
}

/// Exports from acceptance to the end.
package protocol ExportStore: Sendable {
    /// Accepts exports: all of them, or none. They get their numbers in this order. An export whose idempotency key and
    /// request were accepted before is not accepted again.
    /// - Returns: the exports in the same order, and whether each is new.
    /// - Throws: `FarmError` `conflict` when a key was used for another request, or when two of the exports have the same
    ///   key; `notFound` when there is no such draft; `forbidden` when a priority is above the tenant's cap and the
    ///   request may not exceed that.
    func submit(_ exports: [NewExport]) async throws -> [(export: Export, isNew: Bool)]
    /// - Parameter tenant: nil for the operator, who sees all.
    func export(_ id: ExportID, tenant: Int64?) async throws -> Export?
    /// In the filter's order, the newest first by default.
    func exports(_ filter: ExportFilter) async throws -> [Export]
    /// The documents, parameters and settings that exports were made from, in the order of `ids`.
    /// - Parameter documentBytes: an export is left out where the documents before it have as many bytes together. The
    ///   first one is never left out.
    func sources(of ids: [ExportID], documentBytes: Int) async throws -> [ExportSource]
    /// The export's events after event `after`, in order.
    func events(of id: ExportID, after: Int64, limit: Int) async throws -> [ExportEvent]
    /// - Returns: attempts that workers have, and that the caller cancels; nil when the export was over already.
    func cancel(_ id: ExportID) async throws -> [AttemptID]?
    /// Gives an export that is not over, or has failed, another priority. It counts for all jobs that are not dispatched.
    /// - Parameter mayExceedCap: whether the caller is an operator, who may go beyond the tenant's cap.
    /// - Throws: `FarmError` `notFound`; `conflict` where the export has ended; `forbidden` above the cap.
    func setPriority(_ priority: Int, of id: ExportID, mayExceedCap: Bool) async throws
    /// Removes an export that has ended, with its jobs and events. Artifacts stay, and so does the film until garbage is
    /// collected.
    /// - Throws: `FarmError` `notFound`; `conflict` where the export has not ended.
    func removeExport(_ id: ExportID) async throws
    /// Notes that an export no longer needs its film. The file goes when garbage is collected, unless another export has the
    /// same film.
    /// - Throws: `FarmError` `notFound` where there is no such export or its film was removed before; `conflict` where it has
    ///   no film, or the film is still to be sent to its destination.
    func removeFilm(of id: ExportID) async throws

    // For the leader:

    /// Exports in `submitted`, and exports in `probing` without an open probe, by falling priority and then in order of
    /// acceptance.
    /// - Parameters:
    ///   - limit: how many exports of each tenant are listed at most, the first ones.
    ///   - exports: these exports are left out.
    func exportsToCompile(ofEachTenant limit: Int, besides exports: Set<ExportID>) async throws -> [ExportToCompile]
    /// Counts that compiling exports begins.
    /// - Returns: how often compiling each has begun since it last ended, this time included.
    func beginCompiling(_ ids: [ExportID]) async throws -> [ExportID: Int]
    /// Records that compiling exports has ended: the count of `beginCompiling` is 0 again, as after each change of an
    /// export's state.
    func endCompiling(_ ids: [ExportID]) async throws
    /// submitted -> probing, for each export. A location whose facts are known from an earlier probe of an asset needs no
    /// job.
    /// - Returns: the exports of which all facts are known, so that they can be compiled at once. An export that was not
    ///   `submitted` is not among them.
    func startProbing(_ exports: [ExportProbes]) async throws -> Set<ExportID>
    /// The facts or faults of the exports' sources, by location.
    func probeResults(of ids: [ExportID]) async throws -> [ExportID: [String: ProbeResult]]
    /// probing -> rendering, for each export. Jobs whose artifact exists are done at once, except the stitch. An export
    /// that is not `probing` stays unchanged.
    /// - Returns: how many jobs of each kind are done because their artifact exists.
    @discardableResult
    func startRendering(_ plans: [ExportPlanned]) async throws -> [JobKind: Int]
    /// Forgets artifacts that are gone or damaged, so that no export relies on them any more.
    func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws
    /// - Returns: attempts that workers have, and that the caller cancels.
    func fail(_ id: ExportID, _ failure: ExportFailure) async throws -> [AttemptID]
}

extension ExportStore {
    /// Accepts one export.
    package func submit(
        _ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) async throws -> (export: Export, isNew: Bool) {
        let export = NewExport(
            request, id: id, tenant: tenant,
            idempotency: idempotency.map { NewExport.Idempotency(key: $0.key, bodyHash: $0.bodyHash) })
        guard let accepted = try await submit([export]).first else {
            throw FarmError(.internalError, "export \(id) was not stored")
        }
        return accepted
    }

    /// The document, parameters and settings that an export was made from.
    package func source(of id: ExportID) async throws -> ExportSource? {
        try await sources(of: [id], documentBytes: 0).first
    }

    /// Performs `beginCompiling` for one export.
    package func beginCompiling(_ id: ExportID) async throws -> Int { try await beginCompiling([id])[id] ?? 0 }

    /// Performs `endCompiling` for one export.
    package func endCompiling(_ id: ExportID) async throws { try await endCompiling([id]) }

    /// Performs `startProbing` for one export.
    /// - Returns: whether all its facts are known; false for an export that was not `submitted`.
    @discardableResult
    package func startProbing(_ id: ExportID, jobs: [(location: String, job: PlannedJob)]) async throws -> Bool {
        try await startProbing([ExportProbes(export: id, probes: jobs)]).contains(id)
    }

    /// The facts or faults of one export's sources, by location.
    package func probeResults(of id: ExportID) async throws -> [String: ProbeResult] {
        try await probeResults(of: [id])[id] ?? [:]
    }

    /// Performs `startRendering` for one export.
    package func startRendering(_ id: ExportID, _ plan: PlannedExport) async throws {
        try await startRendering([ExportPlanned(export: id, plan: plan)])
    }
}

/// Jobs, from ready until they are over.
package protocol JobStore: Sendable {
    /// Exports that are being probed or rendered, and are therefore all that may have active jobs, in the order of their
    /// numbers.
    /// - Parameter number: exports up to this number are left out.
    func openExports(after number: Int64, limit: Int) async throws -> [QueuedExport]
    /// The exports among these that are being probed or rendered.
    func openExports(among exports: Set<ExportID>) async throws -> [QueuedExport]
    /// The jobs of these exports that are ready or in flight, in the order of their ids.
    func activeJobs(of exports: [ExportID]) async throws -> [ActiveJob]
    /// ready -> dispatched, for jobs that are still ready. A job that another version stored and that cannot be read
    /// ends its export, with the reason.
    func dispatch(_ jobs: [Int64], at now: Date) async throws -> [JobTicket]
    /// Applies what workers reported, in one transaction, with the same outcome as one after the other in this order.
    /// - Parameter jitter: jitter of the first report, 0...1; the others' follow from it (`RetryPolicy.jitter`).
    func apply(_ reports: [JobReport], at now: Date, jitter: Double) async throws -> JobEffects
    /// Applies that the leases of these attempts have expired, in the same manner.
    func expireLeases(_ attempts: [AttemptID], at now: Date, jitter: Double) async throws -> JobEffects
    /// Begins a second attempt at a job that is running, and on which no second one was begun yet (`JobLifecycle.Copy`).
    /// - Parameter attempt: the attempt that is copied.
    /// - Returns: the ticket of the second attempt; nil where this is no longer the only attempt under way.
    func copy(_ attempt: AttemptID, at now: Date) async throws -> JobTicket?
    /// Every attempt that is dispatched or running, with the time of its dispatch.
    func inFlight() async throws -> [(id: AttemptID, dispatchedAt: Date)]

    func job(_ id: Int64, tenant: Int64?) async throws -> (job: Job, attempts: [JobAttempt])?
    func jobs(_ filter: JobFilter) async throws -> [Job]
    /// The artifacts that the film of an export is joined from, and which of them are there. Nil where the export is not compiled, makes
    /// no film, or ended so long ago that it is history.
    func filmParts(of export: ExportID) async throws -> FilmParts?
    /// The exports of these jobs, by job id. Jobs that do not exist or belong to another tenant are left out.
    func exports(ofJobs jobs: [Int64], tenant: Int64?) async throws -> [Int64: ExportID]
    /// Retries a failed job for an operator: the job and its export go on.
    /// - Throws: `FarmError` `conflict` when the job has not failed.
    func retry(_ job: Int64) async throws
    /// The queue of each role. The store does not know which pools have no workers.
    func queues(at now: Date) async throws -> [QueueStatus]
    /// The jobs of each role that ended in the last hour, by minute.
    func queueHistory(at now: Date) async throws -> [QueueHistory]
    func setPaused(_ role: WorkerRole, _ paused: Bool) async throws
    func pausedRoles() async throws -> Set<WorkerRole>
    func note(_ workers: [WorkerStatus]) async throws
    /// Records that jobs wait for a worker that can do them, as events of their exports, each once.
    func noteWaits(_ waits: [JobWait]) async throws
}

/// A job that is ready or in flight.
package struct ActiveJob: Hashable, Sendable {
    package var job: ReadyJob
    package var isInFlight: Bool
    /// The worker that has begun it.
    package var worker: String?

    package init(_ job: ReadyJob, isInFlight: Bool, worker: String?) {
        self.job = job
        self.isInFlight = isInFlight
        self.worker = worker
    }
}

extension JobStore {
    /// Applies what a worker reported.
    package func apply(_ report: JobReport, at now: Date, jitter: Double) async throws -> JobEffects {
        try await apply([report], at: now, jitter: jitter)
    }
}

/// Recordings. A change replaces the whole content.
package protocol RecordingStore: Sendable {
    /// - Throws: `FarmError` `conflict` when the id is taken.
    func createRecording(_ record: RecordingRecord) async throws
    /// - Parameter tenant: nil for the operator, who sees all.
    func recording(_ id: RecordingID, tenant: Int64?) async throws -> RecordingRecord?
    /// Newest first.
    /// - Parameter place: only recordings behind this place; nil for the first.
    func recordings(tenant: Int64?, after place: ListingPlace?, limit: Int) async throws -> [RecordingRecord]
    /// Replaces a recording's content.
    /// - Returns: the record as it is now; nil when its stored version is another one, and then nothing changes.
    func changeRecording(_ record: RecordingRecord) async throws -> RecordingRecord?
}

/// The error of a request to the farm.
package struct FarmError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, Codable {
        case notFound, conflict, invalid
        /// Only an operator may do it.
        case forbidden
        /// A tenant has as much as it may have at a time.
        case quota
        /// The database or the queue cannot be reached.
        case unavailable
        /// The caller led the farm, and another coordinator leads now.
        case lostLead
        case internalError
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// Whether the error is about the farm, and says nothing about the item that was processed.
    var concernsAll: Bool { code == .unavailable || code == .lostLead }
}
