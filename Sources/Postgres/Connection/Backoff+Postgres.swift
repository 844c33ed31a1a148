package import BlockingWork

extension Backoff {
    /// The pauses between attempts to reach a PostgreSQL server: 0.1 s, doubling up to 5 s, with jitter.
    package static let postgres = Backoff(first: .milliseconds(100), limit: .seconds(5))
}
