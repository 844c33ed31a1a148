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
    public func exportsToCompile(limit: Int) async throws -> [(source: ExportSource, state: ExportState)] {
        try await query(
            """
            \(PostgresFarmStore.sourceColumns)
            WHERE state = 'submitted' OR (state = 'probing' AND NOT EXISTS (
              SELECT FROM jobs WHERE export_id = exports.id AND kind = 'probe'
                AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running')))
            ORDER BY priority DESC, number LIMIT $1
            """, [.int64(Int64(limit))]
        ).map { (try $0.source(), try $0.named("state", ExportState.self)) }
    }

    public func source(of id: ExportID) async throws -> ExportSource? {
        try await query("\(PostgresFarmStore.sourceColumns) WHERE id = $1", [.uuid(id.text)]).first.map { try $0.source() }
    }

    private static let sourceColumns = """
        SELECT id, tenant_id, pool, priority, content, parameters, settings, state
        FROM exports JOIN draft_revisions
          ON draft_revisions.draft_id = exports.draft_id AND revision = draft_revision
        """

    @discardableResult
    public func startProbing(_ id: ExportID, jobs: [(location: String, job: NewJob)]) async throws -> Bool {
        let now = Date()
        return try await transaction { transaction in
            guard let export = try await transaction.move(id, from: .submitted, to: .probing) else { return false }
            try await transaction.log(.probing, id, "looking at \(jobs.count) sources", at: now)
            var unknown: [NewJob] = []
            for (location, job) in jobs {
                let known = try await transaction.execute(
                    """
                    INSERT INTO export_sources (export_id, location, facts)
                    SELECT $1, $2, facts FROM assets
                    WHERE tenant_id = $3 AND 'asset:' || hash = $2 AND facts IS NOT NULL
                    ON CONFLICT (export_id, location) DO NOTHING
                    """, [.uuid(id.text), .text(location), .int64(export.tenant)])
                if known == 0 { unknown.append(job) }
            }
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

    public func startRendering(_ id: ExportID, jobs: [NewJob], filmKey: ArtifactKey, frameCount: Int) async throws {
        let now = Date()
        try await transaction { transaction in
            guard
                let export = try await transaction.move(
                    id, from: .probing, to: .rendering, filmKey: filmKey, frameCount: frameCount)
            else { return }
            try await transaction.log(.rendering, id, "compiled into \(jobs.count) jobs", at: now)
            let known = try await transaction.query(
                "SELECT key FROM artifacts WHERE tenant_id = $1 AND key = ANY($2)",
                [.int64(export.tenant), .textArray(jobs.map(\.key.text))]
            ).map { ArtifactKey(try $0.get("key")) }
            let there = PlannedReuse(jobs, known: Set(known))
            _ = try await transaction.pipeline(
                try jobs.map { job in
                    let reused = there.isUnneeded(job)
                    return try export.insertion(
                        of: job, state: reused ? .done : job.kind.needs.isEmpty ? .ready : .waiting, reused: reused, at: now)
                })
            _ = try await transaction.settle([id], at: now)
            try await transaction.announceWork()
        }
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
    /// Takes an export from one state to the next.
    /// - Returns: nil when it is in another one.
    fileprivate func move(
        _ id: ExportID, from: ExportState, to: ExportState, filmKey: ArtifactKey? = nil, frameCount: Int? = nil
    ) async throws -> OpenExport? {
        precondition(from.mayBecome(to), "\(from) leads to \(to)")
        let row = try await query(
            """
            UPDATE exports SET state = $3, film_key = $4, frame_count = $5 WHERE id = $1 AND state = $2
            RETURNING tenant_id, pool, priority
            """,
            [
                .uuid(id.text), .text(from.rawValue), .text(to.rawValue), .optional(filmKey) { .text($0.text) },
                .optional(frameCount) { .int64(Int64($0)) },
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
