import LocalFarm
import Postgres
import FoundationEssentials

/// What `spool bench` reads from the database of its farm, while the farm works and afterwards.
struct BenchmarkQueries: Sendable {
    private let pool: PostgresPool

    init(_ pool: PostgresPool) {
        self.pool = pool
    }

    // MARK: While the farm works

    /// The time by the database's clock.
    func now() async throws -> Date { try await row("SELECT clock_timestamp() AS now").get("now") }

    func hasOpenExports() async throws -> Bool {
        try await row("SELECT EXISTS (SELECT FROM exports WHERE state = 'rendering') AS open").get("open")
    }

    func openExports() async throws -> Int {
        try await row("SELECT count(*) AS count FROM exports WHERE state = 'rendering'").get("count")
    }

    /// When the latest job ended; nil before the first.
    func latestEnd() async throws -> Date? {
        try await row("SELECT max(finished_at) AS latest FROM jobs").get("latest", as: Date?.self)
    }

    // MARK: Afterwards

    func outcome() async throws -> BenchmarkReport.Outcome {
        let row = try await row(
            """
            SELECT (SELECT count(*) FROM exports WHERE state = 'completed') AS exports,
              (SELECT count(*) FROM jobs WHERE state = 'done') AS jobs,
              (SELECT count(*) FROM attempts) AS attempts,
              (SELECT count(*) FROM attempts WHERE state = 'succeeded') AS succeeded,
              (SELECT count(*) FROM events WHERE kind = 'completed') AS completions,
              (SELECT count(*) FROM events) AS events
            """)
        return BenchmarkReport.Outcome(
            exportsCompleted: try row.get("exports"), jobsDone: try row.get("jobs"), attempts: try row.get("attempts"),
            attemptsSucceeded: try row.get("succeeded"), completionEvents: try row.get("completions"),
            events: try row.get("events"))
    }

    /// The seconds from a time until the last export was over.
    func seconds(since opened: Date) async throws -> Double {
        try await row(
            "SELECT coalesce(extract(epoch FROM max(finished_at) - $1::timestamptz), 0)::float8 AS seconds FROM exports",
            [.timestamp(opened)]
        ).get("seconds")
    }

    /// How long each export waited for the start of its first job, counted from its acceptance, or from the opening of
    /// the queues where it was accepted before.
    func submitToFirstStart(since opened: Date) async throws -> BenchmarkReport.Latency? {
        try await latency(
            """
            SELECT extract(epoch FROM min(started_at) - greatest(created_at, $1::timestamptz)) AS wait
            FROM (SELECT exports.id, exports.created_at, coalesce(attempts.started_at, attempts.finished_at) AS started_at
                  FROM exports JOIN jobs ON jobs.export_id = exports.id JOIN attempts ON attempts.job_id = jobs.id) AS starts
            WHERE started_at IS NOT NULL GROUP BY id, created_at
            """, [.timestamp(opened)])
    }

    /// How long freed slots waited for their next jobs. On a worker with S slots the start number n + S cannot come
    /// before the end number n, so the time between the two is what that slot waited.
    func reportToNextStart(slots: Int) async throws -> BenchmarkReport.Latency? {
        try await latency(
            """
            SELECT extract(epoch FROM starts.at - ends.at) AS wait
            FROM (SELECT worker, at, row_number() OVER (PARTITION BY worker ORDER BY at) AS place
                  FROM (SELECT worker, coalesce(started_at, finished_at) AS at FROM attempts WHERE worker IS NOT NULL) AS started
                  WHERE at IS NOT NULL) AS starts
            JOIN (SELECT worker, finished_at AS at, row_number() OVER (PARTITION BY worker ORDER BY finished_at) AS place
                  FROM attempts WHERE worker IS NOT NULL AND finished_at IS NOT NULL) AS ends
              ON ends.worker = starts.worker AND starts.place = ends.place + $1::bigint
            """, [.int64(Int64(slots))])
    }

    /// - Parameter waits: a query whose column `wait` has seconds. The coordinator writes one time for all reports that
    ///   it applies together, so that a wait may come out a little below zero.
    private func latency(_ waits: String, _ parameters: [PostgresValue]) async throws -> BenchmarkReport.Latency? {
        let row = try await row(
            """
            SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(wait, 0)::float8 * 1000) AS p50,
              percentile_disc(0.99) WITHIN GROUP (ORDER BY greatest(wait, 0)::float8 * 1000) AS p99
            FROM (\(waits)) AS waits
            """, parameters)
        guard let p50 = try row.get("p50", as: Double?.self), let p99 = try row.get("p99", as: Double?.self) else { return nil }
        return BenchmarkReport.Latency(p50: p50, p99: p99)
    }

    /// The only row of a result.
    private func row(_ statement: String, _ parameters: [PostgresValue] = []) async throws -> PostgresRow {
        guard let row = try await pool.query(statement, parameters).first else {
            throw LocalServerError("the database answered without a row to: \(statement)")
        }
        return row
    }
}
