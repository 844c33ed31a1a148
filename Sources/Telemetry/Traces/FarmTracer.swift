package import Instrumentation
package import Tracing
package import FoundationEssentials

/// Records spans for a collector: the backend of swift-distributed-tracing in a coordinator or a worker whose setting
/// `traceEndpoint` names one. Without it swift-distributed-tracing records nothing.
///
/// A span without a parent begins a trace of its own. Ended spans go into a buffer (`SpanBuffer`), which never blocks.
package struct FarmTracer: Tracer {
    private let buffer: SpanBuffer

    package init(_ buffer: SpanBuffer) {
        self.buffer = buffer
    }

    /// The tracer of this program; nil where it records no traces.
    package static var current: FarmTracer? { InstrumentationSystem.tracer as? FarmTracer }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> TracedSpan {
        let context = context()
        let parent = context.traceParent
        let own = context.plannedSpan ?? FarmTracer.child(of: parent)
        return TracedSpan(
            operationName, own, parent: parent, kind: kind, context: context, startedAt: instant().nanosecondsSinceEpoch,
            buffer: buffer)
    }

    /// Spans are sent within seconds; nobody has to ask for it.
    package func forceFlush() {}

    package func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract: Extractor, Extract.Carrier == Carrier {
        context.traceParent = extractor.extract(key: "traceparent", from: carrier).flatMap { TraceParent($0) }
    }

    package func inject<Carrier, Inject>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {
        guard let parent = context.traceParent else { return }
        injector.inject(parent.text, forKey: "traceparent", into: &carrier)
    }

    /// A new place under another one, or the first of a new trace.
    private static func child(of parent: TraceParent?) -> TraceParent {
        while true {
            let traceID = parent?.traceID ?? hex(16)
            // Zeros alone are no id.
            if let place = TraceParent(traceID: traceID, spanID: hex(8)) { return place }
        }
    }

    private static func hex(_ count: Int) -> String {
        var text = ""
        for _ in 0..<count {
            let byte = UInt8.random(in: .min ... .max)
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}

/// A time of the day that is known already, for spans that are recorded afterwards.
package struct RecordedInstant: TracerInstant {
    package let nanosecondsSinceEpoch: UInt64

    /// - Parameter time: times before 1970, and beyond what fits, are cut.
    package init(_ time: Date) {
        nanosecondsSinceEpoch = UInt64(min(max(time.timeIntervalSince1970, 0), 9e9) * 1e9)
    }

    package static func < (left: RecordedInstant, right: RecordedInstant) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }
}
