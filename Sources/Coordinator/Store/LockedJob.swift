import FarmAPI
import ExportPlan
import JobQueue
import Postgres
import Scheduling
import FoundationEssentials

/// A job whose row is locked until the transaction ends.
struct LockedJob: Sendable {
    var id: Int64
    var export: ExportID
    var tenant: Int64
    var key: ArtifactKey
    /// The location that a probe looks at; nil for other kinds.
    var location: String?
    var lifecycle: JobLifecycle
}

extension LockedJob {
    var tenantKey: TenantKey { TenantKey(tenant: tenant, key: key) }
}

extension PostgresTransaction {
    /// - Returns: nil when there is no such job.
    func lock(_ job: Int64) async throws -> LockedJob? { try await lock([job])[job] }

    /// Locks the rows of these jobs, in the order of their ids, so that two transactions never wait for each other.
    /// - Returns: the jobs by id; unknown jobs are left out.
    func lock(_ jobs: [Int64]) async throws -> [Int64: LockedJob] {
        let rows = try await query(
            """
            SELECT id, export_id, tenant_id, kind, artifact_key, CASE WHEN kind = 'probe' THEN work END AS work,
              state, attempt, failures, excluded_workers, worker, not_before, missed_artifacts, reused, original, copy_ended
            FROM jobs WHERE id = ANY($1) ORDER BY id FOR UPDATE
            """, [.int64Array(jobs)])
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("id"), try $0.lockedJob()) })
    }

    /// Stores the lifecycles of changed jobs, with the times at which their states began.
    /// - Parameter times: the times of each job, by job id.
    /// - Returns: the jobs that are ready now.
    func recordStates(
        of jobs: [LockedJob], _ times: [Int64: StateTimes], at now: Date
    ) async throws -> [ReadyJob] {
        guard !jobs.isEmpty else { return [] }
        let rows = try jobs.map { job in try StateRow(job, times[job.id] ?? StateTimes()) }
        return try await query(
            """
            UPDATE jobs SET state = new.state, attempt = new.attempt, failures = new.failures,
              excluded_workers = new.excluded, worker = new.worker,
              not_before = timestamptz '2000-01-01 00:00:00+00' + new."notBefore" * interval '1 microsecond',
              missed_artifacts = new.missed, reused = new.reused, original = new.original, copy_ended = new."copyEnded",
              ready_at = CASE new.ready WHEN 'now' THEN $3::timestamptz WHEN 'none' THEN NULL ELSE jobs.ready_at END,
              dispatched_at = CASE new.dispatched WHEN 'now' THEN $3::timestamptz ELSE jobs.dispatched_at END,
              started_at = CASE new.started WHEN 'now' THEN $3::timestamptz - new."startedAgo" * interval '1 second'
                WHEN 'first' THEN coalesce(jobs.started_at, $3::timestamptz - new."startedAgo" * interval '1 second')
                WHEN 'none' THEN NULL ELSE jobs.started_at END,
              finished_at = CASE WHEN new.over THEN $3::timestamptz END
            FROM json_to_recordset($2::json) AS new(
              id bigint, state text, attempt integer, failures jsonb, excluded text[], worker text, "notBefore" bigint,
              missed integer, reused boolean, original integer, "copyEnded" boolean, ready text, dispatched text, started text,
              "startedAgo" double precision, over boolean)
            WHERE jobs.id = ANY($1) AND jobs.id = new.id
            RETURNING jobs.state, \(PostgresFarmStore.readyColumns)
            """,
            [.int64Array(jobs.map(\.id)), try PostgresFarmStore.json(rows), .timestamp(now)]
        ).filter { try $0.named("state", JobState.self) == .ready }.map { try $0.readyJob() }
    }
}

/// A job's lifecycle as the statement of `recordStates` reads it.
private struct StateRow: Encodable {
    var id: Int64
    var state: String
    var attempt: Int
    var failures: [String: Int]
    var excluded: [String]
    var worker: String?
    /// In microseconds since 2000, so that a time that does not change is stored again to the microsecond.
    var notBefore: Int64
    var missed: Int
    var reused: Bool
    var original: Int?
    var copyEnded: Bool
    var ready: StateTimes.Time?
    var dispatched: StateTimes.Time?
    var started: StateTimes.Time?
    var startedAgo: Double
    var over: Bool

    init(_ job: LockedJob, _ times: StateTimes) throws {
        let life = job.lifecycle
        let earliest = max(life.notBefore, Date(timeIntervalSince1970: 0))
        guard let microseconds = earliest.microsecondsSince2000 else {
            throw FarmError(.invalid, "job \(job.id) cannot be dispatched after \(earliest)")
        }
        id = job.id
        state = life.state.rawValue
        attempt = life.attempt
        failures = Dictionary(uniqueKeysWithValues: life.failures.map { ($0.rawValue, $1) })
        excluded = life.excludedWorkers
        worker = life.worker
        notBefore = microseconds
        missed = life.missedArtifacts
        reused = life.reused
        original = life.copy?.original
        copyEnded = life.copy?.hasEnded ?? false
        ready = times.ready
        dispatched = times.dispatched
        started = times.started
        startedAgo = times.startedAgo
        over = life.state.isTerminal
    }
}

extension PostgresRow {
    fileprivate func lockedJob() throws -> LockedJob {
        var location: String?
        if let work = try get("work", as: String?.self),
            case .probe(let path, _) = try PostgresFarmStore.fromJSON(RenderJob.self, work)
        {
            location = path
        }
        return LockedJob(
            id: try get("id"), export: try exportID("export_id"), tenant: try get("tenant_id"),
            key: ArtifactKey(try get("artifact_key")), location: location, lifecycle: try jobLifecycle())
    }

    fileprivate func jobLifecycle() throws -> JobLifecycle {
        let failures = try PostgresFarmStore.fromJSON([String: Int].self, try get("failures"))
        let hasEnded = try get("copy_ended", as: Bool.self)
        return JobLifecycle(
            try named("kind", JobKind.self), state: try named("state", JobState.self), attempt: try get("attempt"),
            failures: Dictionary(
                uniqueKeysWithValues: failures.compactMap { name, count in
                    FailureClass(rawValue: name).map { ($0, count) }
                }),
            excludedWorkers: try get("excluded_workers", as: [String].self), worker: try get("worker"),
            notBefore: try get("not_before"), missedArtifacts: try get("missed_artifacts"), reused: try get("reused"),
            copy: try get("original", as: Int?.self).map { JobLifecycle.Copy(of: $0, hasEnded: hasEnded) })
    }
}
