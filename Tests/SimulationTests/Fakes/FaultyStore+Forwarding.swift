import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import FoundationEssentials

/// The calls that the store in memory answers by itself.
extension FaultyStore: FarmStore {
    func farm() async throws -> String { try await read { await $0.farm() } }

    func skipNumbers(behindJob job: Int64) async throws -> Bool {
        try await write { await $0.skipNumbers(behindJob: job) }
    }

    func confirmLead() async throws {
        try await read { _ in }
        try checkLead()
    }
}

extension FaultyStore: ExplanationStore {
    func rivals(of job: Job) async throws -> JobRivals { try await read { await $0.rivals(of: job) } }
    func compileRivals(of export: Export) async throws -> CompileRivals {
        try await read { await $0.compileRivals(of: export) }
    }
    func nextJobsCandidates(_ filter: NextJobsFilter, at now: Date) async throws -> [NextJobsCandidate] {
        try await read { await $0.nextJobsCandidates(filter, at: now) }
    }
}

extension FaultyStore: TenantStore {
    func createTenant(_ name: String, weight: Int, priorityCap: Int) async throws -> Tenant {
        try await write { try await $0.createTenant(name, weight: weight, priorityCap: priorityCap) }
    }
    func changeTenant(_ name: String, _ change: TenantChange) async throws -> Tenant {
        try await write { try await $0.changeTenant(name, change) }
    }
    func tenants() async throws -> [Tenant] { try await read { await $0.tenants() } }
    func createToken(
        _ name: String, tenant: String, scopes: [Scope], hash: String, lifetime: Int?
    ) async throws -> Token {
        try await write { try await $0.createToken(name, tenant: tenant, scopes: scopes, hash: hash, lifetime: lifetime) }
    }
    func rotateToken(_ id: Int64, hash: String, grace: Int) async throws -> Token {
        try await write { try await $0.rotateToken(id, hash: hash, grace: grace) }
    }
    func tokens() async throws -> [Token] { try await read { await $0.tokens() } }
    func revokeToken(_ id: Int64) async throws -> Bool { try await write { await $0.revokeToken(id) } }
    func principal(tokenHash: String) async throws -> Principal? { try await read { await $0.principal(tokenHash: tokenHash) } }
}

