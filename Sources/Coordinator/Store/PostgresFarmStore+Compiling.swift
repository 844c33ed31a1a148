package import FarmAPI
package import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

/// An export from acceptance until it is compiled.
extension PostgresFarmStore {
    package func exportsToCompile(
        ofEachTenant limit: Int, besides exports: Set<ExportID>
    ) async throws -> [ExportToCompile] {
        try await query(
            """
            SELECT id, tenant_id, state FROM (
              SELECT id, tenant_id, state, priority, number,
                row_number() OVER (PARTITION BY tenant_id ORDER BY priority DESC, number) AS place
              FROM exports
              WHERE (state = 'submitted' OR (state = 'probing' AND NOT EXISTS (
                SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
                  AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running'))))
                AND id <> ALL($2::uuid[])) AS waiting
            WHERE place <= $1 ORDER BY priority DESC, number
            """, [.int64(Int64(limit)), .textArray(exports.map(\.text))]
        ).map { row in
            ExportToCompile(
                id: try row.exportID("id"), tenant: try row.get("tenant_id"), state: try row.named("state", ExportState.self))
        }
    }

    package func source(of id: ExportID) async throws -> ExportSource? {
        try await query("\(PostgresFarmStore.sourceColumns) WHERE id = $1", [.uuid(id.text)]).first.map { try $0.source() }
    }

    private static let sourceColumns = """
        SELECT id, tenant_id, pool, priority, content, parameters, settings
        FROM exports JOIN draft_revisions
          ON draft_revisions.draft_id = exports.draft_id AND revision = draft_revision
        """

    package func beginCompiling(_ id: ExportID) async throws -> Int {
        try await write(
            "UPDATE exports SET compile_attempts = compile_attempts + 1 WHERE id = $1 RETURNING compile_attempts",
            [.uuid(id.text)]
        ).rows.first?.get("compile_attempts") ?? 0
    }

    package func endCompiling(_ id: ExportID) async throws {
        try await execute("UPDATE exports SET compile_attempts = 0 WHERE id = $1", [.uuid(id.text)])
    }

    @discardableResult
    package func startProbing(_ id: ExportID, jobs: [(location: String, job: PlannedJob)]) async throws -> Bool {
        let now = self.now()
        return try await transaction { transaction in
            guard let export = try await transaction.advance(id, .probingBegan(sources: jobs.count), at: now)?.export else {
                return false
            }
            let known = try await transaction.knownFacts(of: jobs.map(\.location), tenant: export.tenant)
            _ = try await transaction.pipeline(
                known.map { location, facts in
                    PostgresStatement(
                        """
                        INSERT INTO export_sources (export_id, location, facts) VALUES ($1, $2, $3)
                        ON CONFLICT (export_id, location_key) DO NOTHING
                        """, [.uuid(id.text), .text(location), .json(facts)])
                })
            let unknown = jobs.filter { known[$0.location] == nil }.map(\.job)
            try await transaction.insert(unknown, of: export, at: now) { _ in true }
            return unknown.isEmpty
        }
    }

    package func probeResults(of id: ExportID) async throws -> [String: ProbeResult] {
        let rows = try await query(
            "SELECT location, facts, fault FROM export_sources WHERE export_id = $1", [.uuid(id.text)])
        return Dictionary(
            uniqueKeysWithValues: try rows.compactMap { row in
                let location = try row.get("location", as: String.self)
                if let facts = try row.get("facts", as: String?.self) {
                    return (location, .facts(try PostgresFarmStore.fromJSON(SourceFacts.self, facts)))
                }
                if let fault = try row.get("fault", as: String?.self) {
                    return (location, .fault(try PostgresFarmStore.fromJSON(JobFailure.self, fault)))
                }
                return nil
            })
    }

    package func startRendering(_ id: ExportID, _ plan: PlannedExport) async throws {
        let now = self.now()
        try await transaction { transaction in
            guard let export = try await transaction.advance(id, .compiled(plan), at: now)?.export else { return }
            let known = try await transaction.useArtifacts(plan.jobs.map(\.key), tenant: export.tenant, at: now)
            let needed = NeededJobs(plan.jobs, hasFilm: known.contains(plan.filmKey)) { known.contains($0) }
            try await transaction.insert(plan.jobs, of: export, at: now) { needed.contains($0) }
            _ = try await transaction.settle([id], at: now)
        }
    }

