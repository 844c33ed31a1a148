import Glibc
import Synchronization

/// Ends the capture of a clip when the user interrupts the command: the clip ends there and is kept.
final class CaptureStop: Sendable {
    private let process = Mutex<pid_t?>(nil)

    /// Notes the process that captures; nil when it has ended.
    func note(_ number: pid_t?) { process.withLock { $0 = number } }

    /// Asks the capture to end.
    /// - Returns: false where there is none.
    func request() -> Bool {
        process.withLock { number in
            guard let number else { return false }
            return kill(number, SIGINT) == 0
        }
    }
}
