/// A value that does not come in time.
package struct NoAnswer: Error, CustomStringConvertible {
    /// Whose answer it would be, such as `the queue`.
    package var part: String

    package var description: String { "\(part) does not answer in time" }
}

/// A value that costs something to find out, and that many may ask for: it is found out once in a while, by one task at
/// a time, and nobody waits for it longer than the timeout.
///
/// Where a look hangs, everybody is told so after the timeout, and no second attempt begins before the first ends.
package actor CachedLook<Value: Sendable> {
    private let part: String
    private let lifetime: Duration
    private let timeout: Duration
    private let look: @Sendable () async throws -> Value
    private var last: (outcome: Result<Value, any Error>, at: ContinuousClock.Instant)?
    /// How many looks have ended.
    private var ended = 0
    /// Since when a look is under way; nil while none is.
    private var lookingSince: ContinuousClock.Instant?

    /// - Parameters:
    ///   - part: who is asked, such as `the queue`.
    ///   - lifetime: how long a value, or the error that there is none, stays true. With zero, callers share only a look that
    ///     is under way.
    ///   - timeout: how long to wait for it.
    package init(
        at part: String, lifetime: Duration, timeout: Duration = .seconds(2), _ look: @escaping @Sendable () async throws -> Value
    ) {
        self.part = part
        self.lifetime = lifetime
        self.timeout = timeout
        self.look = look
    }

    /// The last outcome, or `NoAnswer` while a look hangs; nil before the first. It asks nobody.
    package var latest: Result<Value, any Error>? { isHanging ? .failure(NoAnswer(part: part)) : last?.outcome }

    private var isHanging: Bool { lookingSince.map { $0.duration(to: .now) >= timeout } ?? false }

    /// The value, found out anew where the last one is too old.
    /// - Throws: what the look throws, or `NoAnswer`.
    package func value() async throws -> Value {
        if let last, last.at.duration(to: .now) < lifetime { return try last.outcome.get() }
        if lookingSince == nil {
            lookingSince = .now
            Task { await begin() }  // it ends with the look, which the next caller waits for, too
        }
        let before = ended
        // Where it hangs already, nobody waits any more.
        while ended == before, !isHanging, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(5))  // cancelled: the loop's condition ends the loop
        }
        guard ended > before, let last else { throw NoAnswer(part: part) }
        return try last.outcome.get()
    }

    private func begin() async {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await look())
        } catch {
            outcome = .failure(error)
        }
        last = (outcome, .now)
        lookingSince = nil
        ended += 1
    }
}
