package import ExportPlan
import FarmAPI
import Postgres
package import FoundationEssentials

/// Which stored files are needed, and the removal of those that are not.
///
/// What protects a file from being removed while an export decides to use it are two locks on its row. Compiling locks
/// the rows of the artifacts that it relies on and notes their use (`useArtifacts`); a removal takes rows only that
/// nobody has locked and that have not been used since (`FOR UPDATE SKIP LOCKED`), and removes the files before it ends.
/// Compiling waits for a removal that came first, and then plans a job that makes the artifact again.
extension PostgresFarmStore {
    /// Use is noted once in this many seconds.
    static let useInterval = 3600.0

    package func artifactRecords(
        _ keys: [ArtifactKey], tenant: Int64, _ cutoffs: FileCutoffs
    ) async throws -> [ArtifactKey: FileRecord] {
        let rows = try await query(
            """
            SELECT key AS name, used_at, \(PostgresFarmStore.artifactNeed) AS need FROM artifacts
            WHERE tenant_id = $1 AND key = ANY($2)
            """, [.int64(tenant), .textArray(keys.map(\.text)), .optional(cutoffs.films) { .timestamp($0) }])
        return Dictionary(uniqueKeysWithValues: try rows.map { (ArtifactKey(try $0.get("name")), try $0.fileRecord()) })
    }

