public import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The farm's truth in PostgreSQL: the tables of `migrations/`.
///
/// Each call is one transaction; one that meets another in the way is run again. Whoever listens to `workChannel` hears
/// when there may be something to do for the leader, to `exportChannel` when an export has changed.
public struct PostgresFarmStore: FarmStore {
    public static let workChannel = "spool_work"
    /// Its notifications carry the export's id.
    public static let exportChannel = "spool_exports"

    let pool: PostgresPool

    public init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Runs statements as one transaction, again where another one was in the way.
    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await translating { try await pool.transaction(attempts: 5, body) }
    }

    func query(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> [PostgresRow] {
        try await translating { try await pool.query(statement, parameters) }
    }

    @discardableResult
    func execute(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await translating { try await pool.execute(statement, parameters) }
    }

    /// The database's errors as the farm's.
    func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as PostgresError {
            switch error.code {
            case _ where error.isOfServer:
                throw FarmError(.unavailable, "the database cannot be used: \(error)")
            case .uniqueViolation, .foreignKeyViolation:
                throw FarmError(.conflict, "the database refused it: \(error)")
            case .checkViolation, .invalidValue, .notNullViolation:
                throw FarmError(.invalid, "the database refused it: \(error)")
            default:
                throw FarmError(.internalError, "\(error)")
            }
        }
    }

    static func json(_ value: some Encodable) throws -> PostgresValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .json(storable(json: String(decoding: try encoder.encode(value), as: UTF8.self)))
    }

    /// Text as PostgreSQL can keep it: it has no zero character, which media and programs do have.
    static func storable(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
    }

    /// JSON as PostgreSQL can keep it: an escaped zero character in a string becomes the replacement character.
    static func storable(json: String) -> String {
        guard json.contains("\\u0000") else { return json }
        var bytes = Array(json.utf8)
        let (zero, replacement) = (Array("\\u0000".utf8), Array("\\ufffd".utf8))
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            if bytes[place...].starts(with: zero) { bytes.replaceSubrange(place..<place + zero.count, with: replacement) }
            place += 2  // past the escape and what it escapes
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func fromJSON<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension PostgresQuerying {
    /// Tells the leader, once the transaction is committed.
    func announceWork() async throws {
        try await execute("SELECT pg_notify('\(PostgresFarmStore.workChannel)', '')")
    }

    /// Tells those who watch these exports, once the transaction is committed.
    func announce(_ exports: [ExportID]) async throws {
        try await execute(
            "SELECT pg_notify('\(PostgresFarmStore.exportChannel)', id) FROM unnest($1::text[]) AS id",
            [.textArray(exports.map(\.text))])
    }

    /// Writes down what happened to an export.
    func log(_ kind: ExportEvent.Kind, _ export: ExportID, job: Int64? = nil, _ message: String, at now: Date) async throws {
        try await execute(
            "INSERT INTO events (export_id, job_id, kind, message, at) VALUES ($1, $2, $3, $4, $5)",
            [
                .uuid(export.text), .optional(job) { .int64($0) }, .text(kind.rawValue),
                .text(PostgresFarmStore.storable(message)),
                .timestamp(now),
            ])
        try await announce([export])
    }
}

extension PostgresError {
    /// Whether the connection or the server's own state is the reason, and not the statement: the server cannot be reached, is
    /// out of disk, memory or connections, shuts down, cannot read its files (SQLSTATE classes 53, 57 and 58), or other
    /// transactions are in the way.
    fileprivate var isOfServer: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .outcomeUnknown, .poolClosed, .cancelled, .serializationFailure, .deadlock,
            .lockUnavailable:
            true
        case .server: ["53", "57", "58"].contains { sqlState?.hasPrefix($0) == true }
        default: false
        }
    }
}
