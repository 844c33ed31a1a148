import Synchronization

/// Whether this coordinator leads, for those who ask from other tasks.
final class LeadingFlag: Sendable {
    private let state = Mutex(false)

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
