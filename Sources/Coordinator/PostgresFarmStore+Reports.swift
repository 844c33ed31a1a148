import ExportPlan
public import JobQueue
import Postgres

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What workers say of jobs, and what follows for the job itself. What follows for others is in
/// `PostgresFarmStore+Settling.swift`.
extension PostgresFarmStore {
    public func apply(_ report: JobReport, at now: Date, luck: Double) async throws -> JobEffects {
        try await transaction { transaction in
            guard var job = try await transaction.lock(report.id.job), report.id.attempt > 0,
                report.id.attempt <= job.lifecycle.attempt
            else { return JobEffects() }
            if !report.log.isEmpty { try await transaction.keepLog(of: report) }
            let before = job.lifecycle.state
            let verdict = job.lifecycle.apply(
                report.outcome, attempt: report.id.attempt, worker: report.worker, at: now, luck: luck)
            switch (verdict, report.outcome) {
            case (.noted, _):
                try await transaction.begin(job, at: now)
                return JobEffects()
            case (.done, .finished(let result, let reused)):
                return try await transaction.succeed(job, report.id.attempt, result, reused: reused, at: now)
            case (.retried, .failed(let failure)):
                try await transaction.close(report.id, .failed, worker: report.worker, failure: failure, at: now)
                try await transaction.log(.jobRetried, job.export, job: job.id, failure.description, at: now)
                return try await transaction.tryAgain(job, missing: failure.missingArtifacts ?? [], at: now)
            case (.retried, .returned):
                try await transaction.close(report.id, .returned, worker: report.worker, at: now)
                return try await transaction.tryAgain(job, missing: [], at: now)
            case (.retried, _):
                try await transaction.close(report.id, .cancelled, worker: report.worker, at: now)
                try await transaction.log(.jobRetried, job.export, job: job.id, "worker '\(report.worker)' stopped it", at: now)
                return try await transaction.tryAgain(job, missing: [], at: now)
            case (.failed(let failure), _):
                try await transaction.close(report.id, .failed, worker: report.worker, failure: failure, at: now)
                return try await transaction.giveUp(job, failure, at: now)
            case (.ignored, .finished(let result, _)) where before == .cancelled:
                return try await transaction.share(job, result, at: now)
            case (.ignored, _), (.done, _):
                return JobEffects()
            }
        }
    }

    public func lose(_ attempts: [AttemptID], at now: Date, luck: Double) async throws -> JobEffects {
        var effects = JobEffects()
        for lost in attempts {
            effects.merge(
                try await transaction { transaction in
                    guard var job = try await transaction.lock(lost.job) else { return JobEffects() }
                    let who = job.lifecycle.worker.map { "worker '\($0)'" } ?? "the worker that took it"
                    let verdict = job.lifecycle.lose(attempt: lost.attempt, at: now, luck: luck)
                    guard verdict != .ignored else { return JobEffects() }
                    try await transaction.close(lost, .lost, worker: nil, at: now)
                    try await transaction.log(.jobLost, job.export, job: job.id, "\(who) fell silent", at: now)
                    if case .failed(let failure) = verdict { return try await transaction.giveUp(job, failure, at: now) }
                    return try await transaction.tryAgain(job, missing: [], at: now)
                })
        }
        return effects
    }
}

/// A job whose row is locked.
struct LockedJob: Sendable {
    var id: Int64
    var export: ExportID
    var tenant: Int64
    var kind: JobKind
    var key: ArtifactKey
    /// Of a probe, the location that it looks at.
    var location: String?
    var lifecycle: JobLifecycle
}

extension PostgresTransaction {
    fileprivate func lock(_ job: Int64) async throws -> LockedJob? {
        try await query(
            """
            SELECT id, export_id, tenant_id, kind, artifact_key, CASE WHEN kind = 'probe' THEN work END AS work,
              state, attempt, failures, shunned, worker, not_before, missed_artifacts
            FROM jobs WHERE id = $1 FOR UPDATE
            """, [.int64(job)]
        ).first.map { row in
            var location: String?
            if let work = try row.get("work", as: String?.self),
                case .probe(let path, _) = try PostgresFarmStore.fromJSON(RenderJob.self, work)
            {
                location = path
            }
            let failures = try PostgresFarmStore.fromJSON([String: Int].self, try row.get("failures"))
            return LockedJob(
                id: try row.get("id"), export: try row.exportID("export_id"), tenant: try row.get("tenant_id"),
                kind: try row.named("kind", JobKind.self), key: ArtifactKey(try row.get("artifact_key")), location: location,
                lifecycle: JobLifecycle(
                    state: try row.named("state", JobState.self), attempt: try row.get("attempt"),
                    failures: Dictionary(
                        uniqueKeysWithValues: failures.compactMap { name, count in
                            FailureClass(rawValue: name).map { ($0, count) }
                        }),
                    shunned: try row.get("shunned", as: [String].self), worker: try row.get("worker"),
                    notBefore: try row.get("not_before"), missedArtifacts: try row.get("missed_artifacts")))
        }
    }

    /// Whatever comes of the report: what a late attempt said is worth reading, too.
    fileprivate func keepLog(of report: JobReport) async throws {
        try await execute(
            "UPDATE attempts SET log = $3 WHERE job_id = $1 AND number = $2",
            [.int64(report.id.job), .int64(Int64(report.id.attempt)), .text(PostgresFarmStore.storable(report.log))])
    }

