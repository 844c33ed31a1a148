import Synchronization

/// Since when the leader has seen the queue without a gap.
///
/// A worker renews its leases in the queue. While the queue is away, it cannot, and while the leader does not look, the
/// leader cannot see it. So no lease ends before the leader has looked on for a whole lease: after the start of its term,
/// and after every gap. Only a clock that nobody sets is asked.
package final class QueueWatch: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The longest time between two looks that is no gap.
    package static let longestGap = Duration.seconds(4)

    fileprivate struct State {
        var began: Instant
        var lastLook: Instant
        /// Whether leases that nobody has renewed since the last gap are still to be reclaimed.
        var followsGap = false
    }

    private let state: Mutex<State>

    package init(at now: Instant = .now) {
        state = Mutex(State(began: now, lastLook: now))
    }

    /// Notes that the queue has answered.
    package func look(at now: Instant = .now) {
        state.withLock { state in
            if state.lastLook.duration(to: now) > QueueWatch.longestGap { state.beginAnew(at: now) }
            state.lastLook = now
        }
    }

    /// Notes that the queue has not answered.
    package func fail(at now: Instant = .now) {
        state.withLock { state in
            state.beginAnew(at: now)
            state.lastLook = now
        }
    }

    /// For how long the leader has seen the queue; zero during a gap.
    package func duration(at now: Instant = .now) -> Duration {
        state.withLock { state in
            state.lastLook.duration(to: now) > QueueWatch.longestGap ? .zero : state.began.duration(to: now)
        }
    }

    /// Whether leases may have expired because of the last gap, and not because of their workers: true once after each
    /// gap, false after the start of the term.
    package func takeGap() -> Bool {
        state.withLock { state in
            defer { state.followsGap = false }
            return state.followsGap
        }
    }
}

extension QueueWatch.State {
    fileprivate mutating func beginAnew(at now: QueueWatch.Instant) {
        began = now
        followsGap = true
    }
}
