import BlockingWork
package import ExportPlan

extension RetryPolicy {
    /// - Parameters:
    ///   - count: failures of this class so far, this one included.
    ///   - jitter: 0...1; spreads the pause between half and all of its length.
    /// - Returns: the pause before the retry in seconds; nil when that was the last attempt.
    package static func delay(afterFailure count: Int, _ failureClass: FailureClass, jitter: Double) -> Double? {
        guard count < attempts(failureClass) else { return nil }
        guard failureClass == .transient || failureClass == .storage else { return 0 }
        // The first pause is short, so that a store that was away for a moment delays a film by little more than that.
        let first: Duration = failureClass == .storage ? .milliseconds(250) : .seconds(1)
        return Backoff(first: first, limit: .seconds(60)).pause(before: count, chance: jitter) / .seconds(1)
    }

    /// The jitter of the item at a place of a batch. The steps of the golden ratio spread the items of any batch evenly,
    /// so that jobs that failed together are not retried together.
    /// - Parameter first: the jitter of the first item, 0...1.
    package static func jitter(_ first: Double, at place: Int) -> Double {
        place == 0 ? first : (first + Double(place) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
    }
}
