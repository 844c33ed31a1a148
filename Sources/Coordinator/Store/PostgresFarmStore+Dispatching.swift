package import FarmAPI
import ExportPlan
package import JobQueue
import Postgres
package import Scheduling
package import FoundationEssentials

/// The dispatch of ready jobs.
extension PostgresFarmStore {
    package func openExports(after number: Int64, limit: Int) async throws -> [QueuedExport] {
        // Each state has an index of its own.
        let parts = [ExportState.probing, .rendering].map { state in
            """
            (SELECT \(PostgresFarmStore.queuedColumns) FROM exports
             WHERE state = '\(state.rawValue)' AND number > $1 ORDER BY number LIMIT $2)
            """
        }
        return try await query(
            "\(parts.joined(separator: " UNION ALL ")) ORDER BY number LIMIT $2", [.int64(number), .int64(Int64(limit))]
        ).map { try $0.queuedExport() }
    }

    package func openExports(among exports: Set<ExportID>) async throws -> [QueuedExport] {
        guard !exports.isEmpty else { return [] }
        return try await query(
            """
            SELECT open.* FROM unnest($1::uuid[]) AS asked(export) CROSS JOIN LATERAL (
              SELECT \(PostgresFarmStore.queuedColumns) FROM exports
              WHERE exports.id = asked.export AND state IN ('probing', 'rendering') OFFSET 0) AS open
            ORDER BY number
            """, [.textArray(exports.map(\.text).sorted())]
        ).map { try $0.queuedExport() }
    }

    private static let queuedColumns = "id, tenant_id, pool, number, priority, created_at"

    package func activeJobs(of exports: [ExportID]) async throws -> [ActiveJob] {
        guard !exports.isEmpty else { return [] }
        let active = [JobState.ready] + JobState.allCases.filter(\.isInFlight)
        return try await query(
            """
            SELECT \(PostgresFarmStore.readyColumns), state <> 'ready' AS taken, worker
            FROM unnest($1::uuid[]) AS open(export) CROSS JOIN LATERAL (
              SELECT * FROM jobs WHERE export_id = open.export AND state = ANY($2) OFFSET 0) AS jobs
            ORDER BY id
            """, [.textArray(exports.map(\.text)), .textArray(active.map(\.rawValue))]
        ).map { row in
            let isInFlight = try row.get("taken", as: Bool.self)
            return ActiveJob(try row.readyJob(), isInFlight: isInFlight, worker: isInFlight ? try row.get("worker") : nil)
        }
    }

    /// The columns that `PostgresRow.readyJob` reads, for statements that read or change jobs.
    static let readyColumns = """
        jobs.id, jobs.kind, jobs.export_id, jobs.ordinal, jobs.artifact_key, jobs.weight, jobs.not_before,
        jobs.excluded_workers, jobs.source, \(demandColumns)
        """

    /// The columns that `PostgresRow.demand` reads. A job that ran out of a resource is retried alone on a machine
    /// (`JobLifecycle.demand`).
    static let demandColumns = "jobs.memory, jobs.processors, jobs.failures ? 'resource' AS alone"

    package func dispatch(_ jobs: [Int64], at now: Date) async throws -> [JobTicket] {
        guard !jobs.isEmpty else { return [] }
        let dispatchable = JobLifecycle.states(changedBy: .dispatched)
        let order = Dictionary(jobs.enumerated().map { ($1, $0) }) { first, _ in first }
        let known = references
        let tickets = try await transaction { transaction in
            let rows = try await transaction.query(
                """
                UPDATE jobs SET state = 'dispatched', attempt = attempt + 1, worker = NULL, dispatched_at = $2, started_at = NULL,
                  original = NULL, copy_ended = false
                WHERE state = ANY($3) AND id IN (
                  SELECT DISTINCT ON (wanted.tenant_id, wanted.artifact_key) wanted.id FROM (
                    SELECT id, tenant_id, artifact_key FROM jobs WHERE id = ANY($1) AND state = ANY($3)
                    ORDER BY id FOR UPDATE) AS wanted
                  ORDER BY wanted.tenant_id, wanted.artifact_key, array_position($1, wanted.id))
                AND NOT EXISTS (
                  SELECT FROM jobs AS other WHERE other.tenant_id = jobs.tenant_id
                    AND other.artifact_key = jobs.artifact_key AND other.state IN ('dispatched', 'running'))
                RETURNING \(PostgresFarmStore.ticketColumns)
                """, [.int64Array(jobs), .timestamp(now), .textArray(dispatchable.map(\.rawValue))])
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
            return try await transaction.withRemotes(tickets)
        }
        return tickets.sorted { order[$0.job, default: 0] < order[$1.job, default: 0] }
    }

