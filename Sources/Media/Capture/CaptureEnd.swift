import Glibc
import Synchronization

/// A wish of the user to end a capture: what has come in by then is the clip.
package enum CaptureEnd {
    private static let asked = Atomic<Bool>(false)

    /// Whether the capture is to end now.
    static var isAsked: Bool { asked.load(ordering: .relaxed) }

    /// Takes signals for that wish, which interrupt a read that waits for the input.
    package static func catchSignals(_ numbers: [Int32]) {
        // The first access creates the value, which a signal's handler must not do.
        asked.store(false, ordering: .relaxed)
        for number in numbers {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in CaptureEnd.asked.store(true, ordering: .relaxed) }
            sigaction(number, &action, nil)
        }
    }
}
