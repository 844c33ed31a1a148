import Synchronization

/// How long reports gather before they are applied together. The fewer transactions, the less a job costs.
///
/// A slot that has no other job waits for its report to be applied, so reports gather only for a few milliseconds then.
/// Where all slots have jobs beside the present ones, reports gather for half of the time that those take. After a
/// full batch others wait already, and they are applied at once.
final class ReportPace: Sendable {
    private static let shortest = Duration.milliseconds(5)
    private static let longest = Duration.milliseconds(250)

    private struct State {
        var pause = ReportPace.shortest
        var isBatchFull = false
    }

    private let state = Mutex(State())

    /// - Parameter seconds: for how long the farm's slots have work beyond their present jobs.
    func set(ahead seconds: Double) {
        let pause = max(ReportPace.shortest, min(ReportPace.longest, .seconds(seconds / 2)))
        state.withLock { $0.pause = pause }
    }

    /// - Parameter isFull: whether the batch that was applied had as many reports as a batch may have.
    func noteBatch(isFull: Bool) { state.withLock { $0.isBatchFull = isFull } }

    /// How long reports gather after a batch was applied.
    var current: Duration { state.withLock { $0.isBatchFull ? .zero : $0.pause } }

    /// Whether nothing is lost when the dispatch waits for the next reports.
    var isRelaxed: Bool { state.withLock { $0.pause > ReportPace.shortest * 4 } }
}
