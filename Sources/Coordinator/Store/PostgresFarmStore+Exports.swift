package import FarmAPI
import DraftModel
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func export(_ id: ExportID, tenant: Int64?) async throws -> Export? {
        try await query(
            "\(PostgresFarmStore.exportColumns) WHERE id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)",
            [.uuid(id.text), .optional(tenant) { .int64($0) }]
        ).first.map { try $0.export() }
    }

    /// What narrows the list further has a statement of its own, so that its index is used: a plan for all values of a
    /// parameter cannot use an index that a value of NULL would not.
    package func exports(_ filter: ExportFilter) async throws -> [Export] {
        let (place, order) =
            switch filter.order {
            case .newest: ("number < $4", "number DESC")
            case .oldest: ("number > $4", "number")
            case .priority: ("(-priority, number) > (-$5::integer, $4)", "priority DESC, number")
            }
        var conditions = [
            "($1::bigint IS NULL OR tenant_id = $1)", "($2::text IS NULL OR state = $2)", "($4::bigint IS NULL OR \(place))",
        ]
        var parameters: [PostgresValue] = [
            .optional(filter.tenant) { .int64($0) }, .optional(filter.state) { .text($0.rawValue) },
            .int64(Int64(filter.limit)), .optional(filter.before) { .int64($0) },
        ]
        if filter.order == .priority { parameters.append(.int64(Int64(filter.priorityBefore ?? 0))) }
        func narrow(_ condition: (String) -> String, _ value: PostgresValue) {
            parameters.append(value)
            conditions.append(condition("$\(parameters.count)"))
        }
        if !filter.tags.isEmpty {
            narrow({ "tags IS NOT NULL AND tags @> \($0)" }, try PostgresFarmStore.json(filter.tags))
        }
        if let metadata = filter.metadata {
            narrow({ "metadata IS NOT NULL AND metadata @> \($0)" }, try PostgresFarmStore.json(metadata))
        }
        if let batch = filter.batch { narrow({ "batch_id = \($0)" }, .uuid(batch.text)) }
        if let label = filter.label { narrow({ "strpos(lower(label), lower(\($0))) > 0" }, .text(label)) }
        let condition = conditions.joined(separator: " AND ")
        let list =
            // The exports of the page are found before their jobs are counted, because they have to be sorted.
            filter.order == .priority
            ? PostgresFarmStore.columns(from: "(SELECT * FROM exports WHERE \(condition) ORDER BY \(order) LIMIT $3) AS exports")
            : "\(PostgresFarmStore.exportColumns) WHERE \(condition)"
        return try await query("\(list) ORDER BY \(order) LIMIT $3", parameters).map { try $0.export() }
    }

    /// `Publication` as JSON; NULL where the export has none.
    private static let publication = """
        (SELECT jsonb_strip_nulls(jsonb_build_object(
          'destination', destination, 'state', publications.state, 'attempts', attempts,
          'dueAt', CASE WHEN publications.state = 'pending' THEN reference_seconds(due_at) END,
          'attemptedAt', reference_seconds(attempted_at), 'endedAt', reference_seconds(ended_at), 'message', message,
          'files', files)) FROM publications WHERE export_id = exports.id)
        """

    /// An export whose jobs have moved to the history, or move now, has its progress stored.
    private static let exportColumns = columns(from: "exports")

    private static func columns(from exports: String) -> String {
        """
        SELECT id, number, tenant_id, label, priority, pool, state, failure, film_key, frame_count, created_at, finished_at,
          warnings, tags, metadata, batch_id, batch_row, film_removed_at, pictures, \(publication) AS publication,
          coalesce((progress->>'jobs')::bigint, counted.jobs) AS jobs,
          coalesce((progress->>'done')::bigint, counted.done) AS jobs_done,
          coalesce((progress->>'reused')::bigint, counted.reused) AS jobs_reused,
          coalesce((progress->>'frames')::bigint, counted.frames) AS frames_done
        FROM \(exports) CROSS JOIN LATERAL (
          SELECT count(*) AS jobs, count(*) FILTER (WHERE jobs.state = 'done') AS done,
            count(*) FILTER (WHERE reused) AS reused,
            coalesce(sum(jobs.frame_count) FILTER (WHERE jobs.state = 'done' AND kind = 'video'), 0)::bigint AS frames
          FROM jobs WHERE export_id = exports.id AND kind <> 'probe' AND exports.progress IS NULL) AS counted
        """
    }

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
        let batch = try get("batch_id", as: String?.self).flatMap { BatchID($0) }
        let row = try get("batch_row", as: Int?.self)
        return Export(
            id: try exportID("id"), number: try get("number"), tenant: try get("tenant_id"), label: try get("label"),
            priority: try get("priority"), pool: try get("pool"), state: try named("state", ExportState.self),
            failure: try get("failure", as: String?.self).map(ExportFailure.init(stored:)),
            filmKey: try get("film_key", as: String?.self).map { ArtifactKey($0) },
            frameCount: try get("frame_count", as: Int?.self), createdAt: try get("created_at"),
            finishedAt: try get("finished_at"), progress: progress,
            warnings: try PostgresFarmStore.fromJSON([DraftDiagnostic].self, try get("warnings")),
            publication: try get("publication", as: String?.self).map {
                try PostgresFarmStore.fromJSON(Publication.self, $0)
            },
            tags: try get("tags", as: String?.self).map { try PostgresFarmStore.fromJSON([String: String].self, $0) },
            metadata: try get("metadata", as: String?.self).map { try PostgresFarmStore.fromJSON(FreeJSON.self, $0) },
            batch: batch.flatMap { batch in row.map { BatchRowReference(id: batch, row: $0) } },
            filmRemovedAt: try get("film_removed_at"),
            pictures: try get("pictures", as: String?.self).map { try PostgresFarmStore.fromJSON(FilmPictures.self, $0) })
    }
}

extension ExportFailure {
    /// Decodes a stored failure. A failure that another version stored in another format is shown as its JSON, so that
    /// one such export does not make a whole list unreadable.
    init(stored json: String) {
        do {
            self = try PostgresFarmStore.fromJSON(ExportFailure.self, json)
        } catch {
            self.init(.crash, message: "the reason was stored by another version of spool and cannot be read: \(json)")
        }
    }
}
