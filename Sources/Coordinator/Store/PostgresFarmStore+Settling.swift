import FarmAPI
import ExportPlan
import JobQueue
import Postgres
import FoundationEssentials

/// What a finished job means for others: jobs that wait for the same artifact are done, jobs that needed it may become
/// ready, and an export whose film is stitched is complete.
extension PostgresTransaction {
    /// Locks the open jobs for artifacts that are shared, in the order of their ids. A job that is dispatched or running
    /// is not among them; it goes on and will find the artifact.
    func lockSharers(of shares: [EventPass.Share]) async throws -> [TenantKey: [Sharer]] {
        guard !shares.isEmpty else { return [:] }
        let makers = Set(shares.map(\.job.id))
        let open = JobLifecycle.states(changedBy: .artifactMade)
        let rows = try await query(
            """
            SELECT id, export_id, kind, state, tenant_id, artifact_key FROM jobs
            WHERE id = ANY(ARRAY(
                SELECT sharer.id FROM unnest($1::bigint[], $2::text[]) AS made(tenant, key) CROSS JOIN LATERAL (
                  SELECT id FROM jobs
                  WHERE tenant_id = made.tenant AND artifact_key = made.key AND state IN (\(open.sqlList)) OFFSET 0) AS sharer))
              AND state = ANY($3)
            ORDER BY id FOR UPDATE
            """,
            [
                .int64Array(shares.map(\.job.tenant)), .textArray(shares.map(\.job.key.text)),
                .textArray(open.map(\.rawValue)),
            ])
        var sharers: [TenantKey: [Sharer]] = [:]
        for row in rows {
            let sharer = Sharer(
                id: try row.get("id"), export: try row.exportID("export_id"), kind: try row.named("kind", JobKind.self),
                state: try row.named("state", JobState.self))
            guard !makers.contains(sharer.id) else { continue }
            let key = TenantKey(tenant: try row.get("tenant_id"), key: ArtifactKey(try row.get("artifact_key")))
            sharers[key, default: []].append(sharer)
        }
        return sharers
    }

    /// Records the artifacts of finished jobs, or the facts of probes, and ends the open jobs for the same artifacts.
    func share(
        _ shares: [EventPass.Share], _ sharers: [TenantKey: [Sharer]], at now: Date
    ) async throws -> JobEffects {
        var effects = JobEffects()
        try await store(
            shares.filter { $0.job.lifecycle.kind != .probe }.map { share in
                ArtifactRow(
                    tenant: share.job.tenant, key: share.job.key.text, kind: share.job.lifecycle.kind,
                    warnings: share.result.warnings)
            })
        let sharing = shares.flatMap { sharers[$0.key] ?? [] }
        if !sharing.isEmpty {
            try await execute(
                """
                UPDATE jobs SET state = 'done', reused = true, finished_at = $2
                WHERE id = ANY($1) AND state = ANY($3)
                """,
                [
                    .int64Array(sharing.map(\.id).sorted()), .timestamp(now),
                    .textArray(JobLifecycle.states(changedBy: .artifactMade).map(\.rawValue)),
                ])
            effects.hasNews = true
        }
        for sharer in sharing { effects.reused[sharer.kind, default: 0] += 1 }
        for sharer in sharing where sharer.state == .ready { effects.changes.isNoLongerReady(sharer.id) }
        let finished = shares.filter { $0.job.lifecycle.state == .done }.map(\.job.export)
        let affected = Set(finished + sharing.map(\.export)).sorted()
        try await note(fetched: shares.compactMap { share in share.result.fetched.map { (share.job.tenant, $0) } })
        try await note(shares, sharers)
        effects.merge(try await settle(affected, at: now))
        if !affected.isEmpty { try await announce(affected) }
        return effects
    }

    private func store(_ artifacts: [ArtifactRow]) async throws {
        guard !artifacts.isEmpty else { return }
        try await execute(
            """
            INSERT INTO artifacts (tenant_id, key, kind, warnings)
            SELECT tenant, key, kind, warnings
            FROM json_to_recordset($1::json) AS new(tenant bigint, key text, kind text, warnings jsonb)
            ORDER BY tenant, key
            ON CONFLICT (tenant_id, key) DO UPDATE SET warnings = excluded.warnings, used_at = excluded.used_at
            """, [try PostgresFarmStore.json(artifacts)])
    }

