import CPostgres
import Synchronization
import Glibc

/// A file descriptor that another thread makes readable, in order to wake a thread in `poll()`.
final class Wakeup: Sendable {
    let descriptor: Int32

    init() throws(PostgresError) {
        descriptor = spool_eventfd()
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw PostgresError(
                .connectionFailed, "no more files can be opened (\(reason)); raise the limit of open files (ulimit -n)")
        }
    }

    deinit { close(descriptor) }

    func signal() {
        var one: UInt64 = 1
        // It fails only where the counter is full, and then the descriptor is readable already.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the descriptor unreadable again.
    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)  // fails where there is nothing to read, which is right
    }
}

/// A request that one call should end, made when the call's task is cancelled. It wakes the call's thread. A request
/// that comes too late wakes the thread for nothing, and does not affect the next call.
final class Interruption: Sendable {
    private let wakeup: Wakeup
    private let wish = Atomic(false)

    init(_ wakeup: Wakeup) {
        self.wakeup = wakeup
    }

    func request() {
        wish.store(true, ordering: .releasing)
        wakeup.signal()
    }

    var isRequested: Bool { wish.load(ordering: .acquiring) }
}
