package import FarmAPI
import ExportPlan
package import JobQueue
import Postgres
import Scheduling
package import FoundationEssentials

/// Performs what `JobLifecycle` says, for many events at once: as many passes as `EventPass` needs, each with a number
/// of statements that does not depend on the number of events. What a finished job means for other jobs is in
/// `PostgresFarmStore+Settling.swift`.
extension PostgresFarmStore {
    package func apply(_ reports: [JobReport], at now: Date, jitter: Double) async throws -> JobEffects {
        let events = reports.flatMap(\.events).enumerated().map { place, report in
            JobEvent(job: report.id.job, event: .reported(report), jitter: RetryPolicy.jitter(jitter, at: place))
        }
        return try await apply(events, at: now)
    }

    package func expireLeases(_ attempts: [AttemptID], at now: Date, jitter: Double) async throws -> JobEffects {
        let events = attempts.enumerated().map { place, lost in
            JobEvent(
                job: lost.job, event: .leaseExpired(attempt: lost.attempt), jitter: RetryPolicy.jitter(jitter, at: place))
        }
        return try await apply(events, at: now)
    }

    private func apply(_ events: [JobEvent], at now: Date) async throws -> JobEffects {
        guard !events.isEmpty else { return JobEffects() }
        return try await transaction { transaction in try await transaction.apply(events, at: now) }
    }
}

extension PostgresTransaction {
    /// Applies events to jobs. An event of a job that does not exist changes nothing.
    func apply(_ events: [JobEvent], at now: Date) async throws -> JobEffects {
        // A transaction that ends an export locks it before its jobs. These jobs of the batch may complete theirs.
        try await execute(
            """
            SELECT id FROM exports
            WHERE id = ANY(ARRAY(SELECT export_id FROM jobs WHERE id = ANY($1) AND kind = ANY($2)))
            ORDER BY id FOR NO KEY UPDATE
            """, [.int64Array(Set(events.map(\.job)).sorted()), .textArray(JobKind.results.map(\.rawValue))])
        var effects = JobEffects()
        var rest = events[...]
        while !rest.isEmpty {
            let jobs = try await lock(Set(rest.map(\.job)).sorted())
            var pass = EventPass(rest, of: jobs, at: now)
            let sharers = try await lockSharers(of: pass.shares)
            let certain = pass.certainCount(with: sharers)
            if certain < pass.count { pass = EventPass(rest.prefix(certain), of: jobs, at: now) }
            effects.merge(try await perform(pass, sharers, at: now))
            rest = rest.dropFirst(pass.count)
        }
        return effects
    }

    /// Stores the outcome of a pass.
    /// - Parameter sharers: open jobs for the shared artifacts; those for other artifacts are ignored.
    private func perform(
        _ pass: EventPass, _ sharers: [TenantKey: [Sharer]], at now: Date
    ) async throws -> JobEffects {
        var effects = JobEffects()
        effects.hasNews = pass.wakesLeader
        effects.changes = pass.changes
        effects.ends = pass.ends
        try await store(pass.attempts, at: now)
        let changed = pass.times.keys.sorted().compactMap { pass.jobs[$0] }
        for job in try await recordStates(of: changed, pass.times, at: now) { effects.changes.becameReady(job) }
        try await log(pass.log, at: now)
        if !pass.cancelling.isEmpty { effects.toCancel = try await cancelAttempts(at: pass.cancelling, at: now) }
        if !pass.shares.isEmpty { effects.merge(try await share(pass.shares, sharers, at: now)) }
        for (job, action) in pass.others { effects.merge(try await perform(action, on: job, at: now)) }
        return effects
    }

    /// Performs an action of an event with a pass of its own.
    private func perform(_ action: JobLifecycle.Action, on job: LockedJob, at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        switch action {
        case .addAttempt: try await addAttempts(at: [job.id], at: now)
        case .disownSuccess: try await disownSuccesses(of: [job.id])
        case .remakeArtifacts(let keys): return try await remake(keys, for: job, at: now)
        case .forgetFacts(let location): try await forgetFacts(of: location, tenant: job.tenant)
        case .forgetAsset(let hash):
            try await execute("DELETE FROM assets WHERE tenant_id = $1 AND hash = $2", [.int64(job.tenant), .text(hash)])
        case .recordProbeFault(let failure): try await recordProbeFault(failure, of: job, at: now)
        case .failExport(let failure):
            let why = ExportFailure(failure.failureClass, message: failure.description, job: job.id)
            if let moved = try await advance(job.export, .failed(why), at: now) {
                effects.merge(moved.effects)
                try await noteDeadLetter(job, failure, at: now)
            }
        case .recordState, .startAttempt, .endAttempt, .cancelAttempts, .keepLog, .logEvent, .shareResult, .wakeLeader:
            break  // `EventPass` has collected these
        }
        return effects
    }

    // MARK: Attempts

