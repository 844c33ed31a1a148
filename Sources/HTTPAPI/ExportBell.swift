public import Coordinator
import JobQueue
import Synchronization

/// Wakes those who watch an export when something about it has changed.
public final class ExportBell: Sendable {
    private struct State {
        var waiting: [ExportID: [Int: WakeSignal]] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Something about this export has changed.
    public func ring(_ export: ExportID) {
        for signal in state.withLock({ $0.waiting[export]?.values.map { $0 } ?? [] }) { signal.wake() }
    }

    /// Anything may have changed.
    public func ringAll() {
        for signal in state.withLock({ $0.waiting.values.flatMap { $0.values } }) { signal.wake() }
    }

    /// Gives `body` a signal that is called from now on whenever the export changes.
    func hearing<Result>(_ export: ExportID, _ body: (WakeSignal) async throws -> Result) async rethrows -> Result {
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
