import FarmAPI
import Synchronization

/// Whose tokens were accepted lately. Two things rely on it: the farm's numbers can be read while the database is away, which
/// is when they are needed most, and a token that was accepted lately is no guess (`TokenGuesses`).
final class RememberedPrincipals: Sendable {
    /// How long a token counts as accepted, and how many are remembered.
    private static let lifetime = Duration.seconds(3600)
    private let capacity: Int

    private let known = Mutex<[String: (principal: Principal, until: ContinuousClock.Instant)]>([:])

    init(capacity: Int = 64) {
        self.capacity = capacity
    }

    /// Notes what the database says of a token; nil where it does not know the token any more.
    func note(_ principal: Principal?, of hash: String, at now: ContinuousClock.Instant = .now) {
        known.withLock { known in
            known[hash] = nil
            guard let principal else { return }
            if known.count >= capacity, let oldest = known.min(by: { $0.value.until < $1.value.until }) {
                known[oldest.key] = nil
            }
            known[hash] = (principal, now + RememberedPrincipals.lifetime)
        }
    }

    func principal(of hash: String, at now: ContinuousClock.Instant = .now) -> Principal? {
        known.withLock { known in known[hash].flatMap { $0.until > now ? $0.principal : nil } }
    }
}
