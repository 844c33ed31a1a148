import ExportPlan
package import FarmAPI
import Postgres
package import FoundationEssentials

/// Films on their way to destinations, in the database. A trigger adds those of exports that complete (migration 27).
extension PostgresFarmStore {
    /// The channel that is notified when films were added.
    package static let publicationChannel = "spool_publications"

    package func republish(_ export: ExportID, tenant: Int64?) async throws -> Bool {
        let now = self.now()
        return try await transaction { transaction in
            let changed = try await transaction.execute(
                """
                UPDATE publications SET state = 'pending', attempts = 0, queued_at = $2, due_at = $2, ended_at = NULL
                FROM exports WHERE export_id = $1 AND id = export_id AND film_removed_at IS NULL AND ($3::bigint IS NULL OR tenant_id = $3)
                """, [.uuid(export.text), .timestamp(now), .optional(tenant) { .int64($0) }])
            _ = try await transaction.query("SELECT pg_notify('\(PostgresFarmStore.publicationChannel)', '')")
            return changed > 0
        }
    }

    package func duePublications(at now: Date, underWay: Set<ExportID>, limit: Int) async throws -> [OutgoingFilm] {
        try await query(
            """
            SELECT export_id, number, tenant_id, tenants.name AS tenant_name, label, film_key, pictures, frame_count, finished_at,
              destination, attempts, queued_at
            FROM publications JOIN exports ON exports.id = export_id JOIN tenants ON tenants.id = tenant_id
            WHERE publications.state = 'pending' AND due_at <= $1 AND NOT export_id = ANY($2::uuid[])
              AND film_key IS NOT NULL AND finished_at IS NOT NULL
            ORDER BY due_at LIMIT $3
            """, [.timestamp(now), .textArray(underWay.map(\.text).sorted()), .int64(Int64(limit))]
        ).map { row in
            OutgoingFilm(
                export: try row.exportID("export_id"), number: try row.get("number"), tenant: try row.get("tenant_id"),
                tenantName: try row.get("tenant_name"), label: try row.get("label"), film: ArtifactKey(try row.get("film_key")),
                pictures: try row.get("pictures", as: String?.self).map {
                    try PostgresFarmStore.fromJSON(FilmPictures.self, $0)
                },
                frameCount: try row.get("frame_count"), finishedAt: try row.get("finished_at"),
                destination: try row.get("destination"), attempts: try row.get("attempts"), queuedAt: try row.get("queued_at"))
        }
    }

    package func nextPublication(after now: Date) async throws -> Date? {
        try await query(
            "SELECT min(due_at) AS due_at FROM publications WHERE state = 'pending' AND due_at > $1", [.timestamp(now)]
        ).first?.get("due_at", as: Date?.self)
    }

    package func record(_ outcome: PublicationOutcome, of film: OutgoingFilm, at now: Date) async throws {
        let (state, due, message, files): (PublicationState, Date?, String?, [Publication.File]) =
            switch outcome {
            case .published(let files): (.published, nil, nil, files)
            case .retry(let due, let message): (.pending, due, message, [])
            case .failed(let message): (.failed, nil, message, [])
            }
        try await transaction { transaction in
            let changed = try await transaction.execute(
                """
                UPDATE publications SET state = $2, attempts = attempts + 1, attempted_at = $3, message = $4,
                  due_at = coalesce($5, due_at), ended_at = CASE WHEN $2 <> 'pending' THEN $3::timestamptz END, files = $6
                WHERE export_id = $1 AND state = 'pending'
                """,
                [
                    .uuid(film.export.text), .text(state.rawValue), .timestamp(now),
                    .optional(message) { .text(PostgresFarmStore.storable($0)) }, .optional(due) { .timestamp($0) },
                    try PostgresFarmStore.json(files),
                ])
            guard changed > 0, let event = WebhookEvent(state) else { return }
            let publication = Publication(
                destination: film.destination, state: state, attempts: film.attempts + 1, attemptedAt: now, endedAt: now,
                message: message, files: files)
            _ = try await transaction.query(
                "SELECT queue_webhooks(exports, $2, $3, $4) FROM exports WHERE id = $1 FOR SHARE",
                [
                    .uuid(film.export.text), .text(event.rawValue),
                    try PostgresFarmStore.json(WebhookMessage.Content(publication: publication)), .timestamp(now),
                ])
            _ = try await transaction.pipeline([PostgresFarmStore.announcing([film.export])])
        }
    }
}

extension WebhookEvent {
    /// The event that the end of a publication is; nil for one that is pending.
    init?(_ state: PublicationState) {
        switch state {
        case .pending: return nil
        case .published: self = .published
        case .failed: self = .publishFailed
        }
    }
}
