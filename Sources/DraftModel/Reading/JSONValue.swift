import ExactTime
import FoundationEssentials

/// A JSON document before it is interpreted. Merge fields are filled into it, and the field readers read it.
///
/// Numbers are kept as decimal text, so that `0.1` in a draft is exactly one tenth.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// Text that replaced a merge field. A reader that expects a number converts it.
    case filledIn(String)
    /// A value whose fault was already reported. Readers do not report it again.
    case faulty
    /// An element of an array that its condition removed. Readers pass over it; the elements behind it keep their
    /// indexes.
    case removed
    case array([JSONValue])
    case object([String: JSONValue])

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null, .removed: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string, .filledIn, .faulty: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    var number: Rational? {
        switch self {
        case .number(let value): value.rational
        case .filledIn(let text): Rational(text: text)
        default: nil
        }
    }

    /// The nearest double, for fields that are not times.
    var double: Double? {
        switch self {
        case .number(let value): value.double
        case .filledIn(let text): Double(text)
        default: nil
        }
    }

    var text: String? {
        switch self {
        case .string(let text), .filledIn(let text): text
        default: nil
        }
    }

    /// Whether it is a number that 64 bits cannot hold exactly.
    var isBeyondRange: Bool {
        switch self {
        case .number(let value): value.rational == nil
        case .filledIn(let text): !text.contains("/") && Rational(text: text) == nil && Double(text) != nil
        default: false
        }
    }

    /// - Throws: `DraftError` with one `syntax` diagnostic that gives the position and the fault.
    static func parse(_ data: Data) throws(DraftError) -> JSONValue { try JSONReader.read(data) }
}

extension JSONValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: AnyKey.self)
            for (name, member) in members { try container.encode(member, forKey: AnyKey(stringValue: name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null, .faulty, .removed:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let value):
            guard let decimal = Decimal(string: value.text), !decimal.isNaN else {
                throw EncodingError.invalidValue(
                    value.text,
                    .init(codingPath: encoder.codingPath, debugDescription: "the number \(value.text) is out of range"))
            }
            var container = encoder.singleValueContainer()
            try container.encode(decimal)
        case .string(let text), .filledIn(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {  // failure: another kind of value
            var members: [String: JSONValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
            return
        }
        if var container = try? decoder.unkeyedContainer() {  // failure: a scalar
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {  // failure: the next kind of scalar is tried
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            self = .number(JSONNumber(written: try container.decode(Decimal.self).description))
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
