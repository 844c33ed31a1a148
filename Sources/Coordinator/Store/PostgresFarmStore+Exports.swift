package import FarmAPI
import DraftModel
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func submit(
        _ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) async throws -> (export: Export, isNew: Bool) {
        let key = idempotency?.key
        let bodyHash = idempotency?.bodyHash
        let (accepted, isNew) = try await transaction { transaction -> (ExportID, Bool) in
            if let key, let bodyHash {
                // The lock makes the second of two simultaneous requests with one key wait for the first.
                try await transaction.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("\(tenant) \(key)")])
                let known = try await transaction.query(
                    "SELECT export_id, body_hash FROM idempotency_keys WHERE tenant_id = $1 AND key = $2",
                    [.int64(tenant), .text(key)]
                ).first
                if let known {
                    guard try known.get("body_hash", as: String.self) == bodyHash else {
                        throw FarmError(.conflict, "the idempotency key '\(key)' was used for another request")
                    }
                    return (try known.exportID("export_id"), false)
                }
            }
            try await transaction.insert(request, id: id, tenant: tenant)
            if let key, let bodyHash {
                try await transaction.execute(
                    "INSERT INTO idempotency_keys (tenant_id, key, body_hash, export_id) VALUES ($1, $2, $3, $4)",
                    [.int64(tenant), .text(key), .text(bodyHash), .uuid(id.text)])
            }
            try await transaction.announce(.export(id))
            return (id, true)
        }
        guard let export = try await export(accepted, tenant: tenant) else {
            throw FarmError(.internalError, "export \(accepted) is gone")
        }
        return (export, isNew)
    }

    package func export(_ id: ExportID, tenant: Int64?) async throws -> Export? {
        try await query(
            "\(PostgresFarmStore.exportColumns) WHERE id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)",
            [.uuid(id.text), .optional(tenant) { .int64($0) }]
        ).first.map { try $0.export() }
    }

    package func exports(tenant: Int64?, state: ExportState?, limit: Int) async throws -> [Export] {
        try await query(
            """
            \(PostgresFarmStore.exportColumns) WHERE ($1::bigint IS NULL OR tenant_id = $1) AND ($2::text IS NULL OR state = $2)
            ORDER BY number DESC LIMIT $3
            """, [.optional(tenant) { .int64($0) }, .optional(state) { .text($0.rawValue) }, .int64(Int64(limit))]
        ).map { try $0.export() }
    }

    private static let exportColumns = """
        SELECT id, number, tenant_id, label, priority, pool, state, failure, film_key, frame_count, created_at, finished_at,
          warnings, progress.*
        FROM exports CROSS JOIN LATERAL (
          SELECT count(*) AS jobs, count(*) FILTER (WHERE jobs.state = 'done') AS jobs_done,
            count(*) FILTER (WHERE reused) AS jobs_reused,
            coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0)::bigint AS frames_done
          FROM jobs WHERE export_id = exports.id AND kind <> 'probe') AS progress
        """

    package func events(of id: ExportID, after: Int64, limit: Int) async throws -> [ExportEvent] {
        try await query(
            "SELECT id, job_id, kind, message, at FROM events WHERE export_id = $1 AND id > $2 ORDER BY id LIMIT $3",
            [.uuid(id.text), .int64(after), .int64(Int64(limit))]
        ).map { row in
            ExportEvent(
                id: try row.get("id"), export: id, job: try row.get("job_id"),
                kind: try row.named("kind", ExportEvent.Kind.self), message: try row.get("message"), at: try row.get("at"))
        }
    }

    package func cancel(_ id: ExportID) async throws -> [AttemptID]? {
        let now = self.now()
        return try await transaction { transaction in
            try await transaction.announce(.export(id))
            return try await transaction.advance(id, .cancelled, at: now)?.effects.toCancel
        }
    }

    package func fail(_ id: ExportID, _ failure: ExportFailure) async throws -> [AttemptID] {
        let now = self.now()
        return try await transaction { transaction in
            try await transaction.advance(id, .failed(failure), at: now)?.effects.toCancel ?? []
        }
    }
}

