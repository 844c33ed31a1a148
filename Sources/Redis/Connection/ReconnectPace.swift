import BlockingWork

/// What a connection knows of its attempts to connect.
struct ReconnectPace {
    private let backoff: Backoff
    private var failures = 0
    private var notBefore: ContinuousClock.Instant?
    /// Why the last attempt failed.
    private(set) var failure: RedisError?

    init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// When the next attempt may be made; nil when it may be made now.
    func pause(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        notBefore.flatMap { $0 > now ? $0 : nil }
    }

    mutating func succeeded() { self = ReconnectPace(backoff) }

    mutating func failed(_ error: RedisError, at now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        failures += 1
        failure = error
        notBefore = now + backoff.pause(before: failures, using: &random)
    }
}
