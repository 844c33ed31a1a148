import ContentHashing
package import Instrumentation

/// The trace of one export, from its submission to its film.
///
/// Its id is the export's id without the hyphens, and the ids of the spans that others belong under follow from what the
/// spans are about. So every coordinator and every worker names the same span in the same way, nothing has to be stored
/// or passed from one leader to the next, and whoever has the id of an export finds its trace.
package struct ExportTrace: Hashable, Sendable {
    private let traceID: String

    /// - Parameter export: the export's id, a UUID.
    /// - Returns: nil for text that is not a UUID.
    package init?(export: String) {
        let digits = export.lowercased().filter { $0 != "-" }
        guard TraceParent(traceID: digits, spanID: "0000000000000001") != nil else { return nil }
        traceID = digits
    }

    /// The trace's first span: the submission.
    package var submission: TraceParent? { parent("submit") }

    /// The span of an attempt's dispatch, under which the worker's spans are.
    package func dispatch(job: Int64, attempt: Int) -> TraceParent? { parent("dispatch \(job) \(attempt)") }

    private func parent(_ name: String) -> TraceParent? {
        let digits = String(ContentHash.of("\(traceID) \(name)".utf8).prefix(16))
        return TraceParent(traceID: traceID, spanID: digits)
    }
}

/// Where a new span belongs.
private enum ParentKey: InstrumentationContextKey {
    typealias Value = TraceParent
}

/// The id that a new span is to have.
private enum PlannedKey: InstrumentationContextKey {
    typealias Value = TraceParent
}

extension InstrumentationContext {
    /// The span that new spans belong under.
    package var traceParent: TraceParent? {
        get { self[ParentKey.self] }
        set { self[ParentKey.self] = newValue }
    }

    /// The place in the trace that the next span takes; its own children do not inherit it.
    package var plannedSpan: TraceParent? {
        get { self[PlannedKey.self] }
        set { self[PlannedKey.self] = newValue }
    }

    /// A context for spans under `parent`, of which the next has the id of `planned`.
    package static func tracing(under parent: TraceParent?, as planned: TraceParent? = nil) -> InstrumentationContext {
        var context = InstrumentationContext.topLevel
        context.traceParent = parent
        context.plannedSpan = planned
        return context
    }
}
