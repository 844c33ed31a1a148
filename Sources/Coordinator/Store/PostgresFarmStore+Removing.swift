package import FarmAPI
import Postgres
import FoundationEssentials

/// What clients remove.
extension PostgresFarmStore {
    package func removeDraft(
        _ name: String, tenant: Int64, if condition: @escaping @Sendable (String?) throws -> Void
    ) async throws {
        try await transaction { transaction in
            let draft = try await transaction.query(
                "SELECT id FROM drafts WHERE tenant_id = $1 AND name = $2 FOR UPDATE", [.int64(tenant), .text(name)]
            ).first
            guard let id = try draft?.get("id", as: Int64.self) else {
                throw FarmError(.notFound, "there is no draft '\(name)'")
            }
            let newest = try await transaction.query(
                "SELECT content FROM draft_revisions WHERE draft_id = $1 ORDER BY revision DESC LIMIT 1", [.int64(id)]
            ).first
            try condition(try newest?.get("content"))
            // A draft without a name belongs to the exports that were made from it, and goes with them.
            try await transaction.execute("UPDATE drafts SET name = NULL WHERE id = $1", [.int64(id)])
            try await transaction.execute(
                """
                DELETE FROM draft_revisions WHERE draft_id = $1 AND NOT EXISTS (
                  SELECT FROM exports WHERE exports.draft_id = $1 AND exports.draft_revision = draft_revisions.revision)
                  AND NOT EXISTS (SELECT FROM batches WHERE batches.draft_id = $1)
                """, [.int64(id)])
            try await transaction.execute(
                "DELETE FROM drafts WHERE id = $1 AND NOT EXISTS (SELECT FROM draft_revisions WHERE draft_id = $1)",
                [.int64(id)])
        }
    }

    package func removeAsset(_ hash: String, tenant: Int64) async throws {
        try await transaction { transaction in
            let found = try await transaction.query(
                "SELECT hash FROM assets WHERE tenant_id = $1 AND hash = $2 FOR UPDATE", [.int64(tenant), .text(hash)])
            guard !found.isEmpty else { throw FarmError(.notFound, "the farm has no asset '\(hash)'") }
            // An export that is not compiled yet may name the asset by a parameter, too.
            let waiting = try await transaction.query(
                """
                SELECT FROM exports WHERE tenant_id = $1 AND state IN ('submitted', 'probing')
                  AND parameters::text LIKE '%' || $2 || '%' LIMIT 1
                """, [.int64(tenant), .text(hash)])
            let removed = try await transaction.execute(
                """
                \(PostgresFarmStore.mentioned)
                DELETE FROM assets WHERE tenant_id = $1 AND hash = $2 AND $3::boolean AND \(PostgresFarmStore.assetNeed) IS NULL
                """, [.int64(tenant), .text(hash), .bool(waiting.isEmpty)])
            guard removed > 0 else { throw FarmError.assetIsNeeded(hash) }
        }
    }

    package func setPriority(_ priority: Int, of id: ExportID, mayExceedCap: Bool) async throws {
        try await transaction { transaction in
            let row = try await transaction.query(
                """
                SELECT tenants.name AS tenant, priority_cap, state FROM exports JOIN tenants ON tenants.id = tenant_id
                WHERE exports.id = $1 FOR NO KEY UPDATE OF exports
                """, [.uuid(id.text)]
            ).first
            guard let row else { throw FarmError(.notFound, "there is no export \(id)") }
            let cap = PriorityCap(tenant: try row.get("tenant"), cap: try row.get("priority_cap"))
            try cap.check(priority, mayExceedCap: mayExceedCap)
            let state = try row.named("state", ExportState.self)
            guard PriorityCap.openStates.contains(state) else { throw FarmError.isOver(id, state) }
            try await transaction.execute(
                "UPDATE exports SET priority = $2 WHERE id = $1", [.uuid(id.text), .int64(Int64(priority))])
            try await transaction.announce(.export(id))
        }
    }

