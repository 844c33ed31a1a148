import FarmAPI
import Postgres
package import FoundationEssentials

extension PostgresFarmStore {
    package func observe(at now: Date) async throws -> FarmCounts {
        let roles = PostgresValue.textArray(WorkerRole.allCases.map(\.rawValue))
        // One round trip.
        let results = try await translating {
            try await pool.pipeline([
                PostgresStatement(
                    """
                    SELECT role, pool, state, sum(jobs)::bigint AS jobs, greatest(sum(seconds), 0) AS seconds FROM queue_counts
                    GROUP BY role, pool, state HAVING sum(jobs) > 0 ORDER BY role, pool, state
                    """),
                PostgresStatement(
                    """
                    SELECT role, (SELECT min(ready_at) FROM jobs WHERE jobs.role = roles.role AND state = 'ready') AS oldest,
                      EXISTS (SELECT FROM pauses WHERE pauses.role = roles.role) AS paused
                    FROM unnest($1::text[]) AS roles(role)
                    """, [roles]),
                // Each part has an index of its own, with the open exports only.
                PostgresStatement(
                    """
                    SELECT state, count(*) AS exports FROM exports WHERE state IN ('submitted', 'probing') GROUP BY state
                    UNION ALL SELECT 'rendering', count(*) FROM exports WHERE state = 'rendering'
                    """),
                PostgresStatement(
                    """
                    SELECT holder IS NOT NULL AND renewed_at > clock_timestamp() - make_interval(secs => $1) AS led FROM lead
                    """, [.double(LeaderElection.lease.inSeconds)]),
                PostgresStatement(
                    """
                    SELECT DISTINCT pool FROM workers CROSS JOIN LATERAL unnest(pools) AS served(pool)
                    WHERE last_seen_at > clock_timestamp() - interval '30 days' ORDER BY pool LIMIT $1
                    """, [.int64(Int64(FarmCounts.poolLimit))]),
                PostgresStatement("SELECT count(*) AS letters FROM dead_letters"),
            ])
        }
        var counts = FarmCounts()
        for row in results[0].rows {
            counts.lanes.append(
                FarmCounts.Lane(
                    role: try row.named("role", WorkerRole.self), pool: try row.get("pool"),
                    state: try row.named("state", JobState.self), jobs: try row.get("jobs"), seconds: try row.get("seconds")))
        }
        for row in results[1].rows {
            let role = try row.named("role", WorkerRole.self)
            let oldest = try row.get("oldest", as: Date?.self)
            counts.oldestReady[role] = oldest.map { max(0, now.timeIntervalSince($0)) } ?? 0
            if try row.get("paused", as: Bool.self) { counts.paused.insert(role) }
        }
        for row in results[2].rows {
            counts.openExports[try row.named("state", ExportState.self)] = try row.get("exports")
        }
        counts.hasLeader = try results[3].rows.first?.get("led", as: Bool.self) ?? false
        counts.servedPools = Set(try results[4].rows.map { try $0.get("pool", as: String.self) })
        counts.deadLetters = try results[5].rows.first?.get("letters") ?? 0
        return counts
    }

    package func assetBytes() async throws -> Int64 {
        try await query("SELECT coalesce(sum(byte_count), 0)::bigint AS bytes FROM assets").first?.get("bytes") ?? 0
    }
}
