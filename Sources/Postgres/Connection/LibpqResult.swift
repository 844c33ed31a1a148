import CPostgres

/// One answer of the server as libpq holds it. It owns libpq's result and frees it once.
final class LibpqResult {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }

    var isError: Bool {
        status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE || status == PGRES_PIPELINE_ABORTED
    }

    /// Whether the server wants or sends COPY data, which this client does not support.
    var isCopy: Bool { status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH }

    var sqlState: String? { field(spool_diag_sqlstate) }

    /// The error that this result stands for.
    func error(statement: String, index: Int? = nil) -> PostgresError {
        let state = sqlState
        let message = field(spool_diag_primary) ?? LibpqText.line(PQresultErrorMessage(pointer))
        return PostgresError(
            state.map(PostgresError.Code.init(sqlState:)) ?? .server, message, sqlState: state,
            detail: field(spool_diag_detail), constraint: field(spool_diag_constraint), statement: statement,
            statementIndex: index)
    }

    /// Copies the rows out.
    func contents(statement: String) -> PostgresResult {
        let fields = 0..<PQnfields(pointer)
        let columns = PostgresColumns(
            names: fields.map { LibpqText.string(PQfname(pointer, $0)) ?? "" }, types: fields.map { PQftype(pointer, $0) },
            statement: statement)
        let rows = (0..<PQntuples(pointer)).map { row in
            PostgresRow(columns: columns, values: zip(fields, columns.types).map { value(row, $0, $1) })
        }
        let count = LibpqText.string(PQcmdTuples(pointer)).flatMap { Int($0) }
        return PostgresResult(rows: rows, affectedRows: count ?? 0)
    }

    private func value(_ row: Int32, _ field: Int32, _ type: Oid) -> PostgresValue {
        guard PQgetisnull(pointer, row, field) == 0, let start = PQgetvalue(pointer, row, field) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(pointer, row, field)))
        return PostgresValue(field: bytes, type: type)
    }

    private func field(_ code: Int32) -> String? { LibpqText.string(PQresultErrorField(pointer, code)) }
}

/// Strings that libpq owns.
enum LibpqText {
    /// The string; nil for a null pointer.
    static func string(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

    /// All lines as one line.
    static func line(_ pointer: UnsafePointer<CChar>?) -> String {
        (string(pointer) ?? "").split { $0.isWhitespace }.joined(separator: " ")
    }
}