    package func assetRecords(
        _ hashes: [String], tenant: Int64, _ cutoffs: FileCutoffs
    ) async throws -> [String: FileRecord] {
        let rows = try await query(
            """
            \(PostgresFarmStore.mentioned)
            SELECT hash AS name, used_at, \(PostgresFarmStore.assetNeed) AS need FROM assets
            WHERE tenant_id = $1 AND hash = ANY($2)
            """, [.int64(tenant), .textArray(hashes)])
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.get("name"), try $0.fileRecord()) })
    }

    package func artifactsInUse(_ keys: [ArtifactKey], tenant: Int64) async throws -> Set<ArtifactKey> {
        let rows = try await query(
            """
            SELECT key AS name FROM (SELECT unnest($2::text[]) AS key) AS artifacts
            WHERE \(PostgresFarmStore.artifactNeed) = 'openExport'
            """, [.int64(tenant), .textArray(keys.map(\.text)), .null])
        return Set(try rows.map { ArtifactKey(try $0.get("name")) })
    }

    package func artifacts(of tenant: Int64, usedBefore: Date, after: String, limit: Int) async throws -> [ArtifactKey] {
        try await query(
            "SELECT key FROM artifacts WHERE tenant_id = $1 AND key > $2 AND used_at < $3 ORDER BY key LIMIT $4",
            [.int64(tenant), .text(after), .timestamp(usedBefore), .int64(Int64(limit))]
        ).map { ArtifactKey(try $0.get("key")) }
    }

    package func removeArtifacts(
        _ keys: [ArtifactKey], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([ArtifactKey]) throws -> Void
    ) async throws -> [ArtifactKey] {
        try await transaction { transaction in
            let locked = try await transaction.query(
                """
                SELECT key FROM artifacts WHERE tenant_id = $1 AND key = ANY($2) AND used_at < $3
                ORDER BY key FOR UPDATE SKIP LOCKED
                """, [.int64(tenant), .textArray(keys.map(\.text)), .timestamp(usedBefore)]
            ).map { try $0.get("key", as: String.self) }
            // The need is looked at by a statement of its own, which sees what was committed before the locks were taken.
            let removed = try await transaction.query(
                """
                DELETE FROM artifacts WHERE tenant_id = $1 AND key = ANY($2) AND \(PostgresFarmStore.artifactNeed) IS NULL
                RETURNING key
                """, [.int64(tenant), .textArray(locked), .optional(cutoffs.films) { .timestamp($0) }]
            ).map { ArtifactKey(try $0.get("key")) }
            if !removed.isEmpty { try removeFiles(removed) }
            return removed
        }
    }

    package func removeAssets(
        _ hashes: [String], tenant: Int64, usedBefore: Date, _ cutoffs: FileCutoffs,
        removeFiles: @escaping @Sendable ([String]) throws -> Void
    ) async throws -> [String] {
        try await transaction { transaction in
            let locked = try await transaction.query(
                """
                SELECT hash FROM assets WHERE tenant_id = $1 AND hash = ANY($2) AND used_at < $3
                ORDER BY hash FOR UPDATE SKIP LOCKED
                """, [.int64(tenant), .textArray(hashes), .timestamp(usedBefore)]
            ).map { try $0.get("hash", as: String.self) }
            guard !locked.isEmpty else { return [] }
            let removed = try await transaction.query(
                """
                \(PostgresFarmStore.mentioned)
                DELETE FROM assets WHERE tenant_id = $1 AND hash = ANY($2) AND \(PostgresFarmStore.assetNeed) IS NULL
                RETURNING hash
                """, [.int64(tenant), .textArray(locked)]
            ).map { try $0.get("hash", as: String.self) }
            if !removed.isEmpty { try removeFiles(removed) }
            return removed
        }
    }

    /// Why an artifact is needed; NULL where nothing needs it. $1 is the tenant, $3 the time since when films are kept.
    ///
    /// An open job of any export may be about to look for its artifact in the store. What jobs of open exports have made
    /// is read by the jobs that follow. A film that is still to be sent to its destination is needed however old it is.
    private static let artifactNeed = """
        CASE
          WHEN EXISTS (
            SELECT FROM jobs WHERE jobs.tenant_id = $1 AND artifact_key = artifacts.key
              AND jobs.state IN ('waiting', 'ready', 'dispatched', 'running'))
            OR artifacts.key IN (
              SELECT artifact_key FROM exports JOIN jobs ON export_id = exports.id
              WHERE exports.tenant_id = $1 AND exports.state = 'rendering'
              UNION ALL SELECT film_key FROM exports WHERE tenant_id = $1 AND state = 'rendering')
            THEN 'openExport'
          WHEN EXISTS (
            SELECT FROM (
              SELECT * FROM exports WHERE film_key = artifacts.key
              UNION ALL SELECT * FROM exports WHERE picture_keys @> ARRAY[artifacts.key]) AS exports
            WHERE exports.tenant_id = $1 AND exports.state = 'completed'
              AND film_removed_at IS NULL AND ($3::timestamptz IS NULL OR exports.finished_at >= $3 OR EXISTS (
                SELECT FROM publications WHERE export_id = exports.id AND publications.state = 'pending')))
            THEN 'film'
        END
        """

    /// The hashes that named drafts, recordings, exports that are not compiled yet and rows of batches that wait mention,
    /// of the tenant $1.
    ///
    /// Drafts are read as text, which costs less than reading each as JSON. JSON may also write a letter or digit as
    /// `\u0061`; no program does so, but then hashes cannot be found, and `hidden` is true.
    static let mentioned = """
        WITH texts AS (
          SELECT content FROM drafts JOIN draft_revisions ON draft_id = drafts.id WHERE tenant_id = $1 AND name IS NOT NULL
          UNION ALL
          SELECT content::text FROM recordings WHERE tenant_id = $1 AND state <> 'discarded'
          UNION ALL
          SELECT content FROM exports JOIN draft_revisions
            ON draft_revisions.draft_id = exports.draft_id AND revision = draft_revision
          WHERE tenant_id = $1 AND state IN ('submitted', 'probing')
          UNION ALL
          SELECT parameters::text FROM exports
          WHERE tenant_id = $1 AND batch_id IS NOT NULL AND state IN ('submitted', 'probing')
          UNION ALL
          SELECT content FROM batches JOIN draft_revisions
            ON draft_revisions.draft_id = batches.draft_id AND revision = draft_revision
          WHERE tenant_id = $1 AND waiting > 0
          UNION ALL
          SELECT parameters::text FROM batches WHERE tenant_id = $1 AND waiting > 0
          UNION ALL
          SELECT batch_rows.content::text FROM batches JOIN batch_rows ON batch_id = batches.id
          WHERE tenant_id = $1 AND waiting > 0 AND is_waiting),
        mentioned AS MATERIALIZED (
          SELECT DISTINCT match[1] AS hash FROM texts, regexp_matches(content, '[0-9a-f]{64}', 'g') AS match),
        hidden AS MATERIALIZED (SELECT EXISTS (SELECT FROM texts WHERE content ~ '\\\\u00[3-7]') AS is_hidden)
        """

    /// Why an asset is needed; NULL where nothing needs it. $1 is the tenant.
    ///
    /// An export that has not been compiled may name its sources by parameters, so that nothing goes while one waits for
    /// long. The sources of a younger one were asked for when it was submitted.
    static let assetNeed = """
        CASE
          WHEN EXISTS (SELECT FROM exports WHERE exports.tenant_id = $1 AND state IN ('submitted', 'probing')
            AND created_at < now() - interval '12 hours')
            OR EXISTS (
              SELECT FROM exports JOIN export_sources ON export_id = exports.id
              WHERE exports.tenant_id = $1 AND exports.state = 'rendering' AND (location = 'asset:' || assets.hash OR facts->>'contentHash' = assets.hash))
            THEN 'openExport'
          WHEN assets.hash IN (SELECT mentioned.hash FROM mentioned) OR (SELECT is_hidden FROM hidden) THEN 'draft'
        END
        """
}

extension PostgresTransaction {
    /// Notes that an export relies on artifacts, so that they are not removed, and waits for a removal under way.
    /// - Returns: the artifacts that there are.
    func useArtifacts(_ keys: [ArtifactKey], tenant: Int64, at now: Date) async throws -> Set<ArtifactKey> {
        let known = try await query(
            """
            SELECT key, used_at FROM artifacts WHERE tenant_id = $1 AND key = ANY($2) ORDER BY key FOR KEY SHARE
            """, [.int64(tenant), .textArray(keys.map(\.text))])
        let old = try known.filter { now.timeIntervalSince(try $0.get("used_at")) > PostgresFarmStore.useInterval }
        if !old.isEmpty {
            try await execute(
                "UPDATE artifacts SET used_at = $3 WHERE tenant_id = $1 AND key = ANY($2)",
                [.int64(tenant), .textArray(try old.map { try $0.get("key") }), .timestamp(now)])
        }
        return Set(try known.map { ArtifactKey(try $0.get("key")) })
    }
}

extension PostgresRow {
    fileprivate func fileRecord() throws -> FileRecord {
        FileRecord(
            usedAt: try get("used_at"),
            need: try get("need", as: String?.self).flatMap(FileNeed.init(rawValue:)))
    }
}
