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
        let outcome = try await transaction { transaction in
            if let idempotency, let known = try await transaction.export(of: idempotency, tenant: tenant) {
                return SubmitOutcome.known(known)
            }
            return .new(try await transaction.insert(request, id: id, tenant: tenant, idempotency: idempotency))
        }
        switch outcome {
        case .new(let export): return (export, true)
        case .known(let id):
            guard let export = try await export(id, tenant: tenant) else {
                throw FarmError(.internalError, "export \(id) is gone")
            }
            return (export, false)
        }
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

    /// An export whose jobs have moved to the history, or move now, has its progress stored.
    private static let exportColumns = """
        SELECT id, number, tenant_id, label, priority, pool, state, failure, film_key, frame_count, created_at, finished_at,
          warnings, coalesce((progress->>'jobs')::bigint, counted.jobs) AS jobs,
          coalesce((progress->>'done')::bigint, counted.done) AS jobs_done,
          coalesce((progress->>'reused')::bigint, counted.reused) AS jobs_reused,
          coalesce((progress->>'frames')::bigint, counted.frames) AS frames_done
        FROM exports CROSS JOIN LATERAL (
          SELECT count(*) AS jobs, count(*) FILTER (WHERE jobs.state = 'done') AS done,
            count(*) FILTER (WHERE reused) AS reused,
            coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0)::bigint AS frames
          FROM jobs WHERE export_id = exports.id AND kind <> 'probe' AND exports.progress IS NULL) AS counted
        """

    package func events(of id: ExportID, after: Int64, limit: Int) async throws -> [ExportEvent] {
        try await query(
            """
            (SELECT id, job_id, kind, message, at FROM events WHERE export_id = $1 AND id > $2 ORDER BY id LIMIT $3)
            UNION ALL
            (SELECT id, job_id, kind, message, at FROM events_history WHERE export_id = $1 AND id > $2 ORDER BY id LIMIT $3)
            ORDER BY id LIMIT $3
            """,
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

/// What came of a submission.
private enum SubmitOutcome: Sendable {
    case new(Export)
    /// The export that the same submission made before.
    case known(ExportID)
}

extension PostgresTransaction {
    /// The export that was made with an idempotency key.
    /// - Returns: nil where the key is new. It stays locked until the transaction ends, so that the second of two
    ///   simultaneous requests waits for the first.
    /// - Throws: `FarmError` `conflict` when the key was used for another request.
    fileprivate func export(of idempotency: (key: String, bodyHash: String), tenant: Int64) async throws -> ExportID? {
        let results = try await pipeline([
            PostgresStatement(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("\(tenant) \(idempotency.key)")]),
            PostgresStatement(
                "SELECT export_id, body_hash FROM idempotency_keys WHERE tenant_id = $1 AND key = $2",
                [.int64(tenant), .text(idempotency.key)]),
        ])
        guard let known = results.last?.rows.first else { return nil }
        guard try known.get("body_hash", as: String.self) == idempotency.bodyHash else {
            throw FarmError(.conflict, "the idempotency key '\(idempotency.key)' was used for another request")
        }
        return try known.exportID("export_id")
    }

    /// Inserts an accepted export with the draft revision that it renders, in one round trip where the draft is new, so
    /// that thousands of drafts are accepted in a minute.
    fileprivate func insert(
        _ request: ExportRequest, id: ExportID, tenant: Int64, idempotency: (key: String, bodyHash: String)?
    ) async throws -> Export {
        let state = ExportLifecycle().state
        let now = Date()
        let columns = """
            INSERT INTO exports
              (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state, created_at)
            SELECT $1, $2, draft_id, revision, $3, $4, $5,
              coalesce($6::bigint, (SELECT least(0, priority_cap) FROM tenants WHERE id = $2), 0), $7, $8, $9
            FROM rendered RETURNING number, created_at, priority
            """
        let values: [PostgresValue] = [
            .uuid(id.text), .int64(tenant), .text(request.label), try PostgresFarmStore.json(request.parameters),
            try PostgresFarmStore.json(request.settings), .optional(request.priority) { .int64(Int64($0)) },
            .text(request.pool), .text(state.rawValue), .timestamp(now),
        ]
        // The row is held until the export is stored, so that the cap does not change meanwhile.
        var statements = [
            PostgresStatement("SELECT name, priority_cap FROM tenants WHERE id = $1 FOR SHARE", [.int64(tenant)])
        ]
        switch request.subject {
        case .document(let document):
            statements.append(
                PostgresStatement(
                    """
                    WITH made AS (INSERT INTO drafts (tenant_id) VALUES ($2) RETURNING id),
                    rendered AS (
                      INSERT INTO draft_revisions (draft_id, revision, content) SELECT id, 1, $10 FROM made
                      RETURNING draft_id, revision)
                    \(columns)
                    """, values + [.text(document)]))
        case .named(let name, let wanted):
            let (draft, revision) = try await self.revision(wanted, of: name, tenant: tenant)
            statements.append(
                PostgresStatement(
                    "WITH rendered AS (SELECT $10::bigint AS draft_id, $11::bigint AS revision) \(columns)",
                    values + [.int64(draft), .int64(revision)]))
        }
        let accepted = NewEvent(export: id, job: nil, kind: .submitted, message: "accepted")
        statements += try PostgresFarmStore.logging([accepted], at: now)
        if let idempotency {
            statements.append(
                PostgresStatement(
                    "INSERT INTO idempotency_keys (tenant_id, key, body_hash, export_id) VALUES ($1, $2, $3, $4)",
                    [.int64(tenant), .text(idempotency.key), .text(idempotency.bodyHash), .uuid(id.text)]))
        }
        statements.append(PostgresFarmStore.announcing(.submission))
        let results = try await pipeline(statements)
        guard let owner = results.first?.rows.first, let row = results.dropFirst().first?.rows.first else {
            throw FarmError(.internalError, "export \(id) was not stored")
        }
        try PriorityCap(tenant: try owner.get("name"), cap: try owner.get("priority_cap")).check(request)
        return Export(
            id: id, number: try row.get("number"), tenant: tenant, label: request.label, priority: try row.get("priority"),
            pool: request.pool, state: state, createdAt: try row.get("created_at"))
    }

    /// Finds a revision of a draft of the library.
    /// - Parameter wanted: nil for the newest.
    private func revision(_ wanted: Int?, of name: String, tenant: Int64) async throws -> (draft: Int64, revision: Int64) {
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
        return (try found.get("draft_id"), try found.get("revision"))
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
