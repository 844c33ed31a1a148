import FarmAPI
import Postgres
import FoundationEssentials

extension PostgresQuerying {
    /// Records an event of an export, and notifies the clients that watch it.
    func log(_ kind: ExportEvent.Kind, _ export: ExportID, job: Int64? = nil, _ message: String, at now: Date) async throws {
        try await log([NewEvent(export: export, job: job, kind: kind, message: message)], at: now)
    }

    /// Performs `PostgresFarmStore.logging`.
    func log(_ events: [NewEvent], at now: Date) async throws {
        guard !events.isEmpty else { return }
        _ = try await pipeline(try PostgresFarmStore.logging(events, at: now))
    }
}

extension PostgresFarmStore {
    /// The statements that record events in this order and notify the clients that watch their exports. The same event
    /// is recorded once; it is looked for among the latest ones of its export.
    static func logging(_ events: [NewEvent], at now: Date) throws -> [PostgresStatement] {
        let rows = events.enumerated().map { EventRow(place: $0, $1) }
        let recording = PostgresStatement(
            """
            INSERT INTO events (export_id, job_id, kind, message, at)
            SELECT new.export, new.job, new.kind, new.message, $2::timestamptz
            FROM json_to_recordset($1::json) AS new(place integer, export uuid, job bigint, kind text, message text)
            WHERE NOT EXISTS (
              SELECT FROM (SELECT * FROM events WHERE export_id = new.export ORDER BY id DESC LIMIT 10) AS latest
              WHERE latest.kind = new.kind AND latest.job_id IS NOT DISTINCT FROM new.job
                AND latest.message = new.message AND latest.at = $2::timestamptz)
            ORDER BY new.place
            """, [try json(rows), .timestamp(now)])
        return [recording, announcing(Set(events.map(\.export)).sorted())]
    }
}

/// A new event as the statement that records it reads it.
private struct EventRow: Encodable {
    var place: Int
    var export: String
    var job: Int64?
    var kind: String
    var message: String

    init(place: Int, _ event: NewEvent) {
        self.place = place
        export = event.export.text
        job = event.job
        kind = event.kind.rawValue
        message = event.message
    }
}