extension PostgresTransaction {
    /// Inserts an accepted export with the draft revision that it renders.
    fileprivate func insert(_ request: ExportRequest, id: ExportID, tenant: Int64) async throws {
        let draft: Int64
        let revision: Int64
        switch request.subject {
        case .document(let document):
            let made = try await query("INSERT INTO drafts (tenant_id) VALUES ($1) RETURNING id", [.int64(tenant)])
            draft = try made.first?.get("id") ?? 0
            revision = 1
            try await execute(
                "INSERT INTO draft_revisions (draft_id, revision, content) VALUES ($1, 1, $2)", [.int64(draft), .text(document)])
        case .named(let name, let wanted):
            let found = try await query(
                """
                SELECT draft_id, revision FROM drafts JOIN draft_revisions ON draft_id = drafts.id
                WHERE tenant_id = $1 AND name = $2 AND ($3::bigint IS NULL OR revision = $3) ORDER BY revision DESC LIMIT 1
                """, [.int64(tenant), .text(name), .optional(wanted) { .int64(Int64($0)) }]
            ).first
            guard let found else {
                throw FarmError(
                    .notFound, wanted.map { "there is no revision \($0) of a draft '\(name)'" } ?? "there is no draft '\(name)'")
            }
            draft = try found.get("draft_id")
            revision = try found.get("revision")
        }
        let now = Date()
        try await execute(
            """
            INSERT INTO exports
              (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .uuid(id.text), .int64(tenant), .int64(draft), .int64(revision), .text(request.label),
                try PostgresFarmStore.json(request.parameters), try PostgresFarmStore.json(request.settings),
                .int64(Int64(request.priority)), .text(request.pool), .text(ExportLifecycle().state.rawValue), .timestamp(now),
            ])
        try await log(.submitted, id, "accepted", at: now)
    }
}

extension PostgresRow {
    func exportID(_ column: String) throws -> ExportID {
        guard let id = ExportID(try get(column, as: String.self)) else {
            throw FarmError(.internalError, "column \(column) does not hold the id of an export")
        }
        return id
    }

    /// The case of an enumeration that a text column names.
    func named<Name: RawRepresentable<String>>(_ column: String, _ type: Name.Type) throws -> Name {
        let text = try get(column, as: String.self)
        guard let name = Name(rawValue: text) else {
            throw FarmError(.internalError, "column \(column) holds '\(text)', which this version does not know")
        }
        return name
    }

    fileprivate func export() throws -> Export {
        var progress = ExportProgress()
        progress.jobs = try get("jobs")
        progress.jobsDone = try get("jobs_done")
        progress.jobsReused = try get("jobs_reused")
        progress.framesDone = try get("frames_done")
        return Export(
            id: try exportID("id"), number: try get("number"), tenant: try get("tenant_id"), label: try get("label"),
            priority: try get("priority"), pool: try get("pool"), state: try named("state", ExportState.self),
            failure: try get("failure", as: String?.self).map(ExportFailure.init(stored:)),
            filmKey: try get("film_key", as: String?.self).map { ArtifactKey($0) },
            frameCount: try get("frame_count", as: Int?.self), createdAt: try get("created_at"),
            finishedAt: try get("finished_at"), progress: progress,
            warnings: try PostgresFarmStore.fromJSON([DraftDiagnostic].self, try get("warnings")))
    }
}

extension ExportFailure {
    /// Decodes a stored failure. A failure that another version stored in another format is shown as its JSON, so that
    /// one such export does not make a whole list unreadable.
    fileprivate init(stored json: String) {
        do {
            self = try PostgresFarmStore.fromJSON(ExportFailure.self, json)
        } catch {
            self.init(.crash, message: "the reason was stored by another version of spool and cannot be read: \(json)")
        }
    }
}
