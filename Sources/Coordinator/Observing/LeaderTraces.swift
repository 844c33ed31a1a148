import ExportPlan
import FarmAPI
import Instrumentation
import JobQueue
import Telemetry
import Tracing
import FoundationEssentials

/// The leader's part in the traces of exports. Without a tracer nothing is recorded, and no ticket has a trace.
enum LeaderTraces {
    /// Gives tickets the place in their export's trace under which the worker's spans belong.
    static func mark(_ tickets: inout [JobTicket]) {
        guard FarmTracer.current != nil else { return }
        for index in tickets.indices {
            let ticket = tickets[index]
            tickets[index].trace = place(of: ticket)?.text
        }
    }

    /// Records that tickets were sent: a span for each, from when its job was ready.
    static func sent(_ tickets: [JobTicket], readySince: [Int64: Date], at now: Date) {
        guard FarmTracer.current != nil else { return }
        for ticket in tickets {
            guard let export = ticket.export, let trace = ExportTrace(export: export.text), let place = place(of: ticket) else {
                continue
            }
            let span = startSpan(
                "dispatch", context: .tracing(under: trace.submission, as: place), ofKind: .producer,
                at: RecordedInstant(readySince[ticket.job] ?? now))
            span.updateAttributes { attributes in
                attributes["spool.export"] = export.text
                attributes["spool.job"] = ticket.job
                attributes["spool.attempt"] = Int64(ticket.attempt)
                attributes["spool.kind"] = ticket.kind.rawValue
            }
            span.end(at: RecordedInstant(now))
        }
    }

    private static func place(of ticket: JobTicket) -> TraceParent? {
        ticket.export.flatMap { ExportTrace(export: $0.text) }?.dispatch(job: ticket.job, attempt: ticket.attempt)
    }
}

/// The spans of compiling a batch of exports: one for each, until its probes are planned, or its jobs.
struct CompilerTrace: Sendable {
    private let spans: [any Span]

    init(of exports: [ExportID]) {
        guard FarmTracer.current != nil else {
            spans = []
            return
        }
        spans = exports.map { export in
            let span = startSpan(
                "compile", context: .tracing(under: ExportTrace(export: export.text)?.submission), ofKind: .internal)
            span.updateAttributes { $0["spool.export"] = export.text }
            return span
        }
    }

    func end() { for span in spans { span.end() } }
}
