import FarmAPI
package import Postgres
import Telemetry
import FoundationEssentials

/// The farm's state in PostgreSQL: the tables of `migrations/`.
///
/// Each call is one transaction, which runs again where it conflicts with another. Listeners to `workChannel` are
/// notified when there may be work for the leader, listeners to `exportChannel` when an export has changed.
package struct PostgresFarmStore: FarmStore {
    package static let workChannel = "spool_work"
    /// Its notifications carry the export's id.
    package static let exportChannel = "spool_exports"
    /// Its notifications say that a leader has given the lead back.
    package static let leadChannel = "spool_lead"

    let pool: PostgresPool
    /// The term whose leader uses this store; nil for everybody else.
    private let term: LeadTerm?
    /// The sources of exports that are being rendered.
    let references = ReferenceCache()

    package init(_ pool: PostgresPool) {
        self.init(pool, nil)
    }

    private init(_ pool: PostgresPool, _ term: LeadTerm?) {
        self.pool = pool
        self.term = term
    }

    /// The store as the leader of a term uses it. Every call that writes holds the lead until it is committed, and throws
    /// `FarmError` `lostLead` when another coordinator has taken the lead. Calls that only read are not refused.
    package func leading(_ term: LeadTerm) -> PostgresFarmStore { PostgresFarmStore(pool, term) }

    /// The time: by the database's clock for a leader, and by this machine's for everybody else.
    func now() -> Date { term?.now() ?? Date() }

    /// The SQLSTATE with which the database's function `require_lead` refuses a leader that has lost the lead.
    private static let lostLead = "SP001"

    /// The statement that holds the lead until the end of the transaction.
    private var fence: String? { term.map { "SELECT require_lead(\($0.epoch))" } }

    package func farm() async throws -> String {
        guard let row = try await query("SELECT id::text AS id FROM farm").first else {
            throw FarmError(.internalError, "the database has no farm: its table 'farm' is empty")
        }
        return try row.get("id")
    }

    package func confirmLead() async throws {
        if let fence { _ = try await query(fence) }
    }

    package func skipNumbers(behindJob job: Int64) async throws -> Bool {
        try await transaction { transaction in
            let highest: Int64? = try await transaction.query(
                """
                SELECT last_value FROM pg_sequences
                WHERE schemaname = current_schema() AND sequencename = 'jobs_id_seq'
                """
            ).first?.get("last_value")
            guard highest ?? 0 < job else { return false }
            // More than a farm gives out between two backups. Numbers have 63 bits, and JSON is exact up to 53.
            try await transaction.execute(
                """
                SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + 1000000000)
                FROM pg_sequences WHERE schemaname = current_schema()
                """)
            return true
        }
    }

    /// Runs statements as one transaction, and again where it conflicts with another; five times at most.
    func transaction<Result: Sendable>(
        isolation: PostgresIsolation = .readCommitted,
        _ body: @escaping @Sendable (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await timed("transaction") {
            try await translating { try await pool.transaction(isolation: isolation, attempts: 5, opening: fence, body) }
        }
    }

    /// Runs a statement that only reads.
    func query(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> [PostgresRow] {
        try await timed("query") { try await translating { try await pool.query(statement, parameters) } }
    }

    /// Measures what the database does for `body`.
    private func timed<Result>(_ operation: String, _ body: () async throws -> Result) async throws -> Result {
        let caller = term == nil ? "api" : "leader"
        let began = ContinuousClock.now
        do {
            let result = try await body()
            FarmMetric.databaseTime.observe(began.duration(to: .now), caller, operation)
            return result
        } catch {
            // Other errors are about what was asked, or the caller has gone.
            if (error as? FarmError)?.code == .unavailable { FarmMetric.databaseErrors.add(1, caller) }
            throw error
        }
    }

    /// Runs a statement that writes, for its effect.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    func execute(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await write(statement, parameters).affectedRows
    }

    /// Runs a statement that writes, and returns rows.
    func write(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> PostgresResult {
        try await timed("write") {
            try await translating {
                guard let fence else { return try await pool.result(of: statement, parameters) }
                // Both statements are one transaction and one round trip.
                let results = try await pool.pipeline([PostgresStatement(fence), PostgresStatement(statement, parameters)])
                return results[1]
            }
        }
    }

    /// Runs `body` and translates the database's errors into the farm's.
    func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as PostgresError {
            switch error.code {
            case _ where error.sqlState == PostgresFarmStore.lostLead:
                throw FarmError(.lostLead, "another coordinator leads now: \(error.message)")
            case _ where error.isOfServer:
                throw FarmError(.unavailable, "the database cannot be used: \(error)")
            case .uniqueViolation, .foreignKeyViolation:
                throw FarmError(.conflict, "the database refused the change: \(error)")
            case .checkViolation, .invalidValue, .notNullViolation:
                throw FarmError(.invalid, "the database refused the change: \(error)")
            default:
                throw FarmError(.internalError, "\(error)")
            }
        }
    }

    static func json(_ value: some Encodable) throws -> PostgresValue { .json(try jsonText(value)) }

    /// A value as JSON that PostgreSQL can store.
    static func jsonText(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return storable(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Text as PostgreSQL can store it: U+FFFD replaces the zero character, which PostgreSQL refuses and which metadata
    /// of media and output of programs may contain.
    static func storable(_ text: String) -> String {
        text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
    }

    /// JSON as PostgreSQL can store it: U+FFFD replaces an escaped zero character in a string.
    static func storable(json: String) -> String {
        // The search for a text takes a third as long as encoding the JSON, and that for a byte next to nothing.
        guard json.utf8.contains(UInt8(ascii: "\\")), json.contains("\\u0000") else { return json }
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
    /// Notifies the leader, once the transaction is committed.
    func announce(_ notice: WorkNotice) async throws {
        _ = try await pipeline([PostgresFarmStore.announcing(notice)])
    }

    /// Notifies clients that watch these exports, once the transaction is committed.
    func announce(_ exports: [ExportID]) async throws {
        _ = try await pipeline([PostgresFarmStore.announcing(exports)])
    }
}

extension PostgresFarmStore {
    /// The statement that notifies the leader, once the transaction is committed.
    static func announcing(_ notice: WorkNotice) -> PostgresStatement {
        PostgresStatement("SELECT pg_notify('\(workChannel)', $1)", [.text(notice.payload)])
    }

    /// The statement that notifies the leader of several things in this order, once the transaction is committed.
    static func announcing(_ notices: [WorkNotice]) -> PostgresStatement {
        PostgresStatement(
            "SELECT pg_notify('\(workChannel)', payload) FROM unnest($1::text[]) AS payload",
            [.textArray(notices.map(\.payload))])
    }

    /// The statement that notifies clients that watch these exports, once the transaction is committed.
    static func announcing(_ exports: [ExportID]) -> PostgresStatement {
        PostgresStatement(
            "SELECT pg_notify('\(exportChannel)', id) FROM unnest($1::text[]) AS id", [.textArray(exports.map(\.text))])
    }
}

extension Collection where Element: RawRepresentable<String> {
    /// The names as a list of SQL literals, for a statement whose index covers only rows in these states. A statement that
    /// finds its rows by other keys gets the names as a parameter: then no index on states fits, and none is read whole.
    var sqlList: String { map { "'\($0.rawValue)'" }.joined(separator: ", ") }
}

extension PostgresError {
    /// Whether the cause is the connection or the server's own state, and not the statement: the server cannot be
    /// reached, is out of disk, memory or connections, shuts down, or cannot read its files (SQLSTATE classes 53, 57
    /// and 58), or other transactions are in the way.
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
