#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Messages on pipes: one JSON object a line.
public enum MessageLine {
    /// - Returns: the line with its end.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [0x0A]
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
        try decode(type, Array(line.utf8))
    }

    /// - Parameter line: with or without its end.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ line: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
