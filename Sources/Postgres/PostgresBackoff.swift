/// How long to wait before trying again: twice as long each time up to a limit, and by chance, so that many clients of a
/// server that comes back do not come back all at once.
public struct PostgresBackoff: Sendable, Equatable {
    /// The longest wait before the first repetition.
    public var first: Duration
    /// The longest wait of all.
    public var limit: Duration

    public init(first: Duration = .milliseconds(100), limit: Duration = .seconds(5)) {
        self.first = first
        self.limit = limit
    }

    /// The wait before a repetition.
    /// - Parameters:
    ///   - repetition: 1 for the first.
    ///   - chance: from 0 to 1; the wait is between half its ceiling and the whole.
    public func delay(before repetition: Int, chance: Double) -> Duration {
        var ceiling = min(first, limit)
        for _ in 1..<max(1, min(repetition, 64)) where ceiling < limit { ceiling = min(ceiling * 2, limit) }
        return ceiling * (0.5 + 0.5 * min(max(chance, 0), 1))
    }

    /// The wait before a repetition, by chance.
    func delay(before repetition: Int) -> Duration { delay(before: repetition, chance: .random(in: 0...1)) }
}

/// Runs `body` again while other transactions are in its way.
/// - Parameter attempts: how often it is run, at most; at least 1.
/// - Throws: what the last attempt threw.
nonisolated(nonsending) func retryingConflicts<Result>(
    attempts: Int, clock: any Clock<Duration>, _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let backoff = PostgresBackoff(first: .milliseconds(10), limit: .milliseconds(500))
    var attempt = 1
    while true {
        do {
            return try await body()
        } catch let error as PostgresError where error.isConflict && attempt < attempts {
            try await clock.sleep(for: backoff.delay(before: attempt))
            attempt += 1
        }
    }
}
