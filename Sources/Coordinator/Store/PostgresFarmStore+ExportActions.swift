import FarmAPI
import DraftCompiler
import DraftModel
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

/// What an event changed about an export.
struct MovedExport: Sendable {
    /// The export after the event.
    var export: LockedExport
    /// What follows for its jobs.
    var effects = JobEffects()
}

/// Performs what `ExportLifecycle` says, for many exports with one statement for each kind of action.
extension PostgresTransaction {
    /// Applies an event to an export.
    /// - Returns: nil where the event changes nothing or there is no such export.
    func advance(_ id: ExportID, _ event: ExportLifecycle.Event, at now: Date) async throws -> MovedExport? {
        try await advance([(id, event)], at: now).first
    }

    /// Applies one event each to different exports.
    /// - Returns: the exports that their events change.
    func advance(_ events: [(ExportID, ExportLifecycle.Event)], at now: Date) async throws -> [MovedExport] {
        guard !events.isEmpty else { return [] }
        let locked = try await lock(events.map(\.0))
        var moved: [MovedExport] = []
        var actions: [(export: LockedExport, action: ExportLifecycle.Action)] = []
        for (id, event) in events {
            guard var export = locked[id] else { continue }
            let own = export.lifecycle.handle(event)
            guard !own.isEmpty else { continue }
            actions += own.map { (export, $0) }
            var effects = JobEffects()
            effects.changes.exports = [id]
            if export.lifecycle.state.isTerminal { effects.endedExports[id] = export.lifecycle.state }
            moved.append(MovedExport(export: export, effects: effects))
        }
        try await addFilmWarnings(actions)
        try await recordStates(actions, at: now)
        try await log(
            actions.compactMap { export, action in
                guard case .logEvent(let kind, let job, let message) = action else { return nil }
                return NewEvent(export: export.id, job: job, kind: kind, message: message)
            }, at: now)
        let ended = try await endJobs(actions, at: now)
        for place in moved.indices { moved[place].effects.merge(ended[moved[place].export.id] ?? JobEffects()) }
        for case (let export, .reopenJobs(let probes)) in actions {
            try await reopenJobs(of: export.id, probes: probes, at: now)
        }
        return moved
    }

    /// Locks exports in the order of their ids.
    private func lock(_ ids: [ExportID]) async throws -> [ExportID: LockedExport] {
        let rows = try await query(
            """
            SELECT id, tenant_id, pool, priority, state FROM exports WHERE id = ANY($1::uuid[])
            ORDER BY id FOR NO KEY UPDATE
            """, [.textArray(ids.map(\.text))])
        let exports = try rows.map { row in
            LockedExport(
                id: try row.exportID("id"), tenant: try row.get("tenant_id"), pool: try row.get("pool"),
                priority: try row.get("priority"), lifecycle: ExportLifecycle(try row.named("state", ExportState.self)))
        }
        return Dictionary(uniqueKeysWithValues: exports.map { ($0.id, $0) })
    }

    /// Stores the warnings that were found while films were made.
    private func addFilmWarnings(_ actions: [(export: LockedExport, action: ExportLifecycle.Action)]) async throws {
        var films: [ExportID] = []
        for case (let export, .addFilmWarnings) in actions { films.append(export.id) }
        try await addFilmWarnings(to: films)
    }

    /// Stores new states of exports, and of those that are compiled what is known of their films.
    private func recordStates(
        _ actions: [(export: LockedExport, action: ExportLifecycle.Action)], at now: Date
    ) async throws {
        var plans: [ExportID: PlannedExport] = [:]
        for case (let export, .recordPlan(let plan)) in actions { plans[export.id] = plan }
        let rows = actions.compactMap { export, action -> ExportStateRow? in
            guard case .recordState(let failure) = action else { return nil }
            return ExportStateRow(export, failure, plans[export.id])
        }
        guard !rows.isEmpty else { return }
        try await execute(
            """
            UPDATE exports SET state = new.state, failure = new.failure, compile_attempts = 0,
              finished_at = CASE WHEN new.over THEN $3::timestamptz END, film_key = coalesce(new.film, exports.film_key),
              frame_count = coalesce(new.frames, exports.frame_count),
              warnings = coalesce(new.warnings, exports.warnings),
              source_places = coalesce(new.places, exports.source_places),
              pictures = coalesce(new.pictures, exports.pictures),
              picture_keys = coalesce(new.keys, exports.picture_keys)
            FROM json_to_recordset($2::json) AS new(
              id uuid, state text, failure jsonb, over boolean, film text, frames bigint, warnings jsonb, places jsonb,
              pictures jsonb, keys text[])
            WHERE exports.id = ANY($1::uuid[]) AND exports.id = new.id
            """, [.textArray(rows.map(\.id)), try PostgresFarmStore.json(rows), .timestamp(now)])
    }

