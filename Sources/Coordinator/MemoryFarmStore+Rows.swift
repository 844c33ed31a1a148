import DraftCompiler
import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An artifact of a tenant: what one tenant has rendered is nothing to another.
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
    }

    var tenant: Int64
    /// nil: handed in with an export, never listed.
    var name: String?
    var revisions: [Revision]
}

struct AssetRow {
    var tenant: Int64
    var asset: Asset
    /// Known from its first probe on; its bytes never change.
    var facts: SourceFacts?

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
    /// Its progress is counted when somebody asks.
    var export: Export
    var document: String
    var parameters: [String: String]
    var settings: [String: String]
    /// By location.
    var findings: [String: SourceFinding] = [:]
    /// By content hash.
    var sourcePlaces = SourcePlaces()
    /// Places of its jobs.
    var jobs: [Int] = []
}

struct JobRow {
    let id: Int64
    let export: ExportID
    let tenant: Int64
    let new: NewJob
    let pool: String
    let priority: Int
    /// Of a probe: what it looks at.
    let location: String?
    let createdAt: Date
    var lifecycle: JobLifecycle
    var reused = false
    var readyAt: Date?
    var dispatchedAt: Date?
    var startedAt: Date?
    var finishedAt: Date?
    /// Attempt n is at place n - 1.
    var attempts: [JobAttempt] = []

    var tenantKey: TenantKey { TenantKey(tenant: tenant, key: new.key) }
    var role: WorkerRole { new.kind.role }
    /// The smallest is dispatched first of its export.
    var place: (Int, Double, Int) { (new.kind == .probe ? 0 : 1, -new.weight, new.ordinal) }

    var record: Job {
        Job(
            id: id, export: export, tenant: tenant, kind: new.kind, ordinal: new.ordinal, key: new.key, pool: pool,
            priority: priority, frameCount: new.frameCount, state: lifecycle.state, attempt: lifecycle.attempt,
            worker: lifecycle.worker, reused: reused, createdAt: createdAt, dispatchedAt: dispatchedAt, startedAt: startedAt,
            finishedAt: finishedAt)
    }

    mutating func becomeReady(at now: Date) {
        lifecycle.state = .ready
        readyAt = now
        finishedAt = nil
        reused = false
    }

    mutating func becomeWaiting() {
        lifecycle.state = .waiting
        readyAt = nil
        finishedAt = nil
        reused = false
    }

    /// Over without an attempt of its own: the artifact is there.
    mutating func becomeReused(at now: Date) {
        lifecycle.state = .done
        reused = true
        finishedAt = now
    }

    mutating func endAttempt(
        _ number: Int, _ state: AttemptState, worker: String? = nil, failure: JobFailure? = nil, cost: JobCost? = nil,
        at now: Date
    ) {
        guard attempts.indices.contains(number - 1) else { return }
        attempts[number - 1].state = state
        attempts[number - 1].worker = worker ?? attempts[number - 1].worker
        attempts[number - 1].failure = failure
        attempts[number - 1].cost = cost
        attempts[number - 1].finishedAt = now
    }

    /// Ends the attempts that are still under way.
    /// - Returns: those, for their workers have to be told.
    mutating func cancelAttempts(at now: Date) -> [AttemptID] {
        let open = attempts.filter { $0.finishedAt == nil }.map(\.number)
        for number in open { endAttempt(number, .cancelled, at: now) }
        return open.map { AttemptID(job: id, attempt: $0) }
    }
}
