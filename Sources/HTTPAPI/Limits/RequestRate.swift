import Synchronization

/// How many requests come from one token or address in a second: a bucket of permits for each, which fills at a steady rate.
package final class RequestRate: Sendable {
    private struct Bucket {
        var permits: Double
        var filledAt: ContinuousClock.Instant
    }

    /// So many buckets are kept at most; those that have become full again are forgotten first.
    private static let capacity = 10_000

    private let perSecond: Double
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameters:
    ///   - perSecond: 1 or more.
    ///   - burst: requests that may come at once after a pause.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
    }

    /// Takes a permit.
    /// - Returns: nil when there was one; else the seconds after which there will be.
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

    private func forget(_ buckets: inout [String: Bucket], at now: ContinuousClock.Instant) {
        buckets = buckets.filter { $0.value.permits + ($0.value.filledAt.duration(to: now) / .seconds(1)) * perSecond < burst }
        // As many clients as that at the same moment: they begin anew.
        if buckets.count > RequestRate.capacity / 2 { buckets = [:] }
    }

    /// How many clients are remembered.
    package var count: Int { buckets.withLock { $0.count } }
}
