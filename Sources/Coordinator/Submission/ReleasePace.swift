import FoundationEssentials

/// How many rows of a batch are submitted as exports at a time, and when the next ones are.
///
/// With a pace of `n` exports per minute, any number of minutes sees at most `n` exports each and one second's worth
/// more: what could not be submitted while no coordinator led is not made up for in a burst.
struct ReleasePace {
    /// How many rows one transaction submits.
    static let most = 500
    /// How many exports of one batch may be open at a time. The rows behind them wait, so that a batch of any size costs
    /// the coordinator no more than this many exports do.
    static let window = 2_000

    /// Exports per minute; nil for no limit.
    let perMinute: Double?

    /// - Parameters:
    ///   - due: when the next row may be submitted; not later than `now`.
    ///   - open: how many exports of the batch have not ended.
    /// - Returns: how many rows are submitted now, and when the next one may be.
    func release(due: Date, at now: Date, open: Int) -> (count: Int, next: Date) {
        let room = min(ReleasePace.most, ReleasePace.window - open)
        guard let perMinute else { return (max(0, room), now) }
        let interval = 60 / perMinute
        let base = max(due, now - max(interval, 1))
        let allowed = Int(min(Double(room), ((now.timeIntervalSince(base)) / interval).rounded(.down) + 1))
        return (max(0, allowed), base + Double(max(0, allowed)) * interval)
    }
}
