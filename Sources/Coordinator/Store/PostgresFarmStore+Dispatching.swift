package import FarmAPI
import ExportPlan
package import JobQueue
import Postgres
package import FoundationEssentials

/// The dispatch of ready jobs.
extension PostgresFarmStore {
    package func candidates(role: WorkerRole, perExport: Int, at now: Date) async throws -> [DispatchCandidate] {
        // The recursion steps from export to export along the index jobs_ready, so that the cost does not depend on how
        // many jobs each export has.
        try await query(
            """
            WITH RECURSIVE queued(export_id) AS (
              (SELECT export_id FROM jobs WHERE state = 'ready' AND role = $1 ORDER BY export_id LIMIT 1)
              UNION ALL
              SELECT (SELECT jobs.export_id FROM jobs
                      WHERE state = 'ready' AND role = $1 AND jobs.export_id > queued.export_id
                      ORDER BY jobs.export_id LIMIT 1)
              FROM queued WHERE queued.export_id IS NOT NULL)
            SELECT next.*, (SELECT number FROM exports WHERE exports.id = next.export_id) AS number
            FROM queued CROSS JOIN LATERAL (
              SELECT id, kind, jobs.tenant_id, export_id, ordinal, artifact_key, jobs.pool, jobs.priority, weight, ready_at,
                not_before, excluded_workers
              FROM jobs WHERE jobs.state = 'ready' AND role = $1 AND export_id = queued.export_id AND not_before <= $3
                AND NOT EXISTS (
                  SELECT FROM jobs AS other WHERE other.tenant_id = jobs.tenant_id
                    AND other.artifact_key = jobs.artifact_key AND other.state IN ('dispatched', 'running'))
              ORDER BY weight DESC, ordinal LIMIT $2) AS next
            """, [.text(role.rawValue), .int64(Int64(perExport)), .timestamp(now)]
        ).map { try $0.readyJob(at: now).candidate }
    }

    /// The columns that `PostgresRow.readyJob` reads, for statements that change jobs.
    static let readyColumns = """
        jobs.id, jobs.kind, jobs.tenant_id, jobs.export_id, jobs.ordinal, jobs.artifact_key, jobs.pool, jobs.priority,
        jobs.weight, jobs.ready_at, jobs.not_before, jobs.excluded_workers,
        (SELECT number FROM exports WHERE exports.id = jobs.export_id) AS number
        """

    package func loads() async throws -> (tenants: [Int64: TenantLoad], exports: [ExportID: Double]) {
        let rows = try await query(
            """
            SELECT jobs.tenant_id, tenants.weight AS share, export_id, sum(jobs.weight) AS seconds
            FROM jobs JOIN tenants ON tenants.id = jobs.tenant_id
            WHERE state IN ('dispatched', 'running') GROUP BY 1, 2, 3
            """)
        // Tenants without jobs in flight are listed, too, because their shares count.
        var tenants = Dictionary(
            uniqueKeysWithValues: try await self.tenants().map { ($0.id, TenantLoad(share: $0.weight, inFlight: 0)) })
        var exports: [ExportID: Double] = [:]
        for row in rows {
            let seconds = try row.get("seconds", as: Double.self)
            let share = try row.get("share", as: Int.self)
            tenants[try row.get("tenant_id"), default: TenantLoad(share: share, inFlight: 0)].inFlight += seconds
            exports[try row.exportID("export_id"), default: 0] += seconds
        }
        return (tenants, exports)
    }

    package func dispatch(_ jobs: [Int64], at now: Date) async throws -> [JobTicket] {
        guard !jobs.isEmpty else { return [] }
        let dispatchable = JobLifecycle.states(changedBy: .dispatched).sqlList
        let order = Dictionary(jobs.enumerated().map { ($1, $0) }) { first, _ in first }
        let known = references
        let tickets = try await transaction { transaction in
            let rows = try await transaction.query(
                """
                UPDATE jobs SET state = 'dispatched', attempt = attempt + 1, worker = NULL, dispatched_at = $2, started_at = NULL
                WHERE state IN (\(dispatchable)) AND id IN (
                  SELECT DISTINCT ON (wanted.tenant_id, wanted.artifact_key) wanted.id FROM (
                    SELECT id, tenant_id, artifact_key FROM jobs WHERE id = ANY($1) AND state IN (\(dispatchable))
                    ORDER BY id FOR UPDATE) AS wanted
                  ORDER BY wanted.tenant_id, wanted.artifact_key, array_position($1, wanted.id))
                AND NOT EXISTS (
                  SELECT FROM jobs AS other WHERE other.tenant_id = jobs.tenant_id
                    AND other.artifact_key = jobs.artifact_key AND other.state IN ('dispatched', 'running'))
                RETURNING id, attempt, kind, tenant_id, export_id, pool, artifact_key, frame_count, work
                """, [.int64Array(jobs), .timestamp(now)])
            try await transaction.addAttempts(at: try rows.map { try $0.get("id", as: Int64.self) }, at: now)
            let references = try await transaction.references(of: rows, known)
            var tickets: [JobTicket] = []
            for row in rows {
                do {
                    tickets.append(try row.ticket(references))
                } catch {
                    try await transaction.setAside(row, error, at: now)
                }
            }
            return tickets
        }
        return tickets.sorted { order[$0.job, default: 0] < order[$1.job, default: 0] }
    }

