import FarmAPI
import ContentHashing
import Coordinator
import ExportPlan
import JobQueue
import Migrations
import Postgres
import TestSupport
import Testing
import FoundationEssentials

/// The database that the migrations make is the one that is committed, so that a review shows a change of the schema.
@Suite struct SchemaTests {
    @Test("every SQL file of the folder is among the migrations, in rising order")
    func registered() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: SchemaTests.folder)
            .filter { $0.hasSuffix(".sql") && $0 != "schema.sql" }.sorted()
        let known = Migrations.all.map { migration in
            String(repeating: "0", count: 4 - "\(migration.version)".count) + "\(migration.version)_\(migration.name).sql"
        }
        #expect(files == known)
        let versions = Migrations.all.map(\.version)
        #expect(versions.first == 1 && zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// The rows have field names from before migration 12, which renames them.
    @Test("a farm of an earlier version is migrated and keeps its rows", arguments: 1..<12)
    func upgrade(from version: Int) async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 2)
        let script = Migrations.all.prefix(version).map { migration in
            migration.sql
                + "\nINSERT INTO schema_migrations VALUES (\(migration.version), '\(migration.name)', "
                + "'\(ContentHash.of(migration.sql.utf8))', now());"
        }
        try await pool.transaction { transaction in
            try await transaction.executeScript(
                "CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, "
                    + "applied_at timestamptz NOT NULL DEFAULT now());" + script.joined(separator: "\n"))
            try await transaction.executeScript(EarlierRows.sql)
        }
        #expect(try await Migrator(pool).migrate().count == Migrations.all.count - version)
        let store = PostgresFarmStore(pool)
        let tenant = try #require(try await store.tenants().first)
        let exports = try await store.exports(ExportFilter(tenant: tenant.id, state: nil, limit: 10))
        #expect(exports.map(\.state) == [.submitted, .rendering, .completed] && exports.allSatisfy { $0.warnings.isEmpty })
        // Stored facts have the field names of an earlier version, so the next export probes the sources again.
        let facts = try await pool.query("SELECT hash, facts FROM assets ORDER BY hash")
        #expect(try facts.map { try $0.get("facts", as: String?.self) == nil } == [true, true])
        // An export whose sources were being probed begins again.
        let probing = try #require(exports.first)
        #expect(try await store.jobs(JobFilter(export: probing.id)).isEmpty)
        #expect(try await store.exportsToCompile(limit: 10).map(\.source.id) == [probing.id])
        #expect(try await store.probeResults(of: probing.id).isEmpty)
        // An export that was under way goes on.
        let rendering = exports[1]
        let job = try #require(try await store.jobs(JobFilter(export: rendering.id, state: .ready)).first)
        #expect(job.kind == .stitch)
        try await checkNames(pool)
        await pool.close()
    }

    /// Expects that the facts and jobs of the export that is being rendered have this version's field names.
    private func checkNames(_ pool: PostgresPool) async throws {
        let facts = try await pool.query("SELECT facts FROM export_sources ORDER BY location")
        #expect(
            try facts.map { try $0.get("facts", as: String.self) } == [
                #"{"audio": {"declaredDuration": 4}, "video": {"hdrMetadata": {"contentLight": {"maxContent": 1}}, "#
                    + #""declaredDuration": "7/2", "isAnimatedPicture": false}, "version": 5, "container": "mp4"}"#,
                #"{"version": 5, "container": "srt", "auxiliaryKind": "captions"}"#,
            ])
        let work = try await pool.query("SELECT work FROM jobs ORDER BY kind")
        #expect(
            try work.map { try $0.get("work", as: String.self) } == [
                #"{"inputs": [{"timeStretch": {"pitch": 0, "speedRanges": [{"sampleCount": 1}]}}, "#
                    + #"{"varispeed": [{"sampleCount": 1}]}]}"#,
                // The title of a film is no field of the plan.
                #"{"copied": {"ranges": [{"source": "a"}]}, "#
                    + #""metadata": {"light": "x", "title": "\"light\": {\"contentLight\": "}, "#
                    + #""hdrMetadata": {"contentLight": {"maxContent": 1}}}"#,
                #"{"color": {"hdrMetadata": {"masteringDisplay": {}}}}"#,
            ])
    }

    private static var folder: String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.path + "/migrations"
    }

    @Test("the migrations make the schema in migrations/schema.sql, and a second run changes nothing")
    func schema() async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        #expect(try await Migrator(pool).complaint() == "the database has no tables yet; run: spool migrate")
        #expect(
            try await Migrator(pool).migrate() == [
                "1 farm", "2 job_logs_and_indexes", "3 animated_pictures", "4 bitrate_jobs", "5 light_metadata",
                "6 recordings", "7 packet_facts", "8 warnings", "9 farm_identity", "10 compile_attempts", "11 words",
                "12 field_names", "13 lead", "14 history", "15 queue_counts", "16 cost_models", "17 job_demand",
                "18 priority_cap", "19 placement", "20 fewer_indexes", "21 faults", "22 remote_sources",
                "23 backlog", "24 export_tags", "25 batches", "26 webhooks", "27 publications", "28 batch_webhooks",
                "29 removed_films", "30 keyed_answers", "31 worker_tokens", "32 pictures",
                "33 interlaced_sources", "34 streams", "35 picture_profiles", "36 dead_letters", "37 token_life", "38 admin_log",
                "39 quotas", "40 job_quota", "41 farm_store", "42 urgent_exports",
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
        let file = SchemaTests.folder + "/schema.sql"
        if ProcessInfo.processInfo.environment["SPOOL_RECORD_SNAPSHOTS"] == "1" {
            try Data(dump.output.utf8).write(to: URL(fileURLWithPath: file))
            Issue.record("recorded \(file); read the difference and run again without SPOOL_RECORD_SNAPSHOTS")
        }
        #expect(dump.output == (try String(contentsOfFile: file, encoding: .utf8)))
    }

    @Test("a database of an earlier or a later version, or with another migration, is refused with what to do")
    func versions() async throws {
        let pool = PostgresPool(PostgresConfiguration(try await PostgresServer.shared().makeDatabase()), limit: 1)
        _ = try await Migrator(pool).migrate()
        let last = try #require(Migrations.all.last?.version)
        try await pool.execute("UPDATE schema_migrations SET checksum = 'x' WHERE version = \(last)")
        let other = await #expect(throws: FarmError.self) { _ = try await Migrator(pool).migrate() }
        #expect(other?.message == "migration \(last) was applied with another text than this program has")
        try await pool.execute("DELETE FROM schema_migrations WHERE version = \(last)")
        #expect(
            try await Migrator(pool).complaint()
                == "the database is at version \(last - 1), this program needs \(last); run: spool migrate")
        try await pool.execute("INSERT INTO schema_migrations (version, name, checksum) VALUES (\(last + 1), 'new', 'x')")
        #expect(
            try await Migrator(pool).complaint()
                == "the database is at version \(last + 1), newer than this program's \(last); update spool")
        await pool.close()
    }
}
