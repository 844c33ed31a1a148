import FarmAPI
import DraftCompiler
import ExportPlan
import JobQueue
import Scheduling
import FoundationEssentials

/// An artifact of a tenant. Tenants do not share artifacts.
struct TenantKey: Hashable {
    var tenant: Int64
    var key: ArtifactKey
}

struct TokenRow {
    var token: Token
    var tenant: Int64
    var hash: String
}

struct DraftRow {
    struct Revision {
        var document: String
        var createdAt: Date
        /// Whether it was removed. Revision n stays at place n - 1.
        var isRemoved = false
    }

    var tenant: Int64
    /// nil for a draft that was submitted with an export; it is never listed.
    var name: String?
    var revisions: [Revision]
}

struct AssetRow {
    var tenant: Int64
    var asset: Asset
    /// Known after the first probe; the asset's bytes never change.
    var facts: SourceFacts?
    /// When somebody last asked for it.
    var usedAt: Date

    var location: String { AssetLocation.location(of: asset.hash) }
}

struct IdempotencyKey: Hashable {
    var tenant: Int64
    var key: String
}

struct IdempotencyRow {
    var bodyHash: String
    var export: ExportID
}

struct ExportRow {
    /// Its progress is counted on demand.
    var export: Export
    var document: String
    var parameters: [String: String]
    var settings: [String: String]
    /// Probe results by location.
    var probeResults: [String: ProbeResult] = [:]
    /// Where the draft uses its sources, by content hash.
    var sourcePlaces = SourcePlaces()
    /// Indices of its jobs in `jobRows`.
    var jobs: [Int] = []
    /// How often compiling has begun since it last ended.
    var compileAttempts = 0
    /// The draft and revision that it was made from, at their places.
    var draft: (place: Int, revision: Int)
    /// Its progress when its first jobs moved to the history; nil before.
    var progress: ExportProgress?
    /// Whether all of its jobs have moved.
    var hasMoved = false
    /// Whether it was removed.
    var isRemoved = false
}

struct JobRow {
    let id: Int64
    let export: ExportID
    let tenant: Int64
    let new: PlannedJob
    let pool: String
    let priority: Int
    /// The location that a probe looks at; nil for other kinds.
    let location: String?
    let createdAt: Date
    var lifecycle: JobLifecycle
    var readyAt: Date?
    var dispatchedAt: Date?
    var startedAt: Date?
    var finishedAt: Date?
    /// Attempt n is at place n - 1.
    var attempts: [JobAttempt] = []
    /// Where its row is.
    var place = Place.hot

    enum Place { case hot, history, nowhere }

    var tenantKey: TenantKey { TenantKey(tenant: tenant, key: new.key) }
    var role: WorkerRole { new.kind.role }
    /// What the scheduler knows of the job while it is ready or in flight.
    var ready: ReadyJob {
        ReadyJob(
            id: id, export: export, kind: new.kind, ordinal: new.ordinal, key: new.key, predicted: new.weight,
            notBefore: lifecycle.notBefore, excludedWorkers: lifecycle.excludedWorkers,
            demand: lifecycle.demand(of: new.demand), source: new.source)
    }

    var record: Job {
        Job(
            id: id, export: export, tenant: tenant, kind: new.kind, ordinal: new.ordinal, key: new.key, pool: pool,
            priority: priority, frameCount: new.frameCount, state: lifecycle.state, attempt: lifecycle.attempt,
            worker: lifecycle.worker, reused: lifecycle.reused, createdAt: createdAt, dispatchedAt: dispatchedAt,
            startedAt: startedAt, finishedAt: finishedAt, predicted: new.weight, demand: new.demand)
    }

    /// Notes the time at which the lifecycle's state began.
    mutating func recordState(at now: Date) {
        switch lifecycle.state {
        case .waiting, .ready:
            readyAt = lifecycle.state == .ready ? now : nil
            startedAt = nil
            finishedAt = nil
        case .dispatched:
            dispatchedAt = now
            startedAt = nil
        case .running: startedAt = startedAt ?? now
        case .done, .failed, .cancelled: finishedAt = now
        }
    }

    mutating func addAttempt(_ number: Int, at now: Date) {
        guard attempts.count < number else { return }
        attempts.append(
            JobAttempt(
                number: number, state: .dispatched, worker: nil, failure: nil, cost: nil, dispatchedAt: now, startedAt: nil,
                finishedAt: nil))
    }

    mutating func startAttempt(_ number: Int, worker: String, at now: Date) {
        attempts[number - 1].state = .running
        attempts[number - 1].worker = worker
        attempts[number - 1].startedAt = attempts[number - 1].startedAt ?? now
    }

    mutating func disownSuccess() {
        for place in attempts.indices where attempts[place].state == .succeeded { attempts[place].state = .lost }
    }

    mutating func endAttempt(
        _ number: Int, _ state: AttemptState, worker: String? = nil, failure: JobFailure? = nil, cost: JobCost? = nil,
        at now: Date
    ) {
        attempts[number - 1].state = state
        attempts[number - 1].worker = worker ?? attempts[number - 1].worker
        attempts[number - 1].failure = failure
        attempts[number - 1].cost = cost
        attempts[number - 1].finishedAt = now
    }

    /// Ends the attempts that are still under way.
    /// - Returns: these attempts, because their workers have to be told.
    mutating func cancelAttempts(at now: Date) -> [AttemptID] {
        let open = attempts.filter { $0.finishedAt == nil }.map(\.number)
        for number in open { endAttempt(number, .cancelled, at: now) }
        return open.map { AttemptID(job: id, attempt: $0) }
    }
}
