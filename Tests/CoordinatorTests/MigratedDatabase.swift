import Coordinator
import Postgres
import TestSupport

/// Databases with the farm's schema. The migrations run once; each database is a copy of what they made.
enum MigratedDatabase {
    private static let template = Task {
        let url = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(url), limit: 1)
        _ = try await Migrator(pool).migrate()
        // A database that is connected to cannot be copied.
        await pool.close()
        return url
    }

    /// - Returns: the URL of a database that no other test uses.
    static func make() async throws -> String {
        try await PostgresServer.shared().makeDatabase(copying: try await template.value)
    }
}
