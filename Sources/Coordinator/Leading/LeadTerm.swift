package import FoundationEssentials
import Synchronization

/// The time from when a coordinator takes the lead until it loses the lead or gives it back.
///
/// The leader asks it for the time: the database's clock decides, whatever the clock of the leader's machine says. The
/// leader also tells it that its work goes on; without that `LeaderElection` does not renew the lead.
package final class LeadTerm: Sendable {
    /// The term's number. Everything that the leader writes carries it.
    package let epoch: Int64

    private struct State {
        /// A time of the database's clock, and when it was read.
        var databaseTime: Date
        var readAt: ContinuousClock.Instant
        var progressAt: ContinuousClock.Instant
    }

    private let state: Mutex<State>

    /// - Parameter databaseTime: the time by the database's clock now.
    package init(epoch: Int64, databaseTime: Date) {
        self.epoch = epoch
        state = Mutex(State(databaseTime: databaseTime, readAt: .now, progressAt: .now))
    }

    /// The time by the database's clock: as it was last read, and what has passed since by a clock that nobody sets.
    package func now() -> Date {
        state.withLock { $0.databaseTime + $0.readAt.duration(to: .now).inSeconds }
    }

    /// Notes the time by the database's clock, which has just been read.
    func noteDatabaseTime(_ time: Date) {
        state.withLock { state in
            state.databaseTime = time
            state.readAt = .now
        }
    }

    /// Notes that the leader's work goes on.
    package func noteProgress() {
        state.withLock { $0.progressAt = .now }
    }

    /// For how long the leader's work has not gone on.
    var standstill: Duration { state.withLock { $0.progressAt.duration(to: .now) } }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