    /// Places films' warnings in the exports' own drafts, and adds those that the exports do not have yet.
    private func addFilmWarnings(to exports: [ExportID]) async throws {
        guard !exports.isEmpty else { return }
        let damaged = try await query(
            """
            SELECT exports.id, source_places, film.warnings FROM exports CROSS JOIN LATERAL (
              SELECT artifacts.warnings FROM artifacts
              WHERE artifacts.tenant_id = exports.tenant_id AND key = film_key AND artifacts.warnings IS NOT NULL OFFSET 0) AS film
            WHERE exports.id = ANY($1::uuid[])
            """, [.textArray(exports.map(\.text))]
        ).map { row in
            let found = try PostgresFarmStore.fromJSON([SourceWarning].self, try row.get("warnings"))
            let places = try PostgresFarmStore.fromJSON(SourcePlaces.self, try row.get("source_places"))
            return FilmWarningsRow(id: try row.exportID("id").text, found: places.diagnostics(of: found))
        }
        guard !damaged.isEmpty else { return }
        try await execute(
            """
            UPDATE exports SET warnings = warnings || coalesce(
              (SELECT jsonb_agg(warning ORDER BY place)
               FROM jsonb_array_elements(new.found) WITH ORDINALITY AS list(warning, place)
               WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(warnings) AS known WHERE known = warning)), '[]'::jsonb)
            FROM json_to_recordset($2::json) AS new(id uuid, found jsonb)
            WHERE exports.id = ANY($1::uuid[]) AND exports.id = new.id
            """, [.textArray(damaged.map(\.id)), try PostgresFarmStore.json(damaged)])
    }

    /// What `exportEnded` means, for all jobs of these exports at once.
    /// - Returns: what follows for each export.
    private func endJobs(
        _ actions: [(export: LockedExport, action: ExportLifecycle.Action)], at now: Date
    ) async throws -> [ExportID: JobEffects] {
        var ends: [JobState: [ExportID]] = [:]
        for case (let export, .endJobs(let end)) in actions { ends[end, default: []].append(export.id) }
        var effects: [ExportID: JobEffects] = [:]
        for (end, exports) in ends.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let ids = PostgresValue.textArray(exports.map(\.text))
            let rows = try await query(
                """
                SELECT id, export_id FROM jobs
                WHERE export_id = ANY($1::uuid[]) AND state = ANY($2) ORDER BY id FOR UPDATE
                """, [ids, .textArray(JobState.allCases.filter(\.isInFlight).map(\.rawValue))])
            var running: [Int64: ExportID] = [:]
            for row in rows { running[try row.get("id")] = try row.exportID("export_id") }
            try await execute(
                """
                UPDATE jobs SET state = $3, reused = $4, finished_at = $2
                WHERE export_id = ANY($1::uuid[]) AND state = ANY($5)
                """,
                [
                    ids, .timestamp(now), .text(end.rawValue), .bool(end == .done),
                    .textArray(JobLifecycle.states(changedBy: .exportEnded(as: end)).map(\.rawValue)),
                ])
            guard !running.isEmpty else { continue }
            for attempt in try await cancelAttempts(at: running.keys.sorted(), at: now) {
                guard let export = running[attempt.job] else { continue }
                effects[export, default: JobEffects()].toCancel.append(attempt)
            }
        }
        return effects
    }

    /// What `retried` means, for many jobs of the export at once.
    private func reopenJobs(of id: ExportID, probes: Bool, at now: Date) async throws {
        try await execute(
            """
            UPDATE jobs SET state = CASE WHEN kind = ANY($3) THEN 'waiting' ELSE 'ready' END,
              failures = '{}', missed_artifacts = 0, excluded_workers = '{}', worker = NULL, not_before = $2,
              reused = false, ready_at = $2, finished_at = NULL, started_at = NULL, original = NULL, copy_ended = false
            WHERE export_id = $1 AND (kind = 'probe') = $4 AND state = ANY($5)
            """,
            [
                .uuid(id.text), .timestamp(now),
                .textArray(JobKind.allCases.filter { !$0.needs.isEmpty }.map(\.rawValue)), .bool(probes),
                .textArray(JobLifecycle.states(changedBy: .retried).map(\.rawValue)),
            ])
        _ = try await settle([id], at: now)
    }
}

/// A new state of an export as the statement that stores it reads it.
private struct ExportStateRow: Encodable {
    var id: String
    var state: String
    var failure: ExportFailure?
    var over: Bool
    /// These are nil where the export has not just been compiled; the stored ones stay then.
    var film: String?
    var frames: Int?
    var warnings: [DraftDiagnostic]?
    var places: SourcePlaces?
    var pictures: FilmPictures?
    var keys: [String]?

    init(_ export: LockedExport, _ failure: ExportFailure?, _ plan: PlannedExport?) {
        id = export.id.text
        state = export.lifecycle.state.rawValue
        self.failure = failure
        over = export.lifecycle.state.isTerminal
        film = plan?.filmKey.text
        frames = plan?.frameCount
        warnings = plan?.warnings
        places = plan?.places
        pictures = plan?.pictures
        keys = plan?.pictures?.keys.map(\.text)
    }
}

/// The warnings of an export's film as the statement that adds them reads them.
private struct FilmWarningsRow: Encodable {
    var id: String
    var found: [DraftDiagnostic]
}
