/// The statements that a session has prepared, up to a limit. Beyond it, the statement that was not used for longest is
/// removed.
package struct PreparedStatements {
    /// The same text with parameters of other types is another statement.
    package struct Key: Hashable {
        let statement: String
        let types: [UInt32]

        package init(statement: String, types: [UInt32]) {
            self.statement = statement
            self.types = types
        }
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    package let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private var namesGiven = 0

    /// - Parameter limit: at least 1.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The name of a statement that was added before.
    package mutating func name(of key: Key) -> String? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    /// A name that no statement of the session has had.
    package mutating func newName() -> String {
        namesGiven += 1
        return "spool_\(namesGiven)"
    }

    /// Adds a statement that the server has prepared.
    /// - Returns: the name of the statement that was removed to make room; nil where none was.
    package mutating func add(_ key: Key, name: String) -> String? {
        var leaving: String?
        if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            leaving = oldest.value.name
        }
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
        return leaving
    }

    package mutating func remove(_ key: Key) { entries[key] = nil }

    package var count: Int { entries.count }
}