    package func removeExport(_ id: ExportID) async throws {
        try await transaction { transaction in
            let row = try await transaction.query(
                "SELECT state, draft_id FROM exports WHERE id = $1 FOR UPDATE", [.uuid(id.text)]
            ).first
            guard let row else { throw FarmError(.notFound, "there is no export \(id)") }
            let state = try row.named("state", ExportState.self)
            guard state.isTerminal else { throw FarmError.isNotOver(id, state) }
            _ = try await transaction.drop(exports: [id.text], drafts: [try row.get("draft_id")])
        }
    }

    package func removeFilm(of id: ExportID) async throws {
        let now = self.now()
        try await transaction { transaction in
            let row = try await transaction.query(
                """
                SELECT state, film_removed_at, (SELECT state FROM publications WHERE export_id = id) AS publication
                FROM exports WHERE id = $1 FOR NO KEY UPDATE
                """, [.uuid(id.text)]
            ).first
            guard let row else { throw FarmError(.notFound, "there is no export \(id)") }
            try FarmError.checkFilm(
                of: id, try row.named("state", ExportState.self), removedAt: try row.get("film_removed_at"),
                try row.get("publication", as: String?.self).flatMap(PublicationState.init(rawValue:)))
            try await transaction.execute(
                "UPDATE exports SET film_removed_at = $2 WHERE id = $1", [.uuid(id.text), .timestamp(now)])
        }
    }
}

extension PostgresTransaction {
    /// Removes exports with everything that is theirs, in the history, too.
    /// - Parameter drafts: the drafts that they were made from.
    /// - Returns: how many exports were removed.
    func drop(exports ids: [String], drafts: Set<Int64>) async throws -> Int {
        let exports = PostgresValue.textArray(ids)
        let drafts = PostgresValue.int64Array(drafts.sorted())
        try await execute("DELETE FROM events_history WHERE export_id = ANY($1::uuid[])", [exports])
        try await execute(
            """
            DELETE FROM attempts_history WHERE job_id IN (SELECT id FROM jobs_history WHERE export_id = ANY($1::uuid[]))
            """, [exports])
        try await execute("DELETE FROM jobs_history WHERE export_id = ANY($1::uuid[])", [exports])
        let count = try await execute("DELETE FROM exports WHERE id = ANY($1::uuid[])", [exports])
        // A draft without a name belongs to the export that it was submitted with.
        try await execute(
            """
            DELETE FROM draft_revisions USING drafts WHERE draft_id = ANY($1) AND drafts.id = draft_id AND name IS NULL
              AND NOT EXISTS (SELECT FROM exports WHERE exports.draft_id = drafts.id)
              AND NOT EXISTS (SELECT FROM batches WHERE batches.draft_id = drafts.id)
            """, [drafts])
        try await execute(
            """
            DELETE FROM drafts WHERE id = ANY($1) AND name IS NULL
              AND NOT EXISTS (SELECT FROM draft_revisions WHERE draft_id = drafts.id)
            """, [drafts])
        return count
    }
}

extension FarmError {
    static func isOver(_ id: ExportID, _ state: ExportState) -> FarmError {
        FarmError(.conflict, "export \(id) is over already: it is \(state.rawValue)")
    }

    static func isNotOver(_ id: ExportID, _ state: ExportState) -> FarmError {
        FarmError(.conflict, "export \(id) is not over: it is \(state.rawValue); cancel it first")
    }

    /// Checks that the film of an export can be removed.
    static func checkFilm(
        of id: ExportID, _ state: ExportState, removedAt: Date?, _ publication: PublicationState?
    ) throws {
        guard state == .completed else {
            throw FarmError(.conflict, "export \(id) has no film: it is \(state.rawValue)")
        }
        guard removedAt == nil else { throw FarmError(.notFound, "the film of export \(id) was removed before") }
        guard publication != .pending else {
            throw FarmError(.conflict, "the film of export \(id) is still to be sent to its destination")
        }
    }

    static func assetIsNeeded(_ hash: String) -> FarmError {
        FarmError(
            .conflict,
            "the asset '\(hash)' is needed by an export that is not over, a draft of the library or a recording; "
                + "remove that first")
    }
}
