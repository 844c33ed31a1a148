/// How long to wait before the next attempt to connect: twice as long after each failure, up to a limit, and a random part
/// less, so that a farm does not come back all at once.
public struct RedisBackoff: Sendable, Equatable {
    /// The pause after the first failure.
    public var first: Duration
    /// No pause is longer.
    public var longest: Duration

    public init(first: Duration = .milliseconds(50), longest: Duration = .seconds(2)) {
        self.first = first
        self.longest = longest
    }

    /// A pause between half of the full one and all of it; none without a failure.
    /// - Parameter failures: in a row.
    public func pause(afterFailures failures: Int, using random: inout some RandomNumberGenerator) -> Duration {
        guard failures > 0 else { return .zero }
        // Twenty doublings are a million times the first pause.
        let full = min(longest, first * (1 << min(failures - 1, 20)))
        return full * Double.random(in: 0.5...1, using: &random)
    }
}

/// What a connection remembers of its attempts to connect.
struct ReconnectPace {
    private let backoff: RedisBackoff
    private var failures = 0
    private var notBefore: ContinuousClock.Instant?
    /// Why the last attempt failed.
    private(set) var failure: RedisError?

    init(_ backoff: RedisBackoff) {
        self.backoff = backoff
    }

    /// When the next attempt may be made, if not now.
    func pause(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        notBefore.flatMap { $0 > now ? $0 : nil }
    }

    mutating func succeeded() { self = ReconnectPace(backoff) }

    mutating func failed(_ error: RedisError, at now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator) {
        failures += 1
        failure = error
        notBefore = now + backoff.pause(afterFailures: failures, using: &random)
    }
}
