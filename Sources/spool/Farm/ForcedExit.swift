import Dispatch
import Synchronization
import Glibc

/// Ends the program after a time unless it has ended by then, or the exit is called off. Its rendering processes end with
/// it.
final class ForcedExit: Sendable {
    /// How often exits were called off.
    private let changes = Mutex(0)

    func plan(_ status: Int32, after time: Duration) {
        let planned = changes.withLock { $0 }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) { [self] in
            if changes.withLock({ $0 }) == planned { _exit(status) }
        }
    }

    /// Calls off what was planned until now.
    func callOff() { changes.withLock { $0 += 1 } }
}
