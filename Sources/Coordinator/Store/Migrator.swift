import ContentHashing
import Migrations
package import Postgres

/// Brings a database to this version's schema, one migration after the other, each in a transaction of its own.
///
/// A lock lets only one process migrate at a time. A migration that was applied with another text is an error, because
/// released migrations never change.
package struct Migrator: Sendable {
    /// An arbitrary number that nothing else in the database locks.
    private static let lock: Int64 = 0x5350_4F4F_4C01

    private let pool: PostgresPool

    package init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Applies what is missing.
    /// - Returns: the names of the migrations that were applied now.
    /// - Throws: `FarmError`.
    package func migrate() async throws -> [String] {
        try await PostgresFarmStore(pool).translating {
            try await pool.withConnection { connection in
                _ = try await connection.query("SELECT pg_advisory_lock($1)", [.int64(Migrator.lock)])
                do {
                    let applied = try await Migrator.applyMissing(connection)
                    _ = try await connection.query("SELECT pg_advisory_unlock($1)", [.int64(Migrator.lock)])
                    return applied
                } catch {
                    // Where this fails, too, the lock ends with the session.
                    _ = try? await connection.query("SELECT pg_advisory_unlock($1)", [.int64(Migrator.lock)])
                    throw error
                }
            }
        }
    }

    /// The reason why this version cannot use the schema, and what to do; nil when it can.
    package func complaint() async throws -> String? {
        try await PostgresFarmStore(pool).translating {
            let there = try await pool.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS there")
            guard try there.first?.get("there", as: Bool.self) == true else {
                return "the database has no tables yet; run: spool migrate"
            }
            let version = try await pool.query("SELECT coalesce(max(version), 0)::bigint AS version FROM schema_migrations").first
            let found = try version?.get("version", as: Int.self) ?? 0
            let wanted = Migrations.all.last?.version ?? 0
            if found < wanted { return "the database is at version \(found), this program needs \(wanted); run: spool migrate" }
            if found > wanted { return "the database is at version \(found), newer than this program's \(wanted); update spool" }
            return nil
        }
    }

    private static func applyMissing(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
              version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
              applied_at timestamptz NOT NULL DEFAULT now())
            """)
        let rows = try await connection.query("SELECT version, checksum FROM schema_migrations")
        let known = Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("version", as: Int.self), try $0.get("checksum", as: String.self)) })
        var applied: [String] = []
        for migration in Migrations.all {
            let checksum = ContentHash.of(migration.sql.utf8)
            if let before = known[migration.version] {
                guard before == checksum else {
                    throw FarmError(
                        .conflict, "migration \(migration.version) was applied with another text than this program has")
                }
                continue
            }
            try await connection.transaction { transaction in
                try await transaction.executeScript(migration.sql)
                try await transaction.execute(
                    "INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)",
                    [.int64(Int64(migration.version)), .text(migration.name), .text(checksum)])
            }
            applied.append("\(migration.version) \(migration.name)")
        }
        return applied
    }
}
