/// A value that costs something to find out, and that many may ask for: it is found out once in a while, by one task at
/// a time, and nobody waits for it longer than the timeout.
///
/// Where a look hangs, everybody is told so after the timeout, and no second attempt begins before the first ends.
package actor CachedLook<Value: Sendable> {
    /// The value does not come in time.
    package struct NoAnswer: Error, CustomStringConvertible {
        package var description: String { "there is no answer in time" }
    }

    private let lifetime: Duration
    private let timeout: Duration
    private let look: @Sendable () async throws -> Value
    private var last: (outcome: Result<Value, any Error>, at: ContinuousClock.Instant)?
    /// Since when a look is under way; nil while none is.
    private var lookingSince: ContinuousClock.Instant?

    /// - Parameters:
    ///   - lifetime: how long a value, or the error that there is none, stays true.
    ///   - timeout: how long to wait for it.
    package init(
        lifetime: Duration, timeout: Duration = .seconds(2), _ look: @escaping @Sendable () async throws -> Value
    ) {
        self.lifetime = lifetime
        self.timeout = timeout
        self.look = look
    }

    /// The last outcome, or `NoAnswer` while a look hangs; nil before the first. It asks nobody.
    package var latest: Result<Value, any Error>? { isHanging ? .failure(NoAnswer()) : last?.outcome }

    private var isHanging: Bool { lookingSince.map { $0.duration(to: .now) >= timeout } ?? false }

    /// The value, found out anew where the last one is too old.
    /// - Throws: what the look throws, or `NoAnswer`.
    package func value() async throws -> Value {
        if let last, last.at.duration(to: .now) < lifetime { return try last.outcome.get() }
        if lookingSince == nil {
            lookingSince = .now
            Task { await begin() }  // it ends with the look, which the next caller waits for, too
        }
        // Where it hangs already, nobody waits any more.
        while lookingSince != nil, !isHanging, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(5))  // cancelled: the loop's condition ends the loop
        }
        guard lookingSince == nil, let last else { throw NoAnswer() }
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
    }
}
