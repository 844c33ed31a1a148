import FarmAPI
import HTTPTypes
import Hummingbird
import Instrumentation
import Telemetry
import Tracing

/// The first span of an export's trace: its submission. It is recorded only for a new export; a client's own trace is
/// linked with it.
struct SubmissionTrace: Sendable {
    private let span: any Span

    /// - Parameter export: the id that the export gets.
    init(_ export: ExportID, _ request: Request) {
        span = startSpan(
            "submit", context: .tracing(under: nil, as: ExportTrace(export: export.text)?.submission), ofKind: .server)
        span.attributes["spool.export"] = export.text
        let client = HTTPField.Name("traceparent").flatMap { request.headers[$0] }.flatMap { TraceParent($0) }
        if let client { span.addLink(SpanLink(context: .tracing(under: client), attributes: [:])) }
    }

    /// Ends the span, once the export is stored.
    func end() { span.end() }
}
