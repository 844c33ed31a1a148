import Synchronization

/// Tells a loop that there may be something to do. Many calls while it is busy are one.
public final class WakeSignal: Sendable {
    private struct State {
        var isCalled = false
        var sleeper: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    public init() {}

    public func wake() {
        let sleeper = state.withLock { state in
            guard let sleeper = state.sleeper else {
                state.isCalled = true
                return nil as CheckedContinuation<Bool, Never>?
            }
            state.sleeper = nil
            return sleeper
        }
        sleeper?.resume(returning: true)
    }

    /// Waits for a call, for the time to pass, or for the task to be cancelled. For one loop.
    /// - Returns: whether it was called.
    public func wait(atMost time: Duration) async -> Bool {
        let timer = Task {  // ends with the wait
            try? await Task.sleep(for: time)  // cut short: nobody waits any more
            if !Task.isCancelled { giveUp() }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCalled: Bool? = state.withLock { state in
                    if state.isCalled || Task.isCancelled {
                        defer { state.isCalled = false }
                        return state.isCalled
                    }
                    state.sleeper = continuation
                    return nil
                }
                if let isCalled { continuation.resume(returning: isCalled) }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func giveUp() {
        let sleeper = state.withLock { state in
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume(returning: false)
    }
}
