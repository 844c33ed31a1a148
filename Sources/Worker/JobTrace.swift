import FarmAPI
import ExportPlan
import Instrumentation
import JobQueue
import Telemetry
import Tracing

/// The spans of one attempt at this worker: one for the whole attempt, under that of its dispatch, and below it one for
/// each stage: `prepare`, `render` and `publish`. Without a tracer nothing is recorded.
struct JobTrace: Sendable {
    /// Nil where no traces are recorded.
    private let whole: (any Span)?
    private var stage: (any Span)?

    init(_ ticket: JobTicket, worker: String) {
        guard FarmTracer.current != nil else {
            whole = nil
            return
        }
        let span = startSpan(
            "\(ticket.kind.rawValue) job", context: .tracing(under: ticket.trace.flatMap { TraceParent($0) }), ofKind: .consumer)
        span.updateAttributes { attributes in
            attributes["spool.export"] = ticket.export?.text
            attributes["spool.job"] = ticket.job
            attributes["spool.attempt"] = Int64(ticket.attempt)
            attributes["spool.worker"] = worker
            attributes["spool.pool"] = ticket.pool
            if ticket.frameCount > 0 { attributes["spool.frames"] = Int64(ticket.frameCount) }
        }
        whole = span
    }

    /// Ends the stage that goes on, and begins another.
    mutating func begin(_ name: String) {
        guard let whole else { return }
        stage?.end()
        stage = startSpan(name, context: whole.context, ofKind: .internal)
    }

    /// Ends all spans, once the attempt's end is reported.
    mutating func end(_ outcome: JobReport.Outcome) {
        guard let whole else { return }
        stage?.end()
        stage = nil
        whole.updateAttributes { attributes in
            switch outcome {
            case .started: break
            case .finished(_, let reused): attributes["spool.outcome"] = reused ? "reused" : "finished"
            case .failed(let failure):
                attributes["spool.outcome"] = "failed"
                attributes["spool.class"] = failure.failureClass.rawValue
            case .returned: attributes["spool.outcome"] = "returned"
            case .cancelled: attributes["spool.outcome"] = "cancelled"
            }
        }
        if case .failed(let failure) = outcome {
            whole.setStatus(SpanStatus(code: .error, message: failure.description))
        }
        whole.end()
    }
}
