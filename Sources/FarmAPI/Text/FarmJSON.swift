package import FoundationEssentials

/// The encoding of values on the wire, the same at both ends: JSON with sorted keys, and dates as ISO 8601 in UTC with
/// fractions of a second.
package enum FarmJSON {
    /// The JSON of a value; equal values have equal bytes.
    package static func encode(_ value: some Encodable, indented: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if indented { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(date))
        }
        return try encoder.encode(value)
    }

    /// - Throws: `DecodingError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not an ISO 8601 date")
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    /// A date as text, such as `2026-01-02T03:04:05.678Z`.
    package static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// A date from text, with or without fractions of a second; nil when the text is not a date.
    package static func date(_ text: String) -> Date? {
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        return styles.lazy.compactMap { try? $0.parse(text) }.first  // the text matches at most one style
    }
}