    package func inFlight() async throws -> [(id: AttemptID, dispatchedAt: Date)] {
        try await query(
            "SELECT id, attempt, dispatched_at FROM jobs WHERE state IN ('dispatched', 'running') ORDER BY id"
        ).map { row in
            (AttemptID(job: try row.get("id"), attempt: try row.get("attempt")), try row.get("dispatched_at"))
        }
    }

    package func laneLoads() async throws -> [JobLane: LaneLoad] {
        let wholeFilm = JobWeight.wholeFilmKinds.map { $0.rawValue }.sorted()
        let rows = try await query(
            """
            SELECT role, pool, count(*) AS jobs, count(*) FILTER (WHERE kind = ANY($1) AND weight > $2) AS long
            FROM jobs WHERE state IN ('dispatched', 'running') GROUP BY role, pool
            """, [.textArray(wholeFilm), .double(JobWeight.long)])
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (
                    JobLane(try row.named("role", WorkerRole.self), pool: try row.get("pool")),
                    LaneLoad(jobs: try row.get("jobs"), long: try row.get("long"))
                )
            })
    }

    package func runningJobs() async throws -> [String: Int] {
        let rows = try await query(
            "SELECT worker, count(*) AS jobs FROM jobs WHERE state = 'running' AND worker IS NOT NULL GROUP BY worker")
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("worker"), try $0.get("jobs")) })
    }

    package func readyRoles() async throws -> Set<WorkerRole> {
        let rows = try await query(
            """
            SELECT wanted.role FROM unnest($1::text[]) AS wanted(role)
            WHERE EXISTS (SELECT FROM jobs WHERE jobs.role = wanted.role AND state = 'ready')
            """, [.textArray(WorkerRole.allCases.map(\.rawValue))])
        return Set(try rows.map { try $0.named("role", WorkerRole.self) })
    }
}

/// The sources of each export by content hash, with their locations; or the error where they cannot be read.
private typealias References = [ExportID: Result<[String: SourceReference], any Error>]

extension PostgresTransaction {
    /// The sources of the exports of dispatched jobs, which are read and decoded once for each export.
    ///
    /// Jobs other than probes exist only once their export is compiled. From then on its source facts never change, so
    /// what was read once stays true. A probe's ticket has no sources.
    fileprivate func references(of jobs: [PostgresRow], _ cache: ReferenceCache) async throws -> References {
        var exports: Set<ExportID> = []
        for job in jobs where try job.named("kind", JobKind.self) != .probe { exports.insert(try job.exportID("export_id")) }
        let cached = cache.references(of: exports)
        let missing = exports.subtracting(cached.keys)
        guard !missing.isEmpty else { return cached.mapValues { .success($0) } }
        var read: References = Dictionary(uniqueKeysWithValues: missing.map { ($0, .success([:])) })
        // The same bytes may have several locations. The first in order is taken, so that a ticket does not depend on
        // chance.
        let rows = try await query(
            """
            SELECT export_id, location, facts FROM export_sources WHERE export_id = ANY($1::uuid[]) AND facts IS NOT NULL
            ORDER BY location DESC
            """, [.textArray(missing.map(\.text))])
        for row in rows {
            let export = try row.exportID("export_id")
            let others = read[export] ?? .success([:])
            read[export] = Result {
                var known = try others.get()
                let facts = try PostgresFarmStore.fromJSON(SourceFacts.self, try row.get("facts"))
                known[facts.contentHash] = SourceReference(facts: facts, path: try row.get("location"))
                return known
            }
        }
        for case (let export, .success(let references)) in read { cache.add(references, of: export) }
        return read.merging(cached.mapValues { .success($0) }) { new, _ in new }
    }

    /// Fails the export of a dispatched job that cannot be read, so that the job does not block all others.
    fileprivate func setAside(_ row: PostgresRow, _ error: any Error, at now: Date) async throws {
        let job = try row.get("id", as: Int64.self)
        let message = "job \(job) was stored by another version of spool and cannot be read; submit the draft again: \(error)"
        let why = ExportFailure(.crash, message: message, job: job)
        _ = try await advance(try row.exportID("export_id"), .failed(why), at: now)
    }
}

extension PostgresRow {
    /// A job with the columns of `PostgresFarmStore.readyColumns`.
    func readyJob(at now: Date) throws -> ReadyJob {
        ReadyJob(
            DispatchCandidate(
                job: try get("id"), kind: try named("kind", JobKind.self), tenant: try get("tenant_id"),
                export: try exportID("export_id"), exportNumber: try get("number"), ordinal: try get("ordinal"),
                key: ArtifactKey(try get("artifact_key")), pool: try get("pool"), priority: try get("priority"),
                weight: try get("weight"), readySince: try get("ready_at", as: Date?.self) ?? now,
                excludedWorkers: try get("excluded_workers", as: [String].self)),
            notBefore: try get("not_before"))
    }

    fileprivate func ticket(_ references: References) throws -> JobTicket {
        let work = try PostgresFarmStore.fromJSON(RenderJob.self, try get("work"))
        let known = try references[try exportID("export_id")]?.get() ?? [:]
        return JobTicket(
            job: try get("id"), attempt: try get("attempt"), kind: try named("kind", JobKind.self), tenant: try get("tenant_id"),
            pool: try get("pool"), key: ArtifactKey(try get("artifact_key")), frameCount: try get("frame_count"),
            work: work.with(sourcesAmong: known))
    }
}
