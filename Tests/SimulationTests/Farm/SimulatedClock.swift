import Synchronization
import FoundationEssentials

/// The only clock of a simulated farm, in whole milliseconds from its beginning. Nothing but the simulation moves it.
final class SimulatedClock: Sendable {
    private let milliseconds = Atomic<Int>(0)
    private let origin = ContinuousClock.now

    var now: Int {
        get { milliseconds.load(ordering: .relaxed) }
        set { milliseconds.store(newValue, ordering: .relaxed) }
    }

    var date: Date { date(of: now) }

    func date(of time: Int) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + Double(time) / 1000) }

    /// The time of a date that this clock has told.
    func time(of date: Date) -> Int { Int(((date.timeIntervalSince1970 - 1_800_000_000) * 1000).rounded()) }

    var instant: ContinuousClock.Instant { origin + .milliseconds(now) }
}

/// A time of the simulation as text, in seconds.
func seconds(_ milliseconds: Int) -> String {
    let rest = "\(1000 + milliseconds % 1000)".dropFirst()
    return "\(milliseconds / 1000).\(rest)"
}
