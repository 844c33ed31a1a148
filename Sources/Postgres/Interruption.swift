import CPostgres
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A descriptor that becomes readable when another thread says so: what a thread in `poll()` is woken with.
final class Wakeup: Sendable {
    let descriptor: Int32

    init() throws(PostgresError) {
        descriptor = spool_eventfd()
        guard descriptor >= 0 else {
            throw PostgresError(.connectionFailed, "no more file descriptors: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func signal() {
        var one: UInt64 = 1
        // It fails only where the counter is full, and then the descriptor is readable anyhow.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the descriptor unreadable again.
    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)  // nothing to read is what is wanted
    }
}

/// The wish that one call should end, made by whoever cancels its task. It wakes the call's thread; a wish that comes too
/// late wakes it for nothing, and leaves the next call alone.
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
