import BlockingWork

/// Runs `body` again while other transactions conflict with it.
/// - Parameter attempts: how often `body` runs at most; at least 1.
/// - Throws: what the last attempt threw.
nonisolated(nonsending) func retryingConflicts<Result>(
    attempts: Int, clock: any Clock<Duration>, _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let backoff = Backoff(first: .milliseconds(10), limit: .milliseconds(500))
    var attempt = 1
    while true {
        do {
            return try await body()
        } catch let error as PostgresError where error.isConflict && attempt < attempts {
            try await clock.sleep(for: backoff.pause(before: attempt))
            attempt += 1
        }
    }
}
