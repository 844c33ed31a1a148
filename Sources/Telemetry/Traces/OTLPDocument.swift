import Tracing
import FoundationEssentials

/// The program that spans come from.
struct OTLPResource: Hashable, Sendable {
    var name: String
    var version: String
    var instance: String
}

/// Spans as the OpenTelemetry protocol has them in JSON: ids are hexadecimal, and numbers of 64 bits are texts
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
struct OTLPDocument: Encodable {
    private let resourceSpans: [ResourceSpans]

    init(_ spans: [EndedSpan], of resource: OTLPResource) {
        let attributes = [
            Attribute("service.name", .string(resource.name)), Attribute("service.version", .string(resource.version)),
            Attribute("service.instance.id", .string(resource.instance)),
        ]
        resourceSpans = [
            ResourceSpans(
                resource: Resource(attributes: attributes),
                scopeSpans: [
                    ScopeSpans(scope: Scope(name: "spool", version: resource.version), spans: spans.map { Span($0) })
                ])
        ]
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8](try encoder.encode(self))
    }

    private struct ResourceSpans: Encodable {
        var resource: Resource
        var scopeSpans: [ScopeSpans]
    }

    private struct Resource: Encodable { var attributes: [Attribute] }

    private struct Scope: Encodable {
        var name: String
        var version: String
    }

    private struct ScopeSpans: Encodable {
        var scope: Scope
        var spans: [Span]
    }

    private struct Span: Encodable {
        var traceId: String
        var spanId: String
        var parentSpanId: String?
        var name: String
        var kind: Int
        var startTimeUnixNano: String
        var endTimeUnixNano: String
        var attributes: [Attribute]
        var events: [Event]
        var links: [Link]
        var status: Status

        init(_ span: EndedSpan) {
            traceId = span.place.traceID
            spanId = span.place.spanID
            parentSpanId = span.parent
            name = span.name
            kind = span.kind.number
            startTimeUnixNano = String(span.startedAt)
            endTimeUnixNano = String(span.endedAt)
            attributes = Attribute.all(span.attributes)
            events = span.events.map {
                Event(timeUnixNano: String($0.nanosecondsSinceEpoch), name: $0.name, attributes: Attribute.all($0.attributes))
            }
            links = span.links.map { Link(traceId: $0.traceID, spanId: $0.spanID) }
            status = span.failure.map { Status(code: 2, message: $0) } ?? Status()
        }
    }

    private struct Event: Encodable {
        var timeUnixNano: String
        var name: String
        var attributes: [Attribute]
    }

    private struct Link: Encodable {
        var traceId: String
        var spanId: String
    }

    private struct Status: Encodable {
        /// 0: not set, 2: failed.
        var code = 0
        var message: String?
    }

    private struct Attribute: Encodable {
        var key: String
        var value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }

        /// The attributes by name. Values that are neither text, number nor truth are written as text.
        static func all(_ attributes: SpanAttributes) -> [Attribute] {
            var all: [Attribute] = []
            attributes.forEach { name, value in all.append(Attribute(name, Value(value))) }
            return all.sorted { $0.key < $1.key }
        }
    }

    /// The value of an attribute: an object with one field that is named for its type.
    private struct Value: Encodable {
        var stringValue: String?
        var intValue: String?
        var doubleValue: Double?
        var boolValue: Bool?

        private static let textLimit = 1024

        static func string(_ text: String) -> Value { Value(stringValue: text) }

        private init(stringValue: String) {
            self.stringValue = stringValue
        }

        init(_ value: SpanAttribute) {
            switch value {
            case .int32(let number): intValue = String(number)
            case .int64(let number): intValue = String(number)
            // JSON has no numbers beyond all limits.
            case .double(let number) where number.isFinite: doubleValue = number
            case .bool(let truth): boolValue = truth
            case .string(let text): stringValue = String(text.prefix(Value.textLimit))
            default: stringValue = String("\(value)".prefix(Value.textLimit))
            }
        }
    }
}

extension SpanKind {
    /// The number of the OpenTelemetry protocol.
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
