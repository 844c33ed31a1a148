import HTTPClient
package import FarmAPI
package import FoundationEssentials

/// Batches.
extension FarmClient {
    /// How long the farm may take to check and store the rows of a batch.
    private static let submissionTime = Duration.seconds(900)

    /// - Parameter key: the idempotency key. The same key and submission give the same batch, so the call may be
    ///   repeated.
    package func submit(_ submission: BatchSubmission, key: String) async throws -> Batch {
        try await call(
            "POST", "/v1/batches", body: try submission.body(), headers: [("Idempotency-Key", key)],
            limit: FarmClient.submissionTime, as: Batch.self)
    }

    package func batch(_ id: BatchID) async throws -> Batch {
        try await call("GET", "/v1/batches/\(id)", as: Batch.self)
    }

    /// The batches, newest first.
    /// - Parameter limit: 1...1000.
    package func batches(state: BatchState? = nil, limit: Int? = nil) async throws -> Listing<Batch> {
        let query = [("state", state?.rawValue), ("limit", limit.map(String.init))]
        return try await call("GET", "/v1/batches", query: query, as: Listing<Batch>.self)
    }

    package func cancel(_ id: BatchID) async throws -> Batch {
        // A repeated request goes on where an interrupted one stopped.
        try await call("POST", "/v1/batches/\(id)/cancel", limit: FarmClient.submissionTime, as: Batch.self)
    }

    /// Submits the failed rows again.
    package func rerun(_ id: BatchID) async throws -> Batch {
        try await call("POST", "/v1/batches/\(id)/rerun", repeatable: false, as: Batch.self)
    }

    /// What became of a batch's rows.
    package func results(of id: BatchID, state: BatchRowState? = nil) async throws -> BatchManifest.Document {
        try await call(
            "GET", "/v1/batches/\(id)/results", query: [("state", state?.rawValue)], limit: FarmClient.submissionTime,
            as: BatchManifest.Document.self)
    }

    /// The manifest of a batch as the farm writes it in CSV.
    package func resultsAsCSV(of id: BatchID, state: BatchRowState? = nil) async throws -> Data {
        try await exchange(
            "GET", "/v1/batches/\(id)/results", query: [("format", "csv"), ("state", state?.rawValue)],
            limit: FarmClient.submissionTime)
    }

    /// Follows a batch until it has ended.
    ///
    /// While the farm cannot be reached, this waits up to `timeout` before it throws.
    /// - Parameter show: called with the batch whenever it has changed.
    package func follow(
        _ id: BatchID, interval: Duration = .seconds(1), timeout: Duration = .seconds(60), show: (Batch) -> Void = { _ in }
    ) async throws -> Batch {
        var last: Batch?
        var lastAnswer = ContinuousClock.now
        while true {
            var pause = interval
            do {
                let batch = try await self.batch(id)
                lastAnswer = .now
                if batch != last { show(batch) }
                last = batch
                if batch.state != .running { return batch }
            } catch let failure as ClientFailure where failure.isRetryable && lastAnswer.duration(to: .now) < timeout {
                pause = max(interval, min(failure.retryAfter ?? .zero, FarmClient.longestPause))
            }
            try await clock.sleep(for: pause)
        }
    }
}
