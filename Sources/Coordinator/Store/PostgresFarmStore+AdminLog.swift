package import FarmAPI
import Postgres
package import FoundationEssentials

extension PostgresFarmStore {
    package func begin(_ action: AdminAction) async throws -> Int64 {
        let rows = try await write(
            """
            INSERT INTO admin_actions (token_id, tenant_id, address, operation, path, body) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING id
            """,
            [
                .int64(action.token), .int64(action.tenant), .optional(action.address) { .text($0) }, .text(action.operation),
                .text(action.path), .text(action.body),
            ]
        ).rows
        guard let row = rows.first else { throw FarmError(.internalError, "the action was not noted") }
        return try row.get("id")
    }

    package func end(action id: Int64, status: Int) async throws {
        _ = try await execute("UPDATE admin_actions SET status = $2 WHERE id = $1", [.int64(id), .int64(Int64(status))])
    }

    package func adminActions(before id: Int64?, limit: Int) async throws -> [AdminAction] {
        try await query(
            "SELECT * FROM admin_actions WHERE id < $1 ORDER BY id DESC LIMIT $2", [.int64(id ?? .max), .int64(Int64(limit))]
        ).map { row in
            AdminAction(
                id: try row.get("id"), at: try row.get("at"), token: try row.get("token_id"), tenant: try row.get("tenant_id"),
                address: try row.get("address"), operation: try row.get("operation"), path: try row.get("path"),
                body: try row.get("body"), status: try row.get("status"))
        }
    }

    package func dropAdminActions(before cutoff: Date, limit: Int) async throws -> RowCounts {
        var counts = RowCounts()
        // Numbers grow with time, so the oldest rows are the first ones, and only those are looked at.
        counts.droppedAdminActions = try await execute(
            """
            DELETE FROM admin_actions WHERE id IN (
              SELECT id FROM (SELECT id, at FROM admin_actions ORDER BY id LIMIT $2) AS oldest WHERE at < $1)
            """, [.timestamp(cutoff), .int64(Int64(limit))])
        return counts
    }

    /// How many rows `dropAdminActions` and `dropWorkers` would remove.
    func expiredTraces(_ cutoffs: RetentionCutoffs) async throws -> (adminActions: Int, workers: Int) {
        let row = try await query(
            """
            SELECT (SELECT count(*) FROM admin_actions WHERE at < $1) AS actions,
              (SELECT count(*) FROM workers WHERE last_seen_at < $2) AS workers
            """, [cutoffs.adminActions, cutoffs.workers].map { .optional($0) { .timestamp($0) } }
        ).first
        return (try row?.get("actions") ?? 0, try row?.get("workers") ?? 0)
    }
}
