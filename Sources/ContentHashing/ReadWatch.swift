import Synchronization
import Glibc

/// Watches calls that read files and that the storage may never answer. Such a call cannot be cancelled: its thread
/// waits in the kernel, and nothing that is checked between two reads is checked any more. Another thread therefore
/// asks whether a call takes too long.
///
/// A rendering process has one for all its sources (`ofProcess`), and each slot of a worker one for what the worker
/// itself reads.
package final class ReadWatch: Sendable {
    /// The calls of this process that read sources.
    package static let ofProcess = ReadWatch()

    /// How long storage may take to answer one call.
    package static let limit = Duration.seconds(30)

    /// A call that has not returned yet.
    package struct Call: Hashable, Sendable {
        fileprivate var number: Int
    }

    private struct State {
        var running: [Int: (path: String, since: ContinuousClock.Instant)] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether no call is running.
    package var isIdle: Bool { state.withLock { $0.running.isEmpty } }

    /// Records that a call begins.
    /// - Parameter path: the file or directory that it reads.
    package func begin(_ path: String, at now: ContinuousClock.Instant = .now) -> Call {
        state.withLock { state in
            state.last += 1
            state.running[state.last] = (path, now)
            return Call(number: state.last)
        }
    }

    /// Records that the storage has answered, and that the next call on the same file follows.
    package func restart(_ call: Call, at now: ContinuousClock.Instant = .now) {
        state.withLock { $0.running[call.number]?.since = now }
    }

    /// Records that a call has returned.
    package func end(_ call: Call) {
        state.withLock { $0.running[call.number] = nil }
    }

    /// Runs a closure that makes one call. Afterwards `errno` is as the call has left it.
    /// - Parameter path: the file or directory that it reads.
    package func call<Value, Failure: Error>(
        _ path: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try calls(path) { _ throws(Failure) in try body() }
    }

    /// Runs a closure that makes several calls. Afterwards `errno` is as the last call has left it.
    /// - Parameters:
    ///   - path: the file or directory that it reads.
    ///   - body: gets a function to be called after each answer of the storage.
    package func calls<Value, Failure: Error>(
        _ path: String, _ body: (_ answered: () -> Void) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let call = begin(path)
        defer {
            let code = errno
            end(call)
            errno = code
        }
        return try body { restart(call) }
    }

    /// The path of the oldest call that has taken longer than `limit`; nil if there is none.
    package func overdue(_ limit: Duration, at now: ContinuousClock.Instant = .now) -> String? {
        state.withLock { state in
            guard let oldest = state.running.values.min(by: { $0.since < $1.since }) else { return nil }
            return oldest.since.duration(to: now) > limit ? oldest.path : nil
        }
    }
}
