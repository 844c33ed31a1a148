#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How values are written on the wire, the same at both ends: JSON with sorted keys, dates as ISO 8601 with fractions of a
/// second in UTC.
public enum FarmJSON {
    /// Bytes of a value; equal values have equal bytes.
    public static func encode(_ value: some Encodable, indented: Bool = false) throws -> Data {
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
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no ISO 8601 date")
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    /// `2026-01-02T03:04:05.678Z`
    public static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// With or without fractions of a second; nil when it is no date.
    public static func date(_ text: String) -> Date? {
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        return styles.lazy.compactMap { try? $0.parse(text) }.first  // a style that does not fit is followed by the other
    }
}
