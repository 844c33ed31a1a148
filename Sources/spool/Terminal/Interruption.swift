import CommandLineInterface
import Synchronization
import Glibc

/// Handles Ctrl-C, SIGTERM, and SIGHUP, which comes when the terminal is closed. The first signal cancels the work,
/// which then cleans up; a second one ends the program at once.
enum Interruption {
    /// - Parameter first: takes a signal before the work is cancelled, and returns whether that was enough; it is asked once
    ///   with success.
    static func run(
        first: @escaping @Sendable () -> Bool = { false }, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task { try await work() }  // awaited below; a separate task, because the signals cancel it
        let caught = Mutex<Int32?>(nil)
        let taken = Mutex(0)
        let signals = StopSignals(numbers()) { number, count in
            let earlier = taken.withLock { taken in
                if taken == 0, first() {
                    taken = 1
                    return count
                }
                return taken
            }
            guard count > earlier else { return }
            if count - earlier > 1 { _exit(128 + number) }
            caught.withLock { $0 = number }
            task.cancel()
        }
        defer { withExtendedLifetime(signals) {} }
        do {
            try await task.value
        } catch {
            if let number = caught.withLock({ $0 }) { throw CommandFailure(signal: number) }
            throw error
        }
    }

    /// The signals that interrupt the work.
    private static func numbers() -> [Int32] {
        // Under `nohup` SIGHUP is already ignored, so that the work goes on without the terminal; leave it so.
        var before = sigaction()
        guard sigaction(SIGHUP, nil, &before) == 0, !isIgnored(before) else { return [SIGINT, SIGTERM] }
        return [SIGINT, SIGTERM, SIGHUP]
    }

    /// - Parameter action: the action of a signal. `SIG_IGN` is not a function, so the addresses are compared.
    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
