import Synchronization
import Glibc

/// Ends one call that waits on a socket, from any thread: the socket is shut down, which wakes the waiting thread.
///
/// The call registers its socket while it waits and removes it before the socket may be closed, so that the descriptor
/// can never mean another socket by then.
final class Interruption: Sendable {
    private struct State {
        var waitingOn: Int32?
        var isInterrupted = false
    }

    private let state = Mutex(State())

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Any thread may call this, more than once, and before the call has begun.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            if let descriptor = state.waitingOn { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// - Returns: false when the call shall not wait at all.
    func begin(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            state.waitingOn = state.isInterrupted ? nil : descriptor
            return !state.isInterrupted
        }
    }

    func end() { state.withLock { $0.waitingOn = nil } }
}
