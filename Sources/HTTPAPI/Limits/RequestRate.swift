import Synchronization

/// Limits the requests per second of each token or address with a token bucket that refills at a steady rate.
package final class RequestRate: Sendable {
    private struct Bucket {
        var permits: Double
        var filledAt: ContinuousClock.Instant
    }

    /// The maximum number of buckets; buckets that are full again are removed first.
    private static let capacity = 10_000

    private let perSecond: Double
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameters:
    ///   - perSecond: the rate at which permits return, 1 or more.
    ///   - burst: the number of requests that may come at once after a pause.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
    }

    /// Takes a permit.
    /// - Returns: nil when there was a permit; otherwise the seconds until there is one.
    package func take(_ holder: String, at now: ContinuousClock.Instant = .now) -> Double? {
        buckets.withLock { buckets in
            var bucket = buckets[holder] ?? Bucket(permits: burst, filledAt: now)
            let seconds = bucket.filledAt.duration(to: now) / .seconds(1)
            bucket = Bucket(permits: min(burst, bucket.permits + seconds * perSecond), filledAt: now)
            let isGranted = bucket.permits >= 1
            if isGranted { bucket.permits -= 1 }
            buckets[holder] = bucket
            if buckets.count > RequestRate.capacity { forget(&buckets, at: now) }
            return isGranted ? nil : (1 - bucket.permits) / perSecond
        }
    }

    /// The seconds until there is a permit; nil when there is one. None is taken.
    package func pause(_ holder: String, at now: ContinuousClock.Instant = .now) -> Double? {
        buckets.withLock { buckets in
            guard let bucket = buckets[holder] else { return nil }
            let permits = bucket.permits + (bucket.filledAt.duration(to: now) / .seconds(1)) * perSecond
            return permits >= 1 ? nil : (1 - permits) / perSecond
        }
    }

    private func forget(_ buckets: inout [String: Bucket], at now: ContinuousClock.Instant) {
        buckets = buckets.filter { $0.value.permits + ($0.value.filledAt.duration(to: now) / .seconds(1)) * perSecond < burst }
        // Still too many active clients: drop all buckets, so that every client starts with a full one.
        if buckets.count > RequestRate.capacity / 2 { buckets = [:] }
    }

    /// The rate and what is left of it, as header fields of an answer
    /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/): `RateLimit-Policy` has the number of
    /// requests that may come at once and the seconds after which they may come again; `RateLimit` has how many may come
    /// now, and the seconds until all may.
    package func fields(_ holder: String, at now: ContinuousClock.Instant = .now) -> [(name: String, value: String)] {
        let left = buckets.withLock { buckets -> Double in
            guard let bucket = buckets[holder] else { return burst }
            return min(burst, bucket.permits + bucket.filledAt.duration(to: now) / .seconds(1) * perSecond)
        }
        let wait = Int(((burst - left) / perSecond).rounded(.up))
        return [
            ("RateLimit-Policy", "\"requests\";q=\(Int(burst));w=\(Int((burst / perSecond).rounded(.up)))"),
            ("RateLimit", "\"requests\";r=\(Int(left));t=\(wait)"),
        ]
    }

    /// The number of clients with a bucket.
    package var count: Int { buckets.withLock { $0.count } }
}
