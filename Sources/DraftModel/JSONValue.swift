import ExactTime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON document before anyone gave it meaning: what parameters are filled into and what the field readers read.
///
/// Numbers are kept as exact rationals, so that `0.1` stays one tenth on its way into the draft.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Rational)
    case string(String)
    /// Text that stands where a merge field stood. A reader that wants a number reads it as one.
    case filledIn(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// What a person calls this kind of value.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string, .filledIn: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    var number: Rational? {
        switch self {
        case .number(let value): value
        case .filledIn(let text): Rational(text: text)
        default: nil
        }
    }

    var text: String? {
        switch self {
        case .string(let text), .filledIn(let text): text
        default: nil
        }
    }

    /// - Throws: `DraftError` with one `syntax` diagnostic that carries the parser's own place and reason.
    static func parse(_ data: Data) throws -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: data)
        } catch DecodingError.dataCorrupted(let context) {
            let detail = context.underlyingError.map { ": \($0)" } ?? ""
            throw DraftError([
                DraftDiagnostic(
                    path: "", code: .syntax, message: "this is not JSON\(detail). \(context.debugDescription)")
            ])
        }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {  // the shape decides; no shape is an error
            var members: [String: JSONValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
            return
        }
        if var container = try? decoder.unkeyedContainer() {  // as above
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {  // tried in turn: a scalar is exactly one of these
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            let decimal = try container.decode(Decimal.self)
            guard let value = Rational(text: decimal.description) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "the number \(decimal) has more digits than a time can hold")
            }
            self = .number(value)
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
