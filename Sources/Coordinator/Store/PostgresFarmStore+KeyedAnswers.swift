import Postgres
import FoundationEssentials

/// Answers to requests with keys, in the database.
extension PostgresFarmStore {
    package func beginRequest(_ key: String, hash: String, tenant: Int64) async throws -> KeyedRequest {
        let now = self.now()
        let expired = PostgresValue.timestamp(now - KeyedAnswers.lifetime)
        return try await transaction { transaction in
            try await transaction.execute(
                """
                DELETE FROM keyed_answers WHERE (tenant_id, key) IN (
                  SELECT tenant_id, key FROM keyed_answers WHERE began_at <= $1 ORDER BY began_at LIMIT $2
                  FOR UPDATE SKIP LOCKED)
                """, [expired, .int64(Int64(KeyedAnswers.removedAtOnce))])
            // The second of two requests that come at the same time waits here until the first has its row.
            let begun = try await transaction.query(
                """
                INSERT INTO keyed_answers (tenant_id, key, request_hash, began_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (tenant_id, key) DO UPDATE
                  SET request_hash = $3, began_at = $4, status = NULL, content_type = NULL, location = NULL, body = NULL,
                    is_secret = false
                  WHERE keyed_answers.began_at <= $5
                    OR (keyed_answers.status IS NULL AND keyed_answers.began_at <= $6 AND keyed_answers.request_hash = $3)
                RETURNING key
                """,
                [
                    .int64(tenant), .text(key), .text(hash), .timestamp(now), expired,
                    .timestamp(now - KeyedAnswers.timeout),
                ])
            guard begun.isEmpty else { return .new }
            let row = try await transaction.query(
                """
                SELECT request_hash, status, content_type, location, body, is_secret FROM keyed_answers
                WHERE tenant_id = $1 AND key = $2
                """, [.int64(tenant), .text(key)]
            ).first
            // Where the other request has failed meanwhile, the client repeats this one.
            guard let row else { return .underWay }
            guard try row.get("request_hash", as: String.self) == hash else { return .ofAnotherRequest }
            guard let status = try row.get("status", as: Int?.self) else { return .underWay }
            return .answered(
                KeyedAnswer(
                    status: status, contentType: try row.get("content_type"), location: try row.get("location"),
                    body: try row.get("body"), isSecret: try row.get("is_secret")))
        }
    }

    package func endRequest(_ key: String, tenant: Int64, _ answer: KeyedAnswer?) async throws {
        try await transaction { transaction in
            guard let answer else {
                try await transaction.execute(
                    "DELETE FROM keyed_answers WHERE tenant_id = $1 AND key = $2 AND status IS NULL",
                    [.int64(tenant), .text(key)])
                return
            }
            try await transaction.execute(
                """
                UPDATE keyed_answers SET status = $3, content_type = $4, location = $5, body = $6, is_secret = $7
                WHERE tenant_id = $1 AND key = $2 AND status IS NULL
                """,
                [
                    .int64(tenant), .text(key), .int64(Int64(answer.status)), .optional(answer.contentType) { .text($0) },
                    .optional(answer.location) { .text($0) }, .optional(answer.body) { .text($0) }, .bool(answer.isSecret),
                ])
        }
    }
}
