public import ExportPlan
import JobQueue
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The leader's way with an export, from accepted to compiled.
extension PostgresFarmStore {
    public func exportsToCompile(
        limit: Int, besides tenants: Set<Int64>, _ exports: Set<ExportID>, served: [Int64]
    ) async throws -> [ExportToCompile] {
        try await query(
            """
            SELECT id, tenant_id, state FROM exports
            WHERE (state = 'submitted' OR (state = 'probing' AND NOT EXISTS (
              SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
                AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running'))))
              AND tenant_id <> ALL($2) AND id <> ALL($3::uuid[])
            ORDER BY coalesce(array_position($4, tenant_id), 0), priority DESC, number LIMIT $1
            """, [.int64(Int64(limit)), .int64Array(tenants.sorted()), .textArray(exports.map(\.text)), .int64Array(served)]
        ).map { row in
            ExportToCompile(
                id: try row.exportID("id"), tenant: try row.get("tenant_id"), state: try row.named("state", ExportState.self))
        }
    }

    public func source(of id: ExportID) async throws -> ExportSource? {
        try await query("\(PostgresFarmStore.sourceColumns) WHERE id = $1", [.uuid(id.text)]).first.map { try $0.source() }
    }

    private static let sourceColumns = """
        SELECT id, tenant_id, pool, priority, content, parameters, settings
        FROM exports JOIN draft_revisions
          ON draft_revisions.draft_id = exports.draft_id AND revision = draft_revision
        """

    @discardableResult
    public func startProbing(_ id: ExportID, jobs: [(location: String, job: NewJob)]) async throws -> Bool {
        let now = Date()
        return try await transaction { transaction in
            guard let export = try await transaction.move(id, from: .submitted, to: .probing) else { return false }
            try await transaction.log(.probing, id, "looking at \(jobs.count) sources", at: now)
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
            _ = try await transaction.pipeline(
                try unknown.map { try export.insertion(of: $0, state: .ready, reused: false, at: now) })
            try await transaction.announceWork()
            return unknown.isEmpty
        }
    }

    public func findings(of id: ExportID) async throws -> [String: SourceFinding] {
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

    public func startRendering(_ id: ExportID, _ plan: PlannedExport) async throws {
        let now = Date()
        try await transaction { transaction in
            guard let export = try await transaction.move(id, from: .probing, to: .rendering, plan) else { return }
            try await transaction.log(.rendering, id, "compiled into \(plan.jobs.count) jobs", at: now)
            let known = try await transaction.query(
                "SELECT key FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)",
                [.int64(export.tenant), .textArray(plan.jobs.map(\.key.text))]
            ).map { ArtifactKey(try $0.get("key")) }
            let there = PlannedReuse(plan.jobs, known: Set(known))
            _ = try await transaction.pipeline(
                try plan.jobs.map { job in
                    let reused = there.isUnneeded(job)
                    return try export.insertion(
                        of: job, state: reused ? .done : job.kind.needs.isEmpty ? .ready : .waiting, reused: reused, at: now)
                })
            _ = try await transaction.settle([id], at: now)
            try await transaction.announceWork()
        }
    }

    public func forget(_ artifacts: [ArtifactKey], tenant: Int64) async throws {
        try await execute(
            "DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)", [.int64(tenant), .textArray(artifacts.map(\.text))])
    }
}

/// What new jobs take over from their export.
private struct OpenExport: Sendable {
    var id: ExportID
    var tenant: Int64
    var pool: String
    var priority: Int64

    func insertion(of job: NewJob, state: JobState, reused: Bool, at now: Date) throws -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO jobs (export_id, tenant_id, kind, role, ordinal, artifact_key, work, frame_count, weight, priority, pool,
              state, reused, not_before, created_at, ready_at, finished_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15, $16)
            """,
            [
                .uuid(id.text), .int64(tenant), .text(job.kind.rawValue), .text(job.kind.role.rawValue),
                .int64(Int64(job.ordinal)), .text(job.key.text), try PostgresFarmStore.json(job.work),
                .int64(Int64(job.frameCount)), .double(job.weight), .int64(priority), .text(pool),
                .text(state.rawValue), .bool(reused), .timestamp(now), state == .ready ? .timestamp(now) : .null,
                state == .done ? .timestamp(now) : .null,
            ])
    }
}

extension PostgresTransaction {
    /// What earlier probes found out about assets, as JSON. Facts that another version wrote in its own words are forgotten:
    /// their assets are probed again.
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

    /// Takes an export from one state to the next.
    /// - Returns: nil when it is in another one.
    fileprivate func move(
        _ id: ExportID, from: ExportState, to: ExportState, _ plan: PlannedExport? = nil
    ) async throws -> OpenExport? {
        precondition(from.mayBecome(to), "\(from) leads to \(to)")
        let row = try await query(
            """
            UPDATE exports SET state = $3, film_key = $4, frame_count = $5, warnings = coalesce($6, warnings),
              source_places = coalesce($7, source_places)
            WHERE id = $1 AND state = $2 RETURNING tenant_id, pool, priority
            """,
            [
                .uuid(id.text), .text(from.rawValue), .text(to.rawValue), .optional(plan) { .text($0.filmKey.text) },
                .optional(plan) { .int64(Int64($0.frameCount)) },
                try plan.map { try PostgresFarmStore.json($0.warnings) } ?? .null,
                try plan.map { try PostgresFarmStore.json($0.places) } ?? .null,
            ]
        ).first
        return try row.map {
            OpenExport(id: id, tenant: try $0.get("tenant_id"), pool: try $0.get("pool"), priority: try $0.get("priority"))
        }
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