extension FaultyStore: LibraryStore {
    func putDraft(
        _ name: String, document: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws -> DraftRevision {
        try await write { try await $0.putDraft(name, document: document, tenant: tenant, if: condition) }
    }
    func removeDraft(
        _ name: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws {
        try await write { try await $0.removeDraft(name, tenant: tenant, if: condition) }
    }
    func removeAsset(_ hash: String, tenant: Int64) async throws {
        try await write { try await $0.removeAsset(hash, tenant: tenant) }
    }
    func draft(_ name: String, revision: Int?, tenant: Int64) async throws -> (revision: DraftRevision, document: String)? {
        try await read { await $0.draft(name, revision: revision, tenant: tenant) }
    }
    func drafts(tenant: Int64, after name: String?, limit: Int) async throws -> [DraftRevision] {
        try await read { await $0.drafts(tenant: tenant, after: name, limit: limit) }
    }
    func draftRevisions(
        _ name: String, tenant: Int64, before revision: Int?, limit: Int
    ) async throws -> [DraftRevisionReport] {
        try await read { await $0.draftRevisions(name, tenant: tenant, before: revision, limit: limit) }
    }
    func putAsset(_ asset: Asset, tenant: Int64) async throws { try await write { try await $0.putAsset(asset, tenant: tenant) } }
    func checkRoom(forAssetOf bytes: Int64, tenant: Int64) async throws {
        try await read { try await $0.checkRoom(forAssetOf: bytes, tenant: tenant) }
    }
    func asset(_ hash: String, tenant: Int64) async throws -> Asset? {
        try await read { await $0.asset(hash, tenant: tenant) }
    }
    func assets(tenant: Int64, after place: ListingPlace?, limit: Int) async throws -> [Asset] {
        try await read { await $0.assets(tenant: tenant, after: place, limit: limit) }
    }
}

extension FaultyStore: ExportStore {
    func submit(_ exports: [NewExport]) async throws -> [(export: Export, isNew: Bool)] {
        try await write { try await $0.submit(exports) }
    }
    func export(_ id: ExportID, tenant: Int64?) async throws -> Export? { try await read { await $0.export(id, tenant: tenant) } }
    func exports(_ filter: ExportFilter) async throws -> [Export] { try await read { await $0.exports(filter) } }
    func setPriority(_ priority: Int, of id: ExportID, mayExceedCap: Bool) async throws {
        try await write { try await $0.setPriority(priority, of: id, mayExceedCap: mayExceedCap) }
    }
    func removeExport(_ id: ExportID) async throws { try await write { try await $0.removeExport(id) } }
    func removeFilm(of id: ExportID) async throws { try await write { try await $0.removeFilm(of: id) } }
    func sources(of ids: [ExportID], documentBytes: Int) async throws -> [ExportSource] {
        try await read { await $0.sources(of: ids, documentBytes: documentBytes) }
    }
    func events(of id: ExportID, after: Int64, limit: Int) async throws -> [ExportEvent] {
        try await read { await $0.events(of: id, after: after, limit: limit) }
    }
    func exportsToCompile(ofEachTenant limit: Int, besides exports: Set<ExportID>) async throws -> [ExportToCompile] {
        try await read { await $0.exportsToCompile(ofEachTenant: limit, besides: exports) }
    }
    func beginCompiling(_ ids: [ExportID]) async throws -> [ExportID: Int] { try await write { await $0.beginCompiling(ids) } }
    func endCompiling(_ ids: [ExportID]) async throws { try await write { await $0.endCompiling(ids) } }
    func startProbing(_ exports: [ExportProbes]) async throws -> Set<ExportID> {
        try await write { await $0.startProbing(exports) }
    }
    func probeResults(of ids: [ExportID]) async throws -> [ExportID: [String: ProbeResult]] {
        try await read { await $0.probeResults(of: ids) }
    }
    func startRendering(_ plans: [ExportPlanned]) async throws -> [JobKind: Int] {
        try await write { await $0.startRendering(plans) }
    }
    func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws {
        try await write { await $0.forget(artifacts, tenant: tenant) }
    }
}

extension FaultyStore: JobStore {
    func openExports(after number: Int64, limit: Int) async throws -> [QueuedExport] {
        try await read { await $0.openExports(after: number, limit: limit) }
    }
    func openExports(among exports: Set<ExportID>) async throws -> [QueuedExport] {
        try await read { await $0.openExports(among: exports) }
    }
    func activeJobs(of exports: [ExportID]) async throws -> [ActiveJob] { try await read { await $0.activeJobs(of: exports) } }
    func inFlight() async throws -> [(id: AttemptID, dispatchedAt: Date)] {
        try await read { record.isBroken(.ignoredLostTickets) ? [] : await $0.inFlight() }
    }
    func job(_ id: Int64, tenant: Int64?) async throws -> (job: Job, attempts: [JobAttempt])? {
        try await read { await $0.job(id, tenant: tenant) }
    }
    func jobs(_ filter: JobFilter) async throws -> [Job] { try await read { await $0.jobs(filter) } }
    func filmParts(of export: ExportID) async throws -> FilmParts? { try await read { await $0.filmParts(of: export) } }
    func exports(ofJobs jobs: [Int64], tenant: Int64?) async throws -> [Int64: ExportID] {
        try await read { await $0.exports(ofJobs: jobs, tenant: tenant) }
    }
    func queues(at now: Date) async throws -> [QueueStatus] { try await read { await $0.queues(at: record.clock.date) } }
    func queueHistory(at now: Date) async throws -> [QueueHistory] {
        try await read { await $0.queueHistory(at: record.clock.date) }
    }
    func pausedRoles() async throws -> Set<WorkerRole> {
        try await read { record.isBroken(.ignoredPause) ? [] : await $0.pausedRoles() }
    }
    func noteWaits(_ waits: [JobWait]) async throws { try await write { await $0.noteWaits(waits) } }
    func note(_ workers: [WorkerStatus]) async throws { try await write { await $0.note(workers) } }
}

extension FaultyStore: AuditStore {
    func noteFaults(_ faults: [AuditFault]) async throws { try await write { await $0.noteFaults(faults) } }
    func leadAge() async throws -> Double? { try await read { await $0.leadAge() } }
    func films(
        of tenant: Int64, _ cutoffs: FileCutoffs, after export: ExportID?, limit: Int
    ) async throws -> [(export: ExportID, keys: [ArtifactKey])] {
        try await read { await $0.films(of: tenant, cutoffs, after: export, limit: limit) }
    }
    func audit(at now: Date) async throws -> [AuditFault] { try await read { await $0.audit(at: record.clock.date) } }
}

extension FaultyStore: DeadLetterStore {
    func deadLetters(tenant: Int64?, after job: Int64?, limit: Int) async throws -> [DeadLetter] {
        try await read { await $0.deadLetters(tenant: tenant, after: job, limit: limit) }
    }
    func discardDeadLetter(_ job: Int64, tenant: Int64?) async throws {
        try await write { try await $0.discardDeadLetter(job, tenant: tenant) }
    }
}

extension FaultyStore: AdminLogStore {
    func begin(_ action: AdminAction) async throws -> Int64 { try await write { await $0.begin(action) } }
    func end(action id: Int64, status: Int) async throws { try await write { await $0.end(action: id, status: status) } }
    func adminActions(before id: Int64?, limit: Int) async throws -> [AdminAction] {
        try await read { await $0.adminActions(before: id, limit: limit) }
    }
}

extension FaultyStore: CostModelStore {
    func costModels() async throws -> [StoredCostModel] { try await read { await $0.costModels() } }
    func saveCostModels(_ models: [StoredCostModel], forgetting machines: [String]) async throws {
        try await write { await $0.saveCostModels(models, forgetting: machines) }
    }
}

extension FaultyStore: ObservationStore {
    func observe(at now: Date) async throws -> FarmCounts { try await read { await $0.observe(at: record.clock.date) } }
    func assetBytes() async throws -> Int64 { try await read { await $0.assetBytes() } }
}

extension FaultyStore: RecordingStore {
    func createRecording(_ recording: RecordingRecord) async throws {
        try await write { try await $0.createRecording(recording) }
    }
    func recording(_ id: RecordingID, tenant: Int64?) async throws -> RecordingRecord? {
        try await read { await $0.recording(id, tenant: tenant) }
    }
    func recordings(tenant: Int64?, after place: ListingPlace?, limit: Int) async throws -> [RecordingRecord] {
        try await read { await $0.recordings(tenant: tenant, after: place, limit: limit) }
    }
    func changeRecording(_ recording: RecordingRecord) async throws -> RecordingRecord? {
        try await write { await $0.changeRecording(recording) }
    }
}
