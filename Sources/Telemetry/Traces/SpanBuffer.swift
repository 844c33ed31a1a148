import BlockingWork
import Synchronization

/// Ended spans on their way to a collector. It has a fixed size, and adding to it never waits: while a collector is slow
/// or away, new spans are dropped and counted, and nothing of the farm is slower for it.
package final class SpanBuffer: Sendable {
    private struct State {
        var spans: [EndedSpan] = []
        var dropped = 0
    }

    /// How many spans wait at most.
    package let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int = 8192) {
        self.capacity = capacity
    }

    /// How many spans this process has dropped, for any reason.
    package var droppedCount: Int { state.withLock { $0.dropped } }
    /// How many spans wait.
    package var count: Int { state.withLock { $0.spans.count } }

    func add(_ span: EndedSpan) {
        let isFull = state.withLock { state in
            guard state.spans.count < capacity else {
                state.dropped += 1
                return true
            }
            state.spans.append(span)
            return false
        }
        if isFull { FarmMetric.droppedSpans.add(1, "full") }
    }

    /// Takes the oldest spans out.
    func take(atMost limit: Int) -> [EndedSpan] {
        state.withLock { state in
            let taken = Array(state.spans.prefix(limit))
            state.spans.removeFirst(taken.count)
            return taken
        }
    }

    /// Counts spans that were taken and could not be sent.
    func drop(_ count: Int, _ reason: String) {
        state.withLock { $0.dropped += count }
        FarmMetric.droppedSpans.add(Double(count), reason)
    }
}
