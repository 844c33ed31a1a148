/// The result of a statement.
package struct PostgresResult: Sendable {
    /// The rows; none for a statement that returns nothing.
    package let rows: [PostgresRow]
    /// How many rows were inserted, updated, deleted, or else returned.
    package let affectedRows: Int
}

/// One row of a result: fields by the names of their columns.
package struct PostgresRow: Sendable {
    let columns: PostgresColumns
    let values: [PostgresValue]

    /// The columns' names in order.
    package var columnNames: [String] { columns.names }

    /// A field, as the case of `PostgresValue` that its column's type has.
    /// - Throws: `PostgresError` (`decoding`) when there is no such column.
    package func value(_ column: String) throws -> PostgresValue {
        guard let place = columns.places[column] else {
            throw columns.error("there is no column \"\(column)\"; the columns are \(columns.names.joined(separator: ", "))")
        }
        return values[place]
    }

    /// A field as a Swift value: `try row.get("id", as: Int64.self)`; an optional type takes null.
    ///
    /// Where several columns have the same name, the first one is read.
    /// - Throws: `PostgresError` (`decoding`) when there is no such column, or its field is null or of another type.
    package func get<Value: PostgresDecodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        let field = try value(column)
        if let value = Value(field) { return value }
        let found =
            if case .null = field { "null" } else { PostgresType.name(columns.types[columns.places[column] ?? 0]) }
        throw columns.error("column \"\(column)\" is \(found) and cannot be read as \(Value.self)")
    }
}

/// What the rows of one result share.
final class PostgresColumns: Sendable {
    let names: [String]
    let types: [UInt32]
    let places: [String: Int]
    private let statement: String

    init(names: [String], types: [UInt32], statement: String) {
        self.names = names
        self.types = types
        self.statement = statement
        places = Dictionary(zip(names, names.indices)) { first, _ in first }
    }

    func error(_ message: String) -> PostgresError { PostgresError(.decoding, message, statement: statement) }
}
