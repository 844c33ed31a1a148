import Instrumentation
import Telemetry
import Testing
import Tracing

@Suite("Traces")
struct TraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    @Test("A traceparent is read as the W3C has it, and written back")
    func reading() {
        let text = "00-\(TraceTests.trace)-b7ad6b7169203331-01"
        #expect(TraceParent(text)?.text == text)
        #expect(TraceParent("00-\(TraceTests.trace)-b7ad6b7169203331-00")?.spanID == "b7ad6b7169203331")
        // A later version may add something.
        #expect(TraceParent("01-\(TraceTests.trace)-b7ad6b7169203331-01-more")?.traceID == TraceTests.trace)
    }

    @Test(
        "What is no traceparent is refused",
        arguments: [
            "", "00", "00-\(trace)-b7ad6b7169203331", "00-\(trace)-b7ad6b7169203331-01-more", "ff-\(trace)-b7ad6b7169203331-01",
            "00-\(trace.uppercased())-b7ad6b7169203331-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace)-b7ad6b716920333-01", "00-\(trace)-b7ad6b7169203331-0x",
            "zz-\(trace)-b7ad6b7169203331-01", "00-\(trace)-b7ad6b7169203331-01\r\nX: y", String(repeating: "0", count: 10_000),
        ])
    func refusing(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test("The ids of an export's trace follow from the export, job and attempt alone")
    func exportTrace() throws {
        let export = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
        let trace = try #require(ExportTrace(export: export))
        let submission = try #require(trace.submission)
        #expect(submission.traceID == "7c9e6679742540de944be07fc1f90ae7")
        #expect(ExportTrace(export: export.uppercased())?.submission == submission)
        let dispatches = [(1, 1), (1, 2), (2, 1), (12, 1), (1, 21)].compactMap {
            trace.dispatch(job: Int64($0), attempt: $1)?.spanID
        }
        #expect(Set(dispatches + [submission.spanID]).count == 6)
        #expect(ExportTrace(export: "film.mp4") == nil)
        #expect(ExportTrace(export: "00000000-0000-0000-0000-000000000000") == nil)
    }

    @Test("A span is under the context's parent, takes a planned id, and passes its own place to its children")
    func parents() throws {
        let buffer = SpanBuffer()
        let tracer = FarmTracer(buffer)
        let trace = try #require(ExportTrace(export: "7c9e6679-7425-40de-944b-e07fc1f90ae7"))
        let planned = try #require(trace.dispatch(job: 1, attempt: 1))
        let dispatch = tracer.startSpan("dispatch", context: .tracing(under: trace.submission, as: planned))
        let child = tracer.startSpan("render", context: dispatch.context)
        #expect(dispatch.place == planned)
        #expect(child.place.traceID == planned.traceID && child.place.spanID != planned.spanID)
        #expect(child.context.traceParent == child.place)
        child.end()
        child.end()
        dispatch.end()
        #expect(buffer.count == 2)
        let first = tracer.startSpan("alone", context: .topLevel)
        #expect(first.place.traceID != planned.traceID)
    }

    @Test("Beyond its capacity the buffer drops spans and counts them")
    func fullBuffer() {
        let buffer = SpanBuffer(capacity: 10)
        let tracer = FarmTracer(buffer)
        for _ in 0..<25 { tracer.startSpan("s", context: .topLevel).end() }
        #expect(buffer.count == 10)
        #expect(buffer.droppedCount == 15)
    }

    @Test("A context travels in headers")
    func headers() throws {
        let tracer = FarmTracer(SpanBuffer())
        let place = try #require(TraceParent("00-\(TraceTests.trace)-b7ad6b7169203331-01"))
        var fields: [String: String] = [:]
        tracer.inject(.tracing(under: place), into: &fields, using: Fields())
        #expect(fields == ["traceparent": place.text])
        var context = ServiceContext.topLevel
        tracer.extract(fields, into: &context, using: Fields())
        #expect(context.traceParent == place)
        tracer.extract(["traceparent": "nonsense"], into: &context, using: Fields())
        #expect(context.traceParent == nil)
    }
}

private struct Fields: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
