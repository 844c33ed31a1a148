/// The pauses between attempts to do something that may work later, such as to connect to a server that is away.
///
/// Each pause is longer than the one before, up to a limit, so that what is away for long is not asked all the time. With
/// jitter, the many clients of a server that comes back do not all ask it at the same moment. It is a pure value; whoever
/// retries counts the attempts and waits.
package struct Backoff: Sendable, Hashable {
    /// The full pause before the first retry.
    package var first: Duration
    /// How many times as long each full pause is as the one before; at least 1.
    package var growth: Double
    /// The longest pause of all, also of the first.
    package var limit: Duration
    /// The part of a full pause that chance may take away, 0...1. With 0.5, pauses last between half of the full pause
    /// and all of it.
    package var jitter: Double

    package init(first: Duration, growth: Double = 2, limit: Duration, jitter: Double = 0.5) {
        self.first = first
        self.growth = growth
        self.limit = limit
        self.jitter = jitter
    }

    /// The pause before a retry.
    /// - Parameters:
    ///   - retry: the number of the retry, from 1; smaller numbers count as 1.
    ///   - chance: where the pause lies between the shortest, at 0, and the full one, at 1.
    package func pause(before retry: Int, chance: Double) -> Duration {
        full(before: retry) * (1 - jitter + jitter * min(max(chance, 0), 1))
    }

    /// The pause before a retry, with jitter from a generator.
    package func pause(before retry: Int, using random: inout some RandomNumberGenerator) -> Duration {
        pause(before: retry, chance: .random(in: 0...1, using: &random))
    }

    /// The pause before a retry, with random jitter.
    package func pause(before retry: Int) -> Duration { pause(before: retry, chance: .random(in: 0...1)) }

    private func full(before retry: Int) -> Duration {
        var pause = min(first, limit)
        var number = 1
        while number < retry, pause < limit, growth > 1, pause > .zero {
            pause = min(pause * growth, limit)
            number += 1
        }
        return pause
    }
}
