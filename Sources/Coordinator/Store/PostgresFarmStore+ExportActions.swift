import FarmAPI
import DraftCompiler
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

/// An export whose row is locked, and what new jobs take over from it.
struct LockedExport: Sendable {
    var id: ExportID
    var tenant: Int64
    var pool: String
    var priority: Int64
    var lifecycle: ExportLifecycle
}

/// Performs what `ExportLifecycle` says.
extension PostgresTransaction {
    /// Applies an event to an export.
    /// - Returns: the export, and attempts that workers have, and that the caller cancels; nil where the event changes
    ///   nothing or there is no such export.
    func advance(
        _ id: ExportID, _ event: ExportLifecycle.Event, at now: Date
    ) async throws -> (export: LockedExport, toCancel: [AttemptID])? {
        guard var export = try await lock(id) else { return nil }
        let actions = export.lifecycle.handle(event)
        guard !actions.isEmpty else { return nil }
        var toCancel: [AttemptID] = []
        for action in actions { toCancel += try await perform(action, on: export, at: now) }
        return (export, toCancel)
    }

    private func lock(_ id: ExportID) async throws -> LockedExport? {
        try await query(
            "SELECT tenant_id, pool, priority, state FROM exports WHERE id = $1 FOR NO KEY UPDATE", [.uuid(id.text)]
        ).first.map { row in
            LockedExport(
                id: id, tenant: try row.get("tenant_id"), pool: try row.get("pool"), priority: try row.get("priority"),
                lifecycle: ExportLifecycle(try row.named("state", ExportState.self)))
        }
    }

    private func perform(
        _ action: ExportLifecycle.Action, on export: LockedExport, at now: Date
    ) async throws -> [AttemptID] {
        switch action {
        case .recordState(let failure):
            let state = export.lifecycle.state
            try await execute(
                "UPDATE exports SET state = $2, failure = $3, finished_at = $4 WHERE id = $1",
                [
                    .uuid(export.id.text), .text(state.rawValue), try failure.map(PostgresFarmStore.json) ?? .null,
                    state.isTerminal ? .timestamp(now) : .null,
                ])
        case .recordPlan(let plan):
            try await execute(
                "UPDATE exports SET film_key = $2, frame_count = $3, warnings = $4, source_places = $5 WHERE id = $1",
                [
                    .uuid(export.id.text), .text(plan.filmKey.text), .int64(Int64(plan.frameCount)),
                    try PostgresFarmStore.json(plan.warnings), try PostgresFarmStore.json(plan.places),
                ])
        case .addFilmWarnings:
            try await addFilmWarnings(to: export.id)
        case .endJobs(let end):
            return try await endJobs(of: export.id, as: end, at: now)
        case .reopenJobs(let probes):
            try await reopenJobs(of: export.id, probes: probes, at: now)
        case .logEvent(let kind, let job, let message):
            try await log(kind, export.id, job: job, message, at: now)
        }
        return []
    }

    /// Places the film's warnings in the export's own draft, and adds those that the export does not have yet.
    private func addFilmWarnings(to export: ExportID) async throws {
        let row = try await query(
            """
            SELECT source_places, artifacts.warnings FROM exports
            JOIN artifacts ON artifacts.tenant_id = exports.tenant_id AND artifacts.key = film_key
            WHERE exports.id = $1 AND artifacts.warnings IS NOT NULL
            """, [.uuid(export.text)]
        ).first
        guard let row else { return }
        let found = try PostgresFarmStore.fromJSON([SourceWarning].self, try row.get("warnings"))
        let places = try PostgresFarmStore.fromJSON(SourcePlaces.self, try row.get("source_places"))
        try await execute(
            """
            UPDATE exports SET warnings = warnings || coalesce(
              (SELECT jsonb_agg(found ORDER BY place) FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS list(found, place)
               WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(warnings) AS known WHERE known = found)), '[]'::jsonb)
            WHERE id = $1
            """, [.uuid(export.text), try PostgresFarmStore.json(places.diagnostics(of: found))])
    }

    /// What `exportEnded` means, for all jobs of the export at once.
    private func endJobs(of id: ExportID, as end: JobState, at now: Date) async throws -> [AttemptID] {
        let running = try await query(
            """
            SELECT id FROM jobs
            WHERE export_id = $1 AND state IN (\(JobState.allCases.filter(\.isInFlight).sqlList)) ORDER BY id FOR UPDATE
            """, [.uuid(id.text)]
        ).map { try $0.get("id", as: Int64.self) }
        try await execute(
            """
            UPDATE jobs SET state = $3, reused = $4, finished_at = $2
            WHERE export_id = $1 AND state IN (\(JobLifecycle.states(changedBy: .exportEnded(as: end)).sqlList))
            """, [.uuid(id.text), .timestamp(now), .text(end.rawValue), .bool(end == .done)])
        let told = try await cancelAttempts(at: running, at: now)
        // Other exports may now make the artifacts that these jobs were to make.
        if !told.isEmpty { try await announceWork() }
        return told
    }

    /// What `retried` means, for many jobs of the export at once.
    private func reopenJobs(of id: ExportID, probes: Bool, at now: Date) async throws {
        try await execute(
            """
            UPDATE jobs SET state = CASE WHEN kind = ANY($3) THEN 'waiting' ELSE 'ready' END,
              failures = '{}', missed_artifacts = 0, excluded_workers = '{}', worker = NULL, not_before = $2,
              reused = false, ready_at = $2, finished_at = NULL, started_at = NULL
            WHERE export_id = $1 AND (kind = 'probe') = $4
              AND state IN (\(JobLifecycle.states(changedBy: .retried).sqlList))
            """,
            [
                .uuid(id.text), .timestamp(now),
                .textArray(JobKind.allCases.filter { !$0.needs.isEmpty }.map(\.rawValue)), .bool(probes),
            ])
        _ = try await settle([id], at: now)
        try await announceWork()
    }
}
