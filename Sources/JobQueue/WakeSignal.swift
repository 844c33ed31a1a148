import Synchronization

/// Tells a loop that there may be something to do. Several calls while the loop is busy count as one.
package final class WakeSignal: Sendable {
    private struct State {
        var isCalled = false
        /// How many waits have begun; the number of the last one.
        var waits = 0
        /// The last wait whose time has passed.
        var expired = 0
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
        let wait = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        let timer = Task {  // cancelled when the wait ends
            try? await Task.sleep(for: time)  // cancelled: nothing waits any more
            if !Task.isCancelled { stop(wait) }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCalled: Bool? = state.withLock { state in
                    // On a busy machine the time may have passed before this task comes so far.
                    if state.isCalled || Task.isCancelled || state.expired == wait {
                        defer { state.isCalled = false }
                        return state.isCalled
                    }
                    state.sleeper = continuation
                    return nil
                }
                if let isCalled { continuation.resume(returning: isCalled) }
            }
        } onCancel: {
            stop(wait)
        }
    }

    /// Ends a wait, also one that has not come to its sleep yet. A wait that is over stays as it is.
    private func stop(_ wait: Int) {
        let sleeper = state.withLock { state in
            guard state.waits == wait else { return nil as CheckedContinuation<Bool, Never>? }
            state.expired = wait
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume(returning: false)
    }
}
