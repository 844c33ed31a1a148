import Hummingbird
import Instrumentation
import Logging
import NIOCore
import Synchronization
import Telemetry
import TestServer
import TestSupport
import Testing
import Tracing
import FoundationEssentials

/// Spans against a collector that accepts, fails, refuses or hangs.
@Suite("The exporter of traces", .timeLimit(.minutes(1)))
struct TraceExporterTests {
    /// A collector that answers with these statuses in turn, the last one for ever. Status 0 answers only when the
    /// collector is let go.
    private final class Collector: Sendable {
        private let statuses: [Int]
        private let received = Mutex<[String]>([])
        private let requests = Mutex(0)
        private let isLetGo = Mutex(false)

        init(_ statuses: [Int]) {
            self.statuses = statuses
        }

        /// The bodies that were accepted.
        var bodies: [String] { received.withLock { $0 } }
        var requestCount: Int { requests.withLock { $0 } }

        func letGo() { isLetGo.withLock { $0 = true } }

        var router: Router<BasicRequestContext> {
            let router = Router()
            router.post("/v1/traces") { request, _ in
                let body = String(buffer: try await request.body.collect(upTo: 16 << 20))
                let number = self.requests.withLock { count in
                    count += 1
                    return count - 1
                }
                let status = self.statuses[min(number, self.statuses.count - 1)]
                while status == 0, !self.isLetGo.withLock({ $0 }) { try await nextLook() }
                if status == 200 { self.received.withLock { $0.append(body) } }
                return Response(
                    status: status == 0 ? .ok : .init(code: status), body: ResponseBody(byteBuffer: ByteBuffer(string: "{}")))
            }
            return router
        }
    }

    /// Runs an exporter beside `work`, on a buffer for 100 spans.
    private func exporting(
        to collector: Collector, _ work: @escaping @Sendable (FarmTracer, SpanBuffer) async throws -> Void
    ) async throws {
        try await serving(collector.router) { port in
            let buffer = SpanBuffer(capacity: 100)
            var logger = Logger(label: "exporter")
            logger.logLevel = .critical
            let exporter = TraceExporter(
                to: "http://127.0.0.1:\(port)/v1/traces", service: ("spool test", "1", "here"), from: buffer,
                limit: .seconds(600),
                pause: .milliseconds(10), logger: logger)
            let task = Task { await exporter.run() }
            try await work(FarmTracer(buffer), buffer)
            task.cancel()
            await task.value
        }
    }

    @Test("Ended spans arrive as OTLP in JSON, with parents, attributes, links and failures")
    func arriving() async throws {
        let collector = Collector([200])
        let client = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
        try await exporting(to: collector) { tracer, _ in
            let outer = tracer.startSpan("submit", context: .topLevel, ofKind: .server)
            outer.addLink(SpanLink(context: .tracing(under: client), attributes: [:]))
            let inner = tracer.startSpan("render", context: outer.context)
            inner.updateAttributes { attributes in
                attributes["spool.job"] = 7
                attributes["spool.kind"] = "video \"\u{1}"
                attributes["seconds"] = Double.infinity
            }
            inner.recordError(CancellationError())
            inner.end()
            outer.end()
            try await poll { collector.bodies.joined().contains("submit") }
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(try #require(collector.bodies.first).utf8))
        let spans = document.resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans)
        let outer = try #require(spans.first { $0.name == "submit" })
        let inner = try #require(spans.first { $0.name == "render" })
        #expect(outer.parentSpanId == nil && outer.kind == 2 && outer.status.code == 0)
        #expect(outer.links.map(\.traceId) == [client.traceID])
        #expect(inner.parentSpanId == outer.spanId && inner.traceId == outer.traceId && inner.status.code == 2)
        #expect(inner.attributes.first { $0.key == "spool.job" }?.value.intValue == "7")
        #expect(inner.attributes.first { $0.key == "spool.kind" }?.value.stringValue == "video \"\u{1}")
        #expect(try #require(UInt64(inner.startTimeUnixNano)) <= #require(UInt64(inner.endTimeUnixNano)))
        #expect(document.resourceSpans[0].resource.attributes.map(\.key).contains("service.name"))
    }

    @Test("A collector that fails gets the same spans again, and those it accepts are not dropped")
    func failing() async throws {
        let collector = Collector([503, 503, 200])
        try await exporting(to: collector) { tracer, buffer in
            tracer.startSpan("again", context: .topLevel).end()
            try await poll { !collector.bodies.isEmpty }
            #expect(buffer.droppedCount == 0)
        }
        #expect(collector.requestCount == 3)
    }

    @Test(
        "Spans that a collector refuses, or fails three times to take, are dropped and counted", arguments: [(400, 1), (503, 3)])
    func refusing(_ status: Int, _ requests: Int) async throws {
        let collector = Collector([status])
        try await exporting(to: collector) { tracer, buffer in
            tracer.startSpan("lost", context: .topLevel).end()
            try await poll { buffer.droppedCount == 1 }
        }
        #expect(collector.requestCount == requests)
    }

    @Test("While a collector hangs, recording does not wait for it, and memory holds no more than the buffer")
    func hanging() async throws {
        let collector = Collector([0])
        // A span that waited for the collector would make the test reach its own limit.
        try await exporting(to: collector) { tracer, buffer in
            tracer.startSpan("first", context: .topLevel).end()
            try await poll { collector.requestCount >= 1 }
            for _ in 0..<10_000 { tracer.startSpan("more", context: .topLevel).end() }
            #expect(collector.requestCount == 1)
            #expect(buffer.count <= 100)
            #expect(buffer.droppedCount >= 9_800)
            collector.letGo()
        }
    }

    @Test("Where nobody listens, spans are dropped, and the exporter ends when it is told to")
    func away() async throws {
        let buffer = SpanBuffer()
        var logger = Logger(label: "exporter")
        logger.logLevel = .critical
        let port = try RedisServer.freePort()
        let exporter = TraceExporter(
            to: "http://127.0.0.1:\(port)/v1/traces", service: ("spool test", "1", "here"), from: buffer,
            pause: .milliseconds(10), logger: logger)
        let task = Task { await exporter.run() }
        FarmTracer(buffer).startSpan("lost", context: .topLevel).end()
        try await poll { buffer.droppedCount == 1 }
        task.cancel()
        await task.value
    }

    private func poll(_ isTrue: @Sendable () -> Bool) async throws {
        while !isTrue() { try await nextLook() }
    }

    private struct Document: Decodable {
        struct Attribute: Decodable {
            struct Value: Decodable {
                var stringValue: String?
                var intValue: String?
            }
            var key: String
            var value: Value
        }
        struct Link: Decodable { var traceId: String }
        struct Status: Decodable { var code: Int }
        struct Span: Decodable {
            var traceId: String
            var spanId: String
            var parentSpanId: String?
            var name: String
            var kind: Int
            var startTimeUnixNano: String
            var endTimeUnixNano: String
            var attributes: [Attribute]
            var links: [Link]
            var status: Status
        }
        struct Scope: Decodable { var spans: [Span] }
        struct Resource: Decodable { var attributes: [Attribute] }
        struct Resources: Decodable {
            var resource: Resource
            var scopeSpans: [Scope]
        }
        var resourceSpans: [Resources]
    }
}
