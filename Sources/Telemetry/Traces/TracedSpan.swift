package import Instrumentation
package import Tracing
import Synchronization

/// A span while it is recorded. When it ends it goes into the buffer, once.
package final class TracedSpan: Tracing.Span {
    /// How many events a span has at most, and how many characters a text of it has.
    private static let eventLimit = 32
    private static let textLimit = 1024

    private let state: Mutex<EndedSpan?>
    private let buffer: SpanBuffer
    /// The context for spans under this one.
    package let context: InstrumentationContext
    /// The place of the span in its trace.
    package let place: TraceParent

    init(
        _ name: String, _ place: TraceParent, parent: TraceParent?, kind: SpanKind, context: InstrumentationContext,
        startedAt: UInt64, buffer: SpanBuffer
    ) {
        self.buffer = buffer
        self.place = place
        var inner = context
        inner.traceParent = place
        inner.plannedSpan = nil
        self.context = inner
        state = Mutex(
            EndedSpan(
                name: name, place: place, parent: parent?.traceID == place.traceID ? parent?.spanID : nil, kind: kind,
                startedAt: startedAt))
    }

    package var operationName: String {
        get { state.withLock { $0?.name ?? "" } }
        set { state.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0?.attributes ?? [:] } }
        set { state.withLock { $0?.attributes = newValue } }
    }

    package var isRecording: Bool { state.withLock { $0 != nil } }

    package func setStatus(_ status: SpanStatus) {
        state.withLock {
            $0?.failure = status.code == .error ? String((status.message ?? "").prefix(TracedSpan.textLimit)) : nil
        }
    }

    package func addEvent(_ event: SpanEvent) {
        state.withLock { span in
            guard span.map({ $0.events.count < TracedSpan.eventLimit }) == true else { return }
            span?.events.append(event)
        }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.message"] = String("\(error)".prefix(TracedSpan.textLimit))
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
        setStatus(SpanStatus(code: .error, message: "\(error)"))
    }

    package func addLink(_ link: SpanLink) {
        guard let linked = link.context.traceParent else { return }
        state.withLock { $0?.links.append(linked) }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let time = instant().nanosecondsSinceEpoch
        let ended = state.withLock { span -> EndedSpan? in
            guard var ended = span else { return nil }
            span = nil
            ended.endedAt = max(time, ended.startedAt)
            return ended
        }
        if let ended { buffer.add(ended) }
    }
}

/// A span with its end. Times are in nanoseconds since 1970.
struct EndedSpan: Sendable {
    var name: String
    var place: TraceParent
    /// The id of the span above; nil for the first one of a trace.
    var parent: String?
    var kind: SpanKind
    var startedAt: UInt64
    var endedAt: UInt64 = 0
    var attributes: SpanAttributes = [:]
    var events: [SpanEvent] = []
    var links: [TraceParent] = []
    /// Why it failed; nil where it did not.
    var failure: String?
}