    /// The columns that `PostgresRow.ticket` reads, for statements that read or change jobs.
    private static let ticketColumns = """
        jobs.id, jobs.attempt, jobs.kind, jobs.tenant_id, jobs.export_id, jobs.pool, jobs.artifact_key, jobs.frame_count,
        jobs.work, jobs.ready_at, \(demandColumns)
        """

    package func copy(_ attempt: AttemptID, at now: Date) async throws -> JobTicket? {
        let known = references
        return try await transaction { transaction in
            guard let job = try await transaction.lock(attempt.job), job.lifecycle.attempt == attempt.attempt else { return nil }
            var life = job.lifecycle
            guard !life.handle(.copied, at: now).isEmpty else { return nil }
            _ = try await transaction.apply([JobEvent(job: attempt.job, event: .copied, jitter: 0)], at: now)
            let rows = try await transaction.query(
                "SELECT \(PostgresFarmStore.ticketColumns) FROM jobs WHERE id = $1", [.int64(attempt.job)])
            let references = try await transaction.references(of: rows, known)
            return try rows.first?.ticket(references)
        }
    }

    package func inFlight() async throws -> [(id: AttemptID, dispatchedAt: Date)] {
        // Two attempts may be under way at a job of which there is a copy.
        try await query(
            """
            SELECT id, attempt, dispatched_at FROM jobs WHERE state IN ('dispatched', 'running') AND original IS NULL
            UNION ALL
            SELECT jobs.id, open.number, open.dispatched_at FROM jobs CROSS JOIN LATERAL (
              SELECT number, dispatched_at FROM attempts
              WHERE job_id = jobs.id AND state IN ('dispatched', 'running') OFFSET 0) AS open
            WHERE jobs.state IN ('dispatched', 'running') AND jobs.original IS NOT NULL
            ORDER BY 1, 2
            """
        ).map { row in
            (AttemptID(job: try row.get("id"), attempt: try row.get("attempt")), try row.get("dispatched_at"))
        }
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
                known[facts.contentHash] = SourceReference(facts: facts, stored: try row.get("location"))
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
    func readyJob() throws -> ReadyJob {
        ReadyJob(
            id: try get("id"), export: try exportID("export_id"), kind: try named("kind", JobKind.self),
            ordinal: try get("ordinal"), key: ArtifactKey(try get("artifact_key")), predicted: try get("weight"),
            notBefore: try get("not_before"), excludedWorkers: try get("excluded_workers", as: [String].self),
            demand: try demand(), source: try get("source"))
    }

    /// What a job needs now, with the columns of `PostgresFarmStore.demandColumns`.
    private func demand() throws -> JobDemand {
        guard try !get("alone", as: Bool.self) else { return .wholeMachine }
        return JobDemand(memory: try get("memory"), processors: try get("processors"))
    }

    fileprivate func queuedExport() throws -> QueuedExport {
        QueuedExport(
            id: try exportID("id"), tenant: try get("tenant_id"), pool: try get("pool"), number: try get("number"),
            priority: try get("priority"), since: try get("created_at"))
    }

    fileprivate func ticket(_ references: References) throws -> JobTicket {
        let work = try PostgresFarmStore.fromJSON(RenderJob.self, try get("work"))
        let export = try exportID("export_id")
        let known = try references[export]?.get() ?? [:]
        var ticket = JobTicket(
            job: try get("id"), attempt: try get("attempt"), kind: try named("kind", JobKind.self), tenant: try get("tenant_id"),
            pool: try get("pool"), key: ArtifactKey(try get("artifact_key")), frameCount: try get("frame_count"),
            work: work.with(sourcesAmong: known), demand: try demand())
        ticket.export = export
        ticket.readyAt = try get("ready_at")
        return ticket
    }
}
