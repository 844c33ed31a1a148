package import FarmAPI
import ExportPlan
package import JobQueue
import Postgres
package import FoundationEssentials

/// Performs what `JobLifecycle` says. What a finished job means for other jobs is in
/// `PostgresFarmStore+Settling.swift`.
extension PostgresFarmStore {
    package func apply(_ report: JobReport, at now: Date, jitter: Double) async throws -> JobEffects {
        try await transaction { transaction in
            try await transaction.advance(job: report.id.job, .reported(report), at: now, jitter: jitter)
        }
    }

    package func expireLeases(_ attempts: [AttemptID], at now: Date, jitter: Double) async throws -> JobEffects {
        var effects = JobEffects()
        for lost in attempts {
            effects.merge(
                try await transaction { transaction in
                    try await transaction.advance(
                        job: lost.job, .leaseExpired(attempt: lost.attempt), at: now, jitter: jitter)
                })
        }
        return effects
    }
}

extension PostgresTransaction {
    /// Applies an event to a job. An event of a job that does not exist changes nothing.
    fileprivate func advance(
        job id: Int64, _ event: JobLifecycle.Event, at now: Date, jitter: Double
    ) async throws -> JobEffects {
        var effects = JobEffects()
        guard var job = try await lock(id) else { return effects }
        for action in job.lifecycle.handle(event, at: now, jitter: jitter) {
            effects.merge(try await perform(action, on: job, at: now))
        }
        return effects
    }

    private func perform(_ action: JobLifecycle.Action, on job: LockedJob, at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        switch action {
        case .recordState: try await recordState(of: job, at: now)
        case .addAttempt: try await addAttempts(at: [job.id], at: now)
        case .startAttempt(let number, let worker): try await startAttempt(job.id, number, worker, at: now)
        case .endAttempt(let number, let state, let worker, let failure, let cost):
            try await endAttempt(
                AttemptID(job: job.id, attempt: number), state, worker: worker, failure: failure, cost: cost, at: now)
        case .cancelAttempts: effects.toCancel = try await cancelAttempts(at: [job.id], at: now)
        case .disownSuccess: try await disownSuccesses(of: [job.id])
        case .keepLog(let number, let log):
            try await execute(
                "UPDATE attempts SET log = $3 WHERE job_id = $1 AND number = $2",
                [.int64(job.id), .int64(Int64(number)), .text(PostgresFarmStore.storable(log))])
        case .logEvent(let kind, let message): try await log(kind, job.export, job: job.id, message, at: now)
        case .shareResult(let result): return try await share(job, result, at: now)
        case .remakeArtifacts(let keys): return try await remake(keys, for: job, at: now)
        case .forgetFacts(let location): try await forgetFacts(of: location, tenant: job.tenant)
        case .forgetAsset(let hash):
            try await execute("DELETE FROM assets WHERE tenant_id = $1 AND hash = $2", [.int64(job.tenant), .text(hash)])
        case .recordProbeFault(let failure): try await recordProbeFault(failure, of: job)
        case .failExport(let failure):
            let why = ExportFailure(failure.failureClass, message: failure.description, job: job.id)
            effects.toCancel = try await advance(job.export, .failed(why), at: now)?.toCancel ?? []
        case .wakeLeader: effects.hasNews = true
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

    private func startAttempt(_ job: Int64, _ number: Int, _ worker: String, at now: Date) async throws {
        try await execute(
            """
            UPDATE attempts SET state = 'running', worker = $3, started_at = coalesce(started_at, $4)
            WHERE job_id = $1 AND number = $2
            """, [.int64(job), .int64(Int64(number)), .text(worker), .timestamp(now)])
    }

    private func endAttempt(
        _ id: AttemptID, _ state: AttemptState, worker: String?, failure: JobFailure?, cost: JobCost?, at now: Date
    ) async throws {
        try await execute(
            """
            UPDATE attempts SET state = $3, worker = coalesce($4, worker), failure = $5, cost = $6, finished_at = $7
            WHERE job_id = $1 AND number = $2
            """,
            [
                .int64(id.job), .int64(Int64(id.attempt)), .text(state.rawValue), .optional(worker) { .text($0) },
                try failure.map(PostgresFarmStore.json) ?? .null, try cost.map(PostgresFarmStore.json) ?? .null, .timestamp(now),
            ])
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
            WHERE export_id = $1 AND artifact_key = ANY($2)
              AND state IN (\(JobLifecycle.states(changedBy: .artifactLost).sqlList)) RETURNING id
            """, [.uuid(job.export.text), keys, .timestamp(now)]
        ).map { try $0.get("id", as: Int64.self) }
        try await disownSuccesses(of: makers)
        return try await settle([job.export], at: now)
    }

    private func forgetFacts(of location: String, tenant: Int64) async throws {
        guard let hash = AssetLocation.hash(of: location) else { return }
        try await execute("UPDATE assets SET facts = NULL WHERE tenant_id = $1 AND hash = $2", [.int64(tenant), .text(hash)])
    }

    private func recordProbeFault(_ failure: JobFailure, of probe: LockedJob) async throws {
        guard let location = probe.location else { return }
        try await execute(
            """
            INSERT INTO export_sources (export_id, location, fault) VALUES ($1, $2, $3)
            ON CONFLICT (export_id, location_key) DO UPDATE SET fault = excluded.fault, facts = NULL
            """, [.uuid(probe.export.text), .text(location), try PostgresFarmStore.json(failure)])
    }
}
