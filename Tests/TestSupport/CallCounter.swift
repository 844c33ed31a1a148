import Synchronization

/// A number that closures of a test, which may run at the same time, count up.
package final class CallCounter: Sendable {
    private let number = Mutex(0)

    package init() {}

    package var count: Int { number.withLock { $0 } }

    package func add(_ more: Int = 1) { number.withLock { $0 += more } }
}
