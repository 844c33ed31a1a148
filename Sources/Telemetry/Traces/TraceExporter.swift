import BlockingWork
import HTTPClient
package import Logging
import FoundationEssentials

/// Sends ended spans to a collector as OTLP over HTTP, in JSON
/// (https://opentelemetry.io/docs/specs/otlp/#otlphttp-request), with libcurl.
///
/// One request is under way at a time, with at most 512 spans and ten seconds. A batch that the collector does not accept
/// is sent three times, with growing pauses, and then dropped; a batch that it refuses for good is dropped at once. Only
/// the first failure is logged, and the first success after it.
package struct TraceExporter: Sendable {
    private static let batch = 512
    private static let tries = 3
    /// How long to wait for more spans.
    private static let interval = Duration.seconds(1)

    private let endpoint: String
    private let service: OTLPResource
    private let buffer: SpanBuffer
    private let connections: Connections
    private let limit: Duration
    private let backoff: Backoff
    private let logger: Logger

    /// - Parameters:
    ///   - endpoint: the address that takes traces, such as `http://127.0.0.1:4318/v1/traces`.
    ///   - service: the program's name, version and instance, for the collector.
    ///   - limit: how long one request may take.
    ///   - pause: the first pause after a failure; the second is twice as long.
    package init(
        to endpoint: String, service: (name: String, version: String, instance: String), from buffer: SpanBuffer,
        limit: Duration = .seconds(10), pause: Duration = .seconds(1), logger: Logger
    ) {
        self.endpoint = endpoint
        self.service = OTLPResource(name: service.name, version: service.version, instance: service.instance)
        self.buffer = buffer
        self.limit = limit
        self.logger = logger
        backoff = Backoff(first: pause, growth: 2, limit: .seconds(10), jitter: 0)
        connections = Connections(connecting: min(limit, .seconds(5)), silence: limit)
    }

    /// Sends until the task is cancelled, and then once more what waits, for two seconds at most.
    package func run() async {
        var isFailing = false
        while !Task.isCancelled {
            let spans = buffer.take(atMost: TraceExporter.batch)
            guard !spans.isEmpty else {
                try? await Task.sleep(for: TraceExporter.interval)  // cancelled: the loop's condition ends the loop
                continue
            }
            note(await send(spans), &isFailing)
        }
        await sendRest()
    }

    /// The outcome of a batch.
    private enum Outcome {
        case sent
        /// It was dropped; the text says why.
        case dropped(String)
    }

    private func note(_ outcome: Outcome, _ isFailing: inout Bool) {
        switch outcome {
        case .sent:
            if isFailing { logger.info("the collector of traces accepts spans again") }
            isFailing = false
        case .dropped(let reason):
            if !isFailing { logger.warning("spans of traces are dropped, and the farm goes on: \(reason)") }
            isFailing = true
        }
    }

    private func send(_ spans: [EndedSpan]) async -> Outcome {
        guard let body = try? OTLPDocument(spans, of: service).encoded() else {
            // Every value of a span is text or a number.
            buffer.drop(spans.count, "refused")
            return .dropped("they cannot be written as JSON")
        }
        var reason = ""
        for number in 1...TraceExporter.tries {
            do {
                let status = try await post(body)
                if (200..<300).contains(status) {
                    FarmMetric.sentSpans.add(Double(spans.count))
                    return .sent
                }
                reason = "\(endpoint) answers with status \(status)"
                guard [408, 429, 502, 503, 504].contains(status) else {
                    buffer.drop(spans.count, "refused")
                    return .dropped(reason)
                }
            } catch {
                reason = "\(endpoint): \(error)"
            }
            guard number < TraceExporter.tries, !Task.isCancelled else { break }
            try? await Task.sleep(for: backoff.pause(before: number))  // cancelled: the next try is the last one
        }
        buffer.drop(spans.count, "unreachable")
        return .dropped(reason)
    }

    private func post(_ body: [UInt8]) async throws -> Int {
        let request = OutgoingRequest(
            "POST", endpoint, headers: [("Content-Type", "application/json")], body: .bytes(body), limit: limit)
        let response = try await connections.execute(request)
        // The connection is kept only once the answer is read.
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.status
    }

    private func sendRest() async {
        // The task is cancelled, and a request of a cancelled task ends at once.
        let sending = Task.detached {
            while true {
                let spans = buffer.take(atMost: TraceExporter.batch)
                guard !spans.isEmpty, case .sent = await send(spans) else { return }
            }
        }
        let timer = Task.detached {
            try? await Task.sleep(for: .seconds(2))  // cancelled: everything is sent
            sending.cancel()
        }
        await sending.value
        timer.cancel()
    }
}
