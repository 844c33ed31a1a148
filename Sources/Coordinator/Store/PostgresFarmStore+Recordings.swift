package import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func createRecording(_ record: RecordingRecord) async throws {
        try await execute(
            """
            INSERT INTO recordings (id, tenant_id, version, state, content, created_at) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .uuid(record.id.text), .int64(record.tenant), .int64(Int64(record.version)), .text(record.content.stateName),
                try PostgresFarmStore.json(record.content), .timestamp(record.createdAt),
            ])
    }

    package func recording(_ id: RecordingID, tenant: Int64?) async throws -> RecordingRecord? {
        try await query(
            """
            SELECT id, tenant_id, version, content, created_at FROM recordings
            WHERE id = $1 AND ($2::bigint IS NULL OR tenant_id = $2)
            """, [.uuid(id.text), .optional(tenant) { .int64($0) }]
        ).first.map(recordingRecord)
    }

    package func recordings(tenant: Int64?, after place: ListingPlace?, limit: Int) async throws -> [RecordingRecord] {
        try await query(
            """
            SELECT id, tenant_id, version, content, created_at FROM recordings
            WHERE ($1::bigint IS NULL OR tenant_id = $1)
              AND ($3::timestamptz IS NULL OR created_at < $3 OR (created_at = $3 AND id > $4::uuid))
            ORDER BY created_at DESC, id LIMIT $2
            """,
            [
                .optional(tenant) { .int64($0) }, .int64(Int64(limit)), .optional(place) { .timestamp($0.createdAt) },
                .optional(place) { .text($0.id) },
            ]
        ).map(recordingRecord)
    }

    package func changeRecording(_ record: RecordingRecord) async throws -> RecordingRecord? {
        try await write(
            """
            UPDATE recordings SET version = version + 1, state = $3, content = $4 WHERE id = $1 AND version = $2
            RETURNING id, tenant_id, version, content, created_at
            """,
            [
                .uuid(record.id.text), .int64(Int64(record.version)), .text(record.content.stateName),
                try PostgresFarmStore.json(record.content),
            ]
        ).rows.first.map(recordingRecord)
    }

    private func recordingRecord(_ row: PostgresRow) throws -> RecordingRecord {
        guard let id = RecordingID(try row.get("id", as: String.self)) else {
            throw FarmError(.internalError, "column id does not hold the id of a recording")
        }
        let content = try PostgresFarmStore.fromJSON(RecordingRecord.Content.self, try row.get("content"))
        return RecordingRecord(
            id: id, tenant: try row.get("tenant_id"), version: try row.get("version"), content: content,
            createdAt: try row.get("created_at"))
    }
}
