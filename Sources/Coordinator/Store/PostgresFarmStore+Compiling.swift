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
            WITH full_tenants AS (
              SELECT id FROM tenants WHERE max_open_jobs IS NOT NULL AND (
                EXISTS (SELECT FROM exports WHERE exports.id = ANY($2::uuid[]) AND tenant_id = tenants.id)
                OR max_open_jobs <= (SELECT count(*) FROM (
                  SELECT FROM exports JOIN jobs ON jobs.export_id = exports.id
                  WHERE exports.tenant_id = tenants.id AND exports.state IN ('probing', 'rendering')
                    AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running') LIMIT max_open_jobs) AS open)))
            SELECT waiting.*, tenants.id AS tenant_id, priority > priority_cap AS is_urgent
            FROM tenants CROSS JOIN LATERAL (
              SELECT id, state, priority, number, compile_attempts FROM exports
              WHERE tenant_id = tenants.id AND state IN ('submitted', 'probing')
                AND (state = 'submitted' OR NOT EXISTS (
                  SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
                    AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running')))
                AND id <> ALL($2::uuid[])
              ORDER BY priority DESC, number
              LIMIT CASE WHEN max_open_jobs IS NULL THEN $1 ELSE 1 END) AS waiting
            WHERE tenants.id NOT IN (SELECT id FROM full_tenants)
            ORDER BY priority DESC, number
            """, [.int64(Int64(limit)), .textArray(exports.map(\.text))]
        ).map { row in
            ExportToCompile(
                id: try row.exportID("id"), tenant: try row.get("tenant_id"), state: try row.named("state", ExportState.self),
                priority: try row.get("priority"), isUrgent: try row.get("is_urgent"),
                attempts: try row.get("compile_attempts"))
        }
    }

    package func sources(of ids: [ExportID], documentBytes: Int) async throws -> [ExportSource] {
        try await query(
            """
            SELECT id, tenant_id, pool, priority, content, parameters, settings, draft_name, draft_revision FROM (
              SELECT wanted.id, place, found.*,
                sum(octet_length(content)) OVER (ORDER BY place) - octet_length(content) AS bytes_before
              FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, place) CROSS JOIN LATERAL (
                SELECT tenant_id, pool, priority, content, parameters, settings, draft_revision,
                  (SELECT name FROM drafts WHERE drafts.id = exports.draft_id) AS draft_name
                FROM exports JOIN draft_revisions
                  ON draft_revisions.draft_id = exports.draft_id AND revision = draft_revision
                WHERE exports.id = wanted.id OFFSET 0) AS found) AS listed
            WHERE bytes_before = 0 OR bytes_before < $2 ORDER BY place
            """, [.textArray(ids.map(\.text)), .int64(Int64(documentBytes))]
        ).map { try $0.source() }
    }

    package func beginCompiling(_ ids: [ExportID]) async throws -> [ExportID: Int] {
        let rows = try await write(
            """
            UPDATE exports SET compile_attempts = compile_attempts + 1 WHERE id = ANY($1::uuid[])
            RETURNING id, compile_attempts
            """, [.textArray(ids.map(\.text))]
        ).rows
        var counts: [ExportID: Int] = [:]
        for row in rows { counts[try row.exportID("id")] = try row.get("compile_attempts") }
        return counts
    }

    package func endCompiling(_ ids: [ExportID]) async throws {
        try await execute("UPDATE exports SET compile_attempts = 0 WHERE id = ANY($1::uuid[])", [.textArray(ids.map(\.text))])
    }

    package func startProbing(_ exports: [ExportProbes]) async throws -> Set<ExportID> {
        let now = self.now()
        return try await transaction { transaction in
            let moved = try await transaction.advance(
                exports.map { ($0.export, .probingBegan(sources: $0.probes.count)) }, at: now)
            let locked = Dictionary(uniqueKeysWithValues: moved.map { ($0.export.id, $0.export) })
            let begun = exports.compactMap { item in locked[item.export].map { (export: $0, probes: item.probes) } }
            var known: [Int64: [String: String]] = [:]
            for (tenant, items) in Dictionary(grouping: begun, by: \.export.tenant) {
                known[tenant] = try await transaction.knownFacts(
                    of: Set(items.flatMap(\.probes).map(\.location)).sorted(), tenant: tenant)
            }
            var found: [KnownSource] = []
            var jobs: [NewJob] = []
            var complete: Set<ExportID> = []
            for (export, probes) in begun {
                let facts = known[export.tenant] ?? [:]
                let unknown = probes.filter { facts[$0.location] == nil }
                jobs += unknown.map { NewJob(export: export, job: $0.job, isNeeded: true) }
                if unknown.isEmpty { complete.insert(export.id) }
                for probe in probes {
                    guard let facts = facts[probe.location] else { continue }
                    found.append(KnownSource(export: export.id, location: probe.location, facts: facts))
                }
            }
            try await transaction.insert(found)
            try await transaction.insert(jobs, at: now)
            return complete
        }
    }

    package func probeResults(of ids: [ExportID]) async throws -> [ExportID: [String: ProbeResult]] {
        let rows = try await query(
            "SELECT export_id, location, facts, fault FROM export_sources WHERE export_id = ANY($1::uuid[])",
            [.textArray(ids.map(\.text))])
        var results: [ExportID: [String: ProbeResult]] = [:]
        for row in rows {
            let (export, location) = (try row.exportID("export_id"), try row.get("location", as: String.self))
            if let facts = try row.get("facts", as: String?.self) {
                results[export, default: [:]][location] = .facts(try PostgresFarmStore.fromJSON(SourceFacts.self, facts))
            } else if let fault = try row.get("fault", as: String?.self) {
                results[export, default: [:]][location] = .fault(try PostgresFarmStore.fromJSON(JobFailure.self, fault))
            }
        }
        return results
    }

    package func startRendering(_ plans: [ExportPlanned]) async throws -> [JobKind: Int] {
        let now = self.now()
        return try await transaction { transaction in
            let moved = try await transaction.advance(plans.map { ($0.export, .compiled($0.plan)) }, at: now)
            let locked = Dictionary(uniqueKeysWithValues: moved.map { ($0.export.id, $0.export) })
            let begun = plans.compactMap { item in locked[item.export].map { (export: $0, plan: item.plan) } }
            var known: [Int64: Set<ArtifactKey>] = [:]
            for (tenant, items) in Dictionary(grouping: begun, by: \.export.tenant) {
                known[tenant] = try await transaction.useArtifacts(
                    Set(items.flatMap(\.plan.jobs).map(\.key)).sorted { $0.text < $1.text }, tenant: tenant, at: now)
            }
            let jobs = begun.flatMap { export, plan in
                let known = known[export.tenant] ?? []
                let needed = NeededJobs(plan.jobs, hasFilm: known.contains(plan.filmKey)) { known.contains($0) }
                return plan.jobs.map { NewJob(export: export, job: $0, isNeeded: needed.contains($0)) }
            }
            try await transaction.insert(jobs, at: now)
            _ = try await transaction.settle(begun.map(\.export.id), at: now)
            return Dictionary(grouping: jobs.filter { !$0.isNeeded }, by: \.job.kind).mapValues(\.count)
        }
    }

    package func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws {
        try await execute(
            "DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)", [.int64(tenant), .textArray(artifacts.map(\.text))])
    }
}

/// A new job of an export.
private struct NewJob: Sendable {
    var export: LockedExport
    var job: PlannedJob
    /// Whether it has to run; otherwise it is done from the start.
    var isNeeded: Bool
}

/// A new job as the statement that inserts it reads it.
private struct NewJobRow: Encodable {
    var place: Int
    var export: String
    var tenant: Int64
    var pool: String
    var priority: Int64
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

    init(place: Int, _ new: NewJob, at now: Date) {
        let job = new.job
        let life = JobLifecycle(planned: job.kind, isNeeded: new.isNeeded, at: now)
        self.place = place
        export = new.export.id.text
        tenant = new.export.tenant
        pool = new.export.pool
        priority = new.export.priority
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

/// The facts of an export's source from an earlier probe.
private struct KnownSource: Sendable {
    var export: ExportID
    var location: String
    /// JSON of `SourceFacts`.
    var facts: String
}

extension PostgresTransaction {
    /// How many jobs one statement inserts at most. It bounds the memory that their description takes.
    private static let insertedAtOnce = 500

    /// Inserts jobs in their order.
    fileprivate func insert(_ jobs: [NewJob], at now: Date) async throws {
        var rest = jobs.enumerated().map { NewJobRow(place: $0, $1, at: now) }[...]
        while !rest.isEmpty {
            try await execute(
                """
                INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority,
                  pool, state, reused, not_before, created_at, ready_at, finished_at, memory, processors, source)
                SELECT export, tenant, kind, role, ordinal, key, work, frames, weight, priority, pool, state, reused,
                  $1::timestamptz, $1::timestamptz, CASE WHEN state = 'ready' THEN $1::timestamptz END,
                  CASE WHEN state = 'done' THEN $1::timestamptz END, memory, processors, source
                FROM json_to_recordset($2::json) AS new(
                  place integer, export uuid, tenant bigint, pool text, priority integer, kind text, role text,
                  ordinal integer, key text, work jsonb, frames bigint, weight float8, state text, reused boolean,
                  memory bigint, processors float8, source bigint)
                ORDER BY new.place
                """,
                [.timestamp(now), try PostgresFarmStore.json(Array(rest.prefix(PostgresTransaction.insertedAtOnce)))])
            rest = rest.dropFirst(PostgresTransaction.insertedAtOnce)
        }
    }

    /// Notes what is known of exports' sources.
    fileprivate func insert(_ sources: [KnownSource]) async throws {
        guard !sources.isEmpty else { return }
        try await execute(
            """
            INSERT INTO export_sources (export_id, location, facts)
            SELECT export, location, facts::jsonb FROM unnest($1::uuid[], $2::text[], $3::text[]) AS new(export, location, facts)
            ON CONFLICT (export_id, location_key) DO NOTHING
            """,
            [
                .textArray(sources.map(\.export.text)), .textArray(sources.map(\.location)), .textArray(sources.map(\.facts)),
            ])
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
        let number = try get("draft_revision", as: Int.self)
        let name = try get("draft_name", as: String?.self)
        return ExportSource(
            id: try exportID("id"), tenant: try get("tenant_id"), pool: try get("pool"), priority: try get("priority"),
            document: try get("content"),
            parameters: try PostgresFarmStore.fromJSON([String: String].self, try get("parameters")),
            settings: try PostgresFarmStore.fromJSON([String: String].self, try get("settings")),
            revision: name.map { ExportSource.Revision(name: $0, number: number) })
    }
}