    fileprivate func begin(_ job: LockedJob, at now: Date) async throws {
        try await execute(
            "UPDATE jobs SET state = 'running', worker = $2, started_at = coalesce(started_at, $3) WHERE id = $1",
            [.int64(job.id), .optional(job.lifecycle.worker) { .text($0) }, .timestamp(now)])
        try await execute(
            """
            UPDATE attempts SET state = 'running', worker = $3, started_at = coalesce(started_at, $4)
            WHERE job_id = $1 AND number = $2
            """,
            [
                .int64(job.id), .int64(Int64(job.lifecycle.attempt)), .optional(job.lifecycle.worker) { .text($0) },
                .timestamp(now),
            ])
    }

    /// Ends the record of an attempt.
    func close(
        _ id: AttemptID, _ state: AttemptState, worker: String?, failure: JobFailure? = nil, cost: JobCost? = nil, at now: Date
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

    /// The job is done, by whichever attempt. A newer attempt that is under way is called off: a job has one winner.
    fileprivate func succeed(
        _ job: LockedJob, _ attempt: Int, _ result: JobResult, reused: Bool, at now: Date
    ) async throws -> JobEffects {
        try await close(
            AttemptID(job: job.id, attempt: attempt), .succeeded, worker: job.lifecycle.worker, cost: result.cost, at: now)
        try await execute(
            "UPDATE jobs SET state = 'done', worker = $2, reused = $3, finished_at = $4 WHERE id = $1",
            [.int64(job.id), .optional(job.lifecycle.worker) { .text($0) }, .bool(reused), .timestamp(now)])
        let calledOff = try await query(
            """
            UPDATE attempts SET state = 'cancelled', finished_at = $2
            WHERE job_id = $1 AND state IN ('dispatched', 'running') RETURNING number
            """, [.int64(job.id), .timestamp(now)])
        var effects = JobEffects()
        effects.hasNews = true
        effects.toCancel = try calledOff.map { AttemptID(job: job.id, attempt: try $0.get("number")) }
        effects.merge(try await share(job, result, at: now))
        return effects
    }

    /// The job is ready again. Artifacts that it found missing are forgotten and made again first, in this export; others that
    /// have them notice when they need them.
    fileprivate func tryAgain(_ job: LockedJob, missing: [ArtifactKey], at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        effects.hasNews = true
        try await reopen(job, as: missing.isEmpty ? .ready : .waiting, at: now)
        guard !missing.isEmpty else { return effects }
        let keys = PostgresValue.textArray(missing.map(\.text))
        try await execute("DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)", [.int64(job.tenant), keys])
        let makers = try await query(
            """
            UPDATE jobs SET state = 'ready', reused = false, finished_at = NULL, ready_at = $3, not_before = $3
            WHERE export_id = $1 AND artifact_key = ANY($2) AND state = 'done' RETURNING id
            """, [.uuid(job.export.text), keys, .timestamp(now)]
        ).map { try $0.get("id", as: Int64.self) }
        // The attempts that made them have not won any more: the next ones may.
        try await execute(
            "UPDATE attempts SET state = 'lost' WHERE job_id = ANY($1) AND state = 'succeeded'", [.int64Array(makers)])
        effects.merge(try await settle([job.export], at: now))
        return effects
    }

    private func reopen(_ job: LockedJob, as state: JobState, at now: Date) async throws {
        let failures = Dictionary(uniqueKeysWithValues: job.lifecycle.failures.map { ($0.rawValue, $1) })
        try await execute(
            """
            UPDATE jobs SET state = $2, failures = $3, shunned = $4, worker = NULL, not_before = $5, started_at = NULL,
              ready_at = CASE WHEN $2 = 'ready' THEN $6::timestamptz END, missed_artifacts = $7
            WHERE id = $1
            """,
            [
                .int64(job.id), .text(state.rawValue), try PostgresFarmStore.json(failures),
                .textArray(job.lifecycle.shunned), .timestamp(max(job.lifecycle.notBefore, Date(timeIntervalSince1970: 0))),
                .timestamp(now), .int64(Int64(job.lifecycle.missedArtifacts)),
            ])
    }

    /// The job has failed for good. What was known of a source that has changed since is forgotten, and so is an asset whose stored bytes are
    /// damaged: a client that asks for it hears that it has to be uploaded. A source that cannot be looked at is a finding, which the compiler
    /// reports together with all others; everything else is the end of the export.
    fileprivate func giveUp(_ job: LockedJob, _ failure: JobFailure, at now: Date) async throws -> JobEffects {
        let failures = Dictionary(uniqueKeysWithValues: job.lifecycle.failures.map { ($0.rawValue, $1) })
        try await execute(
            "UPDATE jobs SET state = 'failed', failures = $2, finished_at = $3 WHERE id = $1",
            [.int64(job.id), try PostgresFarmStore.json(failures), .timestamp(now)])
        try await log(.jobFailed, job.export, job: job.id, failure.description, at: now)
        if let hash = failure.changedSource.flatMap({ AssetLocation.hash(of: $0) }) {
            try await execute(
                "UPDATE assets SET facts = NULL WHERE tenant_id = $1 AND hash = $2", [.int64(job.tenant), .text(hash)])
        }
        if let hash = failure.damagedAsset {
            try await execute("DELETE FROM assets WHERE tenant_id = $1 AND hash = $2", [.int64(job.tenant), .text(hash)])
        }
        var effects = JobEffects()
        effects.hasNews = true
        if let location = job.location, failure.failureClass == .input || failure.failureClass == .crash {
            try await execute(
                """
                INSERT INTO export_sources (export_id, location, fault) VALUES ($1, $2, $3)
                ON CONFLICT (export_id, location_key) DO UPDATE SET fault = excluded.fault, facts = NULL
                """, [.uuid(job.export.text), .text(location), try PostgresFarmStore.json(failure)])
        } else {
            let why = ExportFailure(failure.failureClass, message: failure.description, job: job.id)
            effects.toCancel = try await end(job.export, as: .failed, failure: why, why.message, at: now) ?? []
        }
        return effects
    }
}