    package func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws {
        try await execute(
            "DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)", [.int64(tenant), .textArray(artifacts.map(\.text))])
    }
}

/// A new job as the statement that inserts it reads it.
private struct NewJobRow: Encodable {
    var place: Int
    var kind: JobKind
    var role: WorkerRole
    var ordinal: Int
    var key: String
    var work: RenderJob
    var frames: Int
    var weight: Double
    var state: JobState
    var reused: Bool
    var memory: Int64
    var processors: Double
    var source: Int64

    init(place: Int, _ job: PlannedJob, _ life: JobLifecycle) {
        self.place = place
        kind = job.kind
        role = job.kind.role
        ordinal = job.ordinal
        key = job.key.text
        work = job.work
        frames = job.frameCount
        weight = job.weight
        state = life.state
        reused = life.reused
        memory = job.demand.memory
        processors = job.demand.processors
        source = job.source
    }
}

extension PostgresTransaction {
    /// How many jobs one statement inserts at most. It bounds the memory that their description takes.
    private static let insertedAtOnce = 500

    /// Inserts the jobs of an export in their order.
    /// - Parameter isNeeded: whether a job has to run; otherwise it is done from the start.
    fileprivate func insert(
        _ jobs: [PlannedJob], of export: LockedExport, at now: Date, isNeeded: (PlannedJob) -> Bool
    ) async throws {
        var rest = jobs.enumerated().map { place, job in
            NewJobRow(place: place, job, JobLifecycle(planned: job.kind, isNeeded: isNeeded(job), at: now))
        }[...]
        while !rest.isEmpty {
            try await execute(
                """
                INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority,
                  pool, state, reused, not_before, created_at, ready_at, finished_at, memory, processors, source)
                SELECT $1, $2, kind, role, ordinal, key, work, frames, weight, $3, $4, state, reused, $5::timestamptz,
                  $5::timestamptz, CASE WHEN state = 'ready' THEN $5::timestamptz END,
                  CASE WHEN state = 'done' THEN $5::timestamptz END, memory, processors, source
                FROM json_to_recordset($6::json) AS new(
                  place integer, kind text, role text, ordinal integer, key text, work jsonb, frames bigint, weight float8,
                  state text, reused boolean, memory bigint, processors float8, source bigint)
                ORDER BY new.place
                """,
                [
                    .uuid(export.id.text), .int64(export.tenant), .int64(export.priority), .text(export.pool), .timestamp(now),
                    try PostgresFarmStore.json(Array(rest.prefix(PostgresTransaction.insertedAtOnce))),
                ])
            rest = rest.dropFirst(PostgresTransaction.insertedAtOnce)
        }
    }

    /// Facts from earlier probes of assets, as JSON. Facts that another version stored in another format are forgotten,
    /// and their assets are probed again.
    fileprivate func knownFacts(of locations: [String], tenant: Int64) async throws -> [String: String] {
        var known: [String: String] = [:]
        let hashes = locations.compactMap { AssetLocation.hash(of: $0) }
        for row in try await query(
            "SELECT hash, facts FROM assets WHERE tenant_id = $1 AND hash = ANY($2) AND facts IS NOT NULL",
            [.int64(tenant), .textArray(hashes)])
        {
            let hash = try row.get("hash", as: String.self)
            let facts = try row.get("facts", as: String.self)
            do {
                _ = try PostgresFarmStore.fromJSON(SourceFacts.self, facts)
                known[AssetLocation.location(of: hash)] = facts
            } catch {
                try await execute(
                    "UPDATE assets SET facts = NULL WHERE tenant_id = $1 AND hash = $2", [.int64(tenant), .text(hash)])
            }
        }
        return known
    }
}

extension PostgresRow {
    fileprivate func source() throws -> ExportSource {
        ExportSource(
            id: try exportID("id"), tenant: try get("tenant_id"), pool: try get("pool"), priority: try get("priority"),
            document: try get("content"),
            parameters: try PostgresFarmStore.fromJSON([String: String].self, try get("parameters")),
            settings: try PostgresFarmStore.fromJSON([String: String].self, try get("settings")))
    }
}
