import FoundationEssentials

/// Messages on pipes: one JSON object per line.
package enum MessageLine {
    /// - Returns: the line including its line feed.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [0x0A]
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
        try decode(type, Array(line.utf8))
    }

    /// - Parameter line: the line with or without its line feed.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ line: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
