import Coordinator
import Postgres
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The database that the migrations make is the one that is committed: a change of the schema shows in a review.
@Suite struct SchemaTests {
    @Test("the migrations make the schema in migrations/schema.sql, and a second run changes nothing")
    func schema() async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        #expect(try await Migrator(pool).complaint()?.contains("spool migrate") == true)
        #expect(
            try await Migrator(pool).migrate() == [
                "1 farm", "2 job_logs_and_indexes", "3 animated_pictures", "4 bitrate_jobs", "5 light_metadata",
                "6 recordings",
            ])
        #expect(try await Migrator(pool).migrate() == [])
        #expect(try await Migrator(pool).complaint() == nil)
        let dump = try await ShellTool.run(
            """
            set -o pipefail
            $(ls -d /usr/lib/postgresql/*/bin | tail -1)/pg_dump --schema-only --no-owner --no-privileges '\(database)' \\
              | grep -vE '^(--|SET |SELECT pg_catalog|\\\\restrict|\\\\unrestrict)' | cat -s
            """)
        try #require(dump.status == 0, "\(dump.errors)")
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.path + "/migrations/schema.sql"
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(dump.output.utf8).write(to: URL(fileURLWithPath: file))
            Issue.record("recorded \(file); read the difference and run again without SPOOL_RECORD_SNAPSHOTS")
        }
        #expect(dump.output == (try String(contentsOfFile: file, encoding: .utf8)))
    }
}
