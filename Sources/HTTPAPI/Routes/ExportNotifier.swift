package import FarmAPI
import Coordinator
import JobQueue
import Synchronization

/// Wakes the connections that watch an export when it has changed.
package final class ExportNotifier: Sendable {
    private struct State {
        var waiting: [ExportID: [Int: WakeSignal]] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Says that this export has changed.
    package func notify(_ export: ExportID) {
        for signal in state.withLock({ $0.waiting[export]?.values.map { $0 } ?? [] }) { signal.wake() }
    }

    /// Says that any export may have changed.
    package func notifyAll() {
        for signal in state.withLock({ $0.waiting.values.flatMap { $0.values } }) { signal.wake() }
    }

    /// How many connections watch an export now.
    package func watchers(of export: ExportID) -> Int { state.withLock { $0.waiting[export]?.count ?? 0 } }

    /// Runs `body` with a signal that is set whenever the export changes.
    func withSignal<Result>(_ export: ExportID, _ body: (WakeSignal) async throws -> Result) async rethrows -> Result {
        let signal = WakeSignal()
        let number = state.withLock { state in
            state.next += 1
            state.waiting[export, default: [:]][state.next] = signal
            return state.next
        }
        defer {
            state.withLock { state in
                state.waiting[export]?[number] = nil
                if state.waiting[export]?.isEmpty == true { state.waiting[export] = nil }
            }
        }
        return try await body(signal)
    }
}
