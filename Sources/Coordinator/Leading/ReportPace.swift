import Synchronization

/// How long reports gather before they are applied together. The fewer transactions, the less a job costs.
///
/// A slot that has no other job waits for its report to be applied, so reports gather only for a few milliseconds then.
/// Where all slots have jobs beside the present ones, reports gather for a quarter of the time that those take.
final class ReportPace: Sendable {
    private static let shortest = Duration.milliseconds(5)
    private static let longest = Duration.milliseconds(250)

    private let pause = Mutex(ReportPace.shortest)

    /// - Parameter seconds: for how long the farm's slots have work beyond their present jobs.
    func set(ahead seconds: Double) {
        let pause = max(ReportPace.shortest, min(ReportPace.longest, .seconds(seconds / 4)))
        self.pause.withLock { $0 = pause }
    }

    /// How long reports gather after a batch was applied.
    var current: Duration { pause.withLock { $0 } }

    /// Whether nothing is lost when the dispatch waits for the next reports.
    var isRelaxed: Bool { current > ReportPace.shortest * 4 }
}