    /// Stores the facts that probes have found: with their assets, and with the exports that wait for them.
    private func note(_ shares: [EventPass.Share], _ sharers: [TenantKey: [Sharer]]) async throws {
        var assets: [String: AssetFactsRow] = [:]
        var sources: [ExportID: [String: SourceFactsRow]] = [:]
        for share in shares {
            guard let facts = share.result.facts, let location = share.job.location else { continue }
            if let hash = AssetLocation.hash(of: location) {
                assets["\(share.job.tenant) \(hash)"] = AssetFactsRow(tenant: share.job.tenant, hash: hash, facts: facts)
            }
            var exports = sharers[share.key, default: []].map(\.export)
            if share.job.lifecycle.state == .done { exports.append(share.job.export) }
            for export in exports {
                sources[export, default: [:]][location] = SourceFactsRow(export: export.text, location: location, facts: facts)
            }
        }
        if !assets.isEmpty {
            try await execute(
                """
                UPDATE assets SET facts = new.facts
                FROM json_to_recordset($1::json) AS new(tenant bigint, hash text, facts jsonb)
                WHERE assets.tenant_id = new.tenant AND assets.hash = new.hash
                """, [try PostgresFarmStore.json(assets.sorted { $0.key < $1.key }.map(\.value))])
        }
        let rows = sources.values.flatMap(\.values).sorted { ($0.export, $0.location) < ($1.export, $1.location) }
        guard !rows.isEmpty else { return }
        try await execute(
            """
            INSERT INTO export_sources (export_id, location, facts)
            SELECT export, location, facts
            FROM json_to_recordset($1::json) AS new(export uuid, location text, facts jsonb)
            ON CONFLICT (export_id, location_key) DO UPDATE SET facts = excluded.facts, fault = NULL
            """, [try PostgresFarmStore.json(rows)])
    }

    /// Makes jobs ready that have all they need, and completes exports whose film and pictures exist.
    ///
    /// It looks at kinds of jobs and not at each job: one step in an index tells whether any job of a kind is
    /// unfinished: whether there is a state before or after `done` in the order of the index. The cost of a report
    /// therefore does not depend on how many jobs its export has. `LIMIT` and `OFFSET` keep these steps from becoming
    /// joins, whose cost would grow with what waits in the whole farm.
    func settle(_ exports: [ExportID], at now: Date) async throws -> JobEffects {
        var effects = JobEffects()
        guard !exports.isEmpty else { return effects }
        let ids = PostgresValue.textArray(exports.map(\.text))
        let needs = JobKind.allCases.flatMap { kind in kind.needs.map { (kind: kind.rawValue, needed: $0.rawValue) } }
        let unlocked = try await query(
            """
            WITH needs(kind, needed) AS (SELECT * FROM unnest($3::text[], $4::text[])),
            free(export_id, kind) AS MATERIALIZED (
              SELECT settled.id, waiting.kind
              FROM unnest($1::uuid[]) AS settled(id) CROSS JOIN (SELECT DISTINCT kind FROM needs) AS waiting
              WHERE (
                SELECT true FROM jobs WHERE export_id = settled.id AND kind = waiting.kind AND state = 'waiting' LIMIT 1)
              AND NOT EXISTS (
                SELECT FROM needs WHERE needs.kind = waiting.kind AND (
                  (SELECT true FROM jobs WHERE export_id = settled.id AND kind = needs.needed AND state < 'done' LIMIT 1)
                  OR (SELECT true FROM jobs
                      WHERE export_id = settled.id AND kind = needs.needed AND state > 'done' LIMIT 1))))
            UPDATE jobs SET state = 'ready', ready_at = $2
            WHERE id = ANY(ARRAY(
                SELECT unlocked.id FROM free CROSS JOIN LATERAL (
                  SELECT id FROM jobs
                  WHERE jobs.export_id = free.export_id AND jobs.kind = free.kind AND state = 'waiting' OFFSET 0) AS unlocked))
              AND state = ANY($5)
            RETURNING \(PostgresFarmStore.readyColumns)
            """,
            [
                ids, .timestamp(now), .textArray(needs.map(\.kind)), .textArray(needs.map(\.needed)),
                .textArray(JobLifecycle.states(changedBy: .needsMet).map(\.rawValue)),
            ])
        for row in unlocked { effects.changes.becameReady(try row.readyJob()) }
        effects.hasNews = !unlocked.isEmpty
        let complete = try await query(
            """
            SELECT complete.id FROM unnest($1::uuid[]) AS settled(id) CROSS JOIN LATERAL (
              SELECT id FROM exports
              WHERE id = settled.id AND state = ANY($2)
                AND ((SELECT true FROM jobs
                      WHERE export_id = exports.id AND kind = 'stitch' AND jobs.state = 'done' LIMIT 1)
                  OR (NOT EXISTS (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'stitch')
                    AND (SELECT true FROM jobs
                         WHERE export_id = exports.id AND kind = 'picture' AND jobs.state = 'done' LIMIT 1)))
                AND NOT EXISTS (
                  (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'picture' AND jobs.state < 'done' LIMIT 1)
                  UNION ALL
                  (SELECT FROM jobs WHERE export_id = exports.id AND kind = 'picture' AND jobs.state > 'done' LIMIT 1))
              OFFSET 0) AS complete
            """, [ids, .textArray(ExportLifecycle.states(changedBy: .filmMade).map(\.rawValue))])
        let ended = try await advance(complete.map { (try $0.exportID("id"), .filmMade) }, at: now)
        for moved in ended { effects.merge(moved.effects) }
        return effects
    }
}

/// An artifact as the statement that records it reads it.
private struct ArtifactRow: Encodable {
    var tenant: Int64
    var key: String
    var kind: JobKind
    var warnings: [SourceWarning]?
}

/// The facts of an asset as the statement that stores them reads them.
private struct AssetFactsRow: Encodable {
    var tenant: Int64
    var hash: String
    var facts: SourceFacts
}

/// The facts of an export's source as the statement that stores them reads them.
private struct SourceFactsRow: Encodable {
    var export: String
    var location: String
    var facts: SourceFacts
}