    /// Adds the records of the present attempts at dispatched jobs.
    func addAttempts(at jobs: [Int64], at now: Date) async throws {
        try await execute(
            """
            INSERT INTO attempts (job_id, number, state, dispatched_at)
            SELECT id, attempt, 'dispatched', $2 FROM jobs WHERE id = ANY($1) ON CONFLICT DO NOTHING
            """, [.int64Array(jobs), .timestamp(now)])
    }

    /// Stores what events changed of attempts.
    private func store(_ changes: [AttemptID: AttemptChange], at now: Date) async throws {
        guard !changes.isEmpty else { return }
        let rows = changes.sorted { ($0.key.job, $0.key.attempt) < ($1.key.job, $1.key.attempt) }.map {
            AttemptRow($0.key, $0.value)
        }
        try await execute(
            """
            UPDATE attempts SET state = coalesce(new.state, attempts.state), worker = coalesce(new.worker, attempts.worker),
              started_at = coalesce(attempts.started_at, $3::timestamptz - new."startedAgo" * interval '1 second'),
              failure = CASE WHEN new.ended THEN new.failure ELSE attempts.failure END,
              cost = CASE WHEN new.ended THEN new.cost ELSE attempts.cost END,
              finished_at = CASE WHEN new.ended THEN $3 ELSE attempts.finished_at END,
              log = coalesce(new.log, attempts.log)
            FROM json_to_recordset($2::json) AS new(
              job bigint, number integer, state text, worker text, "startedAgo" double precision, ended boolean, failure jsonb,
              cost jsonb, log text)
            WHERE attempts.job_id = ANY($1) AND attempts.job_id = new.job AND attempts.number = new.number
            """, [.int64Array(rows.map(\.job)), try PostgresFarmStore.json(rows), .timestamp(now)])
    }

    /// Ends the attempts at these jobs that are still under way.
    /// - Returns: these attempts, because their workers have to be told.
    func cancelAttempts(at jobs: [Int64], at now: Date) async throws -> [AttemptID] {
        try await query(
            """
            UPDATE attempts SET state = 'cancelled', finished_at = $2
            WHERE job_id = ANY($1) AND state IN ('dispatched', 'running') RETURNING job_id, number
            """, [.int64Array(jobs), .timestamp(now)]
        ).map { AttemptID(job: try $0.get("job_id"), attempt: try $0.get("number")) }
    }

    private func disownSuccesses(of jobs: [Int64]) async throws {
        try await execute(
            "UPDATE attempts SET state = 'lost' WHERE job_id = ANY($1) AND state = 'succeeded'", [.int64Array(jobs)])
    }

    // MARK: Sources and artifacts

    private func remake(_ keys: [ArtifactKey], for job: LockedJob, at now: Date) async throws -> JobEffects {
        let keys = PostgresValue.textArray(keys.map(\.text))
        try await execute("DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)", [.int64(job.tenant), keys])
        // What `artifactLost` means, for all makers at once.
        let makers = try await query(
            """
            UPDATE jobs SET state = 'ready', reused = false, worker = NULL, started_at = NULL, finished_at = NULL,
              ready_at = $3, not_before = $3
            WHERE export_id = $1 AND artifact_key = ANY($2) AND state = ANY($4)
            RETURNING \(PostgresFarmStore.readyColumns)
            """,
            [
                .uuid(job.export.text), keys, .timestamp(now),
                .textArray(JobLifecycle.states(changedBy: .artifactLost).map(\.rawValue)),
            ]
        ).map { try $0.readyJob() }
        try await disownSuccesses(of: makers.map(\.id))
        var effects = JobEffects()
        for maker in makers { effects.changes.becameReady(maker) }
        effects.merge(try await settle([job.export], at: now))
        return effects
    }

    private func forgetFacts(of location: String, tenant: Int64) async throws {
        guard let hash = AssetLocation.hash(of: location) else { return }
        try await execute("UPDATE assets SET facts = NULL WHERE tenant_id = $1 AND hash = $2", [.int64(tenant), .text(hash)])
    }

    private func recordProbeFault(_ failure: JobFailure, of probe: LockedJob, at now: Date) async throws {
        guard let location = probe.location else { return }
        try await noteDeadLetter(probe, failure, at: now)
        try await execute(
            """
            INSERT INTO export_sources (export_id, location, fault) VALUES ($1, $2, $3)
            ON CONFLICT (export_id, location_key) DO UPDATE SET fault = excluded.fault, facts = NULL
            """, [.uuid(probe.export.text), .text(location), try PostgresFarmStore.json(failure)])
    }
}

/// What changes of an attempt, as the statement that stores it reads it.
private struct AttemptRow: Encodable {
    var job: Int64
    var number: Int
    var state: AttemptState?
    var worker: String?
    var startedAgo: Double?
    var ended: Bool
    var failure: JobFailure?
    var cost: JobCost?
    var log: String?

    init(_ id: AttemptID, _ change: AttemptChange) {
        job = id.job
        number = id.attempt
        state = change.state
        worker = change.worker
        startedAgo = change.startedAgo
        ended = change.hasEnded
        failure = change.failure
        cost = change.cost
        log = change.log
    }
}
