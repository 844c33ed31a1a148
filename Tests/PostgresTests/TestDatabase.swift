import Postgres
import TestSupport
import Testing

/// A new database on the shared server.
struct TestDatabase {
    let url: String
    let name: String

    init() async throws {
        url = try await PostgresServer.shared().makeDatabase()
        name = String(url.split(separator: "/").last ?? "")
    }

    var configuration: PostgresConfiguration { PostgresConfiguration(url) }

    func connect() async throws -> PostgresConnection { try await PostgresConnection.connect(configuration) }
}

extension PostgresQuerying {
    /// The first field of the first row of a statement.
    func value<Value: PostgresDecodable>(
        _ statement: String, _ parameters: [PostgresValue] = [], as type: Value.Type = Value.self
    ) async throws -> Value {
        let row = try #require(try await query(statement, parameters).first)
        return try row.get(try #require(row.columnNames.first), as: type)
    }

    /// Runs a statement again and again until its result is true.
    func wait(until condition: String, _ parameters: [PostgresValue] = []) async throws {
        while try await !value("SELECT (\(condition)) AS holds", parameters, as: Bool.self) { try await nextLook() }
    }

    /// Waits until so many statements of this database wait for an event of the server, `PgSleep` or `advisory`. Such a
    /// statement is being executed, and not only prepared.
    func wait(forWaiting event: String, count: Int = 1) async throws {
        try await wait(
            until: """
                SELECT count(*) = $1 FROM pg_stat_activity
                WHERE state = 'active' AND datname = current_database() AND wait_event = $2
                """, [.int64(Int64(count)), .text(event)])
    }

    /// Ends other connections of this database, and waits until they are gone.
    func terminate(_ condition: String = "true") async throws {
        try await execute(
            """
            SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND datname = current_database() AND \(condition)
            """)
    }
}

/// A place where a given number of tasks meet before any of them goes on.
actor MeetingPoint {
    private let count: Int
    private var arrived: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        self.count = count
    }

    func meet() async {
        await withCheckedContinuation { continuation in
            arrived.append(continuation)
            guard arrived.count == count else { return }
            for waiting in arrived { waiting.resume() }
            arrived = []
        }
    }
}
