import Synchronization

/// Tells a loop that there may be something to do. Several calls while the loop is busy count as one.
package final class WakeSignal: Sendable {
    private struct State {
        var isCalled = false
        var sleeper: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    package func wake() {
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

    /// Waits for a call, for the time to pass, or for the task to be cancelled. Only one loop may wait.
    /// - Returns: whether it was called.
    package func wait(atMost time: Duration) async -> Bool {
        let timer = Task {  // cancelled when the wait ends
            try? await Task.sleep(for: time)  // cancelled: nothing waits any more
            if !Task.isCancelled { stopWaiting() }
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
            stopWaiting()
        }
    }

    private func stopWaiting() {
        let sleeper = state.withLock { state in
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume(returning: false)
    }
}
