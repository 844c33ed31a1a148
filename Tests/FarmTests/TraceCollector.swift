import LocalFarm
import TestSupport
import FoundationEssentials

/// A collector of traces in Python: it writes each request's body into a file, one in a line.
struct TraceCollector: Sendable {
    let port: Int
    private let file: String
    private let process: GuardedProcess

    init(_ directory: TemporaryDirectory) throws {
        port = try RedisServer.freePort()
        file = directory.file("spans.jsonl")
        let script = """
            import http.server, sys
            class Collector(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    assert self.headers["Content-Type"] == "application/json" and self.path == "/v1/traces"
                    with open(sys.argv[2], "ab") as log: log.write(body + b"\\n")
                    self.send_response(200)
                    self.send_header("Content-Length", "2")
                    self.end_headers()
                    self.wfile.write(b"{}")
                def log_message(self, *words): pass
            http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Collector).serve_forever()
            """
        process = GuardedProcess(
            "/usr/bin/python3", ["-c", script, "\(port)", file], guardian: SpoolTool.executable,
            logFile: directory.file("collector.log"))
    }

    var endpoint: String { "http://127.0.0.1:\(port)/v1/traces" }

    /// Runs the collector while `work` runs.
    func run(_ work: @Sendable () async throws -> Void) async throws {
        let task = Task { try? await process.run() }  // it ends when the task is cancelled
        defer { task.cancel() }
        try await work()
    }

    /// A span that has arrived.
    struct Span: Decodable, Sendable {
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
        var startTimeUnixNano: String
        var endTimeUnixNano: String
        /// The name of the program that sent it.
        var service = ""

        private enum CodingKeys: String, CodingKey {
            case traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano
        }
    }

    private struct Document: Decodable {
        struct Value: Decodable { var stringValue: String? }
        struct Attribute: Decodable {
            var key: String
            var value: Value
        }
        struct Resource: Decodable { var attributes: [Attribute] }
        struct Scope: Decodable { var spans: [Span] }
        struct Resources: Decodable {
            var resource: Resource
            var scopeSpans: [Scope]
        }
        var resourceSpans: [Resources]
    }

    /// The spans that have arrived of a trace.
    func spans(ofTrace trace: String) throws -> [Span] {
        // A line without an end is still being written.
        guard let data = FileManager.default.contents(atPath: file), let end = data.lastIndex(of: UInt8(ascii: "\n")) else {
            return []
        }
        return try data[..<end].split(separator: UInt8(ascii: "\n")).flatMap { line in
            try JSONDecoder().decode(Document.self, from: Data(line)).resourceSpans.flatMap { resource in
                let service = resource.resource.attributes.first { $0.key == "service.name" }?.value.stringValue ?? ""
                return resource.scopeSpans.flatMap(\.spans).map { span in
                    var span = span
                    span.service = service
                    return span
                }
            }
        }.filter { $0.traceId == trace }
    }
}
