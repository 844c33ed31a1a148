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
    @Test("every SQL file of the folder is among the migrations, in order and without gaps")
    func registered() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: SchemaTests.folder)
            .filter { $0.hasSuffix(".sql") && $0 != "schema.sql" }.sorted()
        let known = Migrations.all.map { migration in
            String(repeating: "0", count: 4 - "\(migration.version)".count) + "\(migration.version)_\(migration.name).sql"
        }
        #expect(files == known)
        #expect(Migrations.all.map(\.version) == Array(1...files.count))
    }

    @Test("a farm of any earlier version is migrated and keeps its rows", arguments: 1..<Migrations.all.count)
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
            try await transaction.executeScript(SchemaTests.rows)
        }
        #expect(try await Migrator(pool).migrate().count == Migrations.all.count - version)
        let store = PostgresFarmStore(pool)
        let tenant = try #require(try await store.tenants().first)
        let exports = try await store.exports(tenant: tenant.id, state: nil, limit: 10)
        #expect(exports.map(\.state) == [.rendering, .completed] && exports.allSatisfy { $0.warnings.isEmpty })
        // Stored facts have the field names of an earlier version, so the next export probes the sources again.
        let facts = try await pool.query("SELECT hash, facts FROM assets ORDER BY hash")
        #expect(try facts.map { try $0.get("facts", as: String?.self) == nil } == [true, true])
        // An export that was under way goes on.
        let rendering = try #require(exports.first)
        let job = try #require(try await store.jobs(JobFilter(export: rendering.id, state: .ready)).first)
        #expect(job.kind == .stitch)
        await pool.close()
    }

    /// The rows: a finished export, an export that waits for its stitch, a film probed without packet facts, and a
    /// sound.
    private static let rows = """
        INSERT INTO tenants (name) VALUES ('studio');
        INSERT INTO drafts (tenant_id) VALUES (1);
        INSERT INTO draft_revisions (draft_id, revision, content) VALUES (1, 1, '{}');
        INSERT INTO exports (id, tenant_id, draft_id, draft_revision, label, parameters, settings, priority, pool, state,
          film_key, frame_count, finished_at) VALUES
          ('00000000-0000-4000-8000-000000000001', 1, 1, 1, 'old', '{}', '{}', 0, 'default', 'completed', 'aa', 30, now()),
          ('00000000-0000-4000-8000-000000000002', 1, 1, 1, 'new', '{}', '{}', 0, 'default', 'rendering', 'bb', 30, NULL);
        INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool, state,
          ready_at) VALUES
          ('00000000-0000-4000-8000-000000000002', 1, 'stitch', 'stitch', 0, 'bb', '{}', 30, 1, 0, 'default', 'ready', now());
        INSERT INTO export_sources (export_id, location, facts) VALUES
          ('00000000-0000-4000-8000-000000000002', '/media/a.mp4', '{"container": "mp4", "video": {"isStill": false}}');
        INSERT INTO assets (tenant_id, hash, name, byte_count, facts) VALUES
          (1, repeat('a', 64), 'a.mp4', 10, '{"container": "mp4", "video": {"isStill": false, "pixelFormat": "yuv420p"}}'),
          (1, repeat('b', 64), 'b.mp3', 10, '{"container": "mp3"}');
        INSERT INTO artifacts (tenant_id, key, kind) VALUES (1, 'aa', 'stitch');
        """

    private static var folder: String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.path + "/migrations"
    }

    @Test("the migrations make the schema in migrations/schema.sql, and a second run changes nothing")
    func schema() async throws {
        let database = try await PostgresServer.shared().makeDatabase()
        let pool = PostgresPool(PostgresConfiguration(database), limit: 1)
        #expect(try await Migrator(pool).complaint()?.contains("spool migrate") == true)
        #expect(
            try await Migrator(pool).migrate() == [
                "1 farm", "2 job_logs_and_indexes", "3 animated_pictures", "4 bitrate_jobs", "5 light_metadata",
                "6 recordings", "7 packet_facts", "8 warnings", "9 farm_identity", "10 compile_attempts", "11 words",
                "12 lead",
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
}
