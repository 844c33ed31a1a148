/// What was asked for while a value was decoded.
final class SchemaShape {
    var properties: [String: JSONSchema] = [:]
    /// The names of the properties that the type can do without.
    var optional: Set<String> = []
    /// The schema of the elements, where an array was asked for.
    var items: JSONSchema?
    /// The schema of the only value, where one was asked for.
    var single: JSONSchema?

    var object: JSONSchema { .object(properties, required: Set(properties.keys).subtracting(optional)) }
}

/// A decoder without data: it gives every type the values that it asks for, and notes in a shape what these were.
struct SchemaDecoder: Decoder {
    let reader: SchemaReader
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SchemaObject<Key>(reader: reader, shape: shape))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { SchemaArray(reader: reader, shape: shape) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SchemaValue(reader: reader, shape: shape) }
}

/// Notes the properties of an object. `decodeIfPresent` asks `contains` first, and `decode` does not: that tells an optional
/// property from one that is always there.
private struct SchemaObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: SchemaReader
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        shape.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        let (schema, example) = reader.read(type)
        shape.properties[key.stringValue] = schema
        return example
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(type, key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Unreadable("a nested object") }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unreadable("a nested array") }
    func superDecoder() throws -> any Decoder { throw Unreadable("a superclass") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unreadable("a superclass") }
}

/// Gives an array of one element.
private struct SchemaArray: UnkeyedDecodingContainer {
    let reader: SchemaReader
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }
    private(set) var currentIndex = 0

    mutating func decodeNil() throws -> Bool { false }

    private mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, example) = reader.read(type)
        shape.items = schema
        currentIndex += 1
        return example
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw Unreadable("a nested object")
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unreadable("a nested array") }
    mutating func superDecoder() throws -> any Decoder { throw Unreadable("a superclass") }
}

/// Gives a single value.
private struct SchemaValue: SingleValueDecodingContainer {
    let reader: SchemaReader
    let shape: SchemaShape
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    private func value<Value: Decodable>(_ type: Value.Type) -> Value {
        let (schema, example) = reader.read(type)
        shape.single = schema
        return example
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { value(type) }
    func decode(_ type: Bool.Type) throws -> Bool { value(type) }
    func decode(_ type: String.Type) throws -> String { value(type) }
    func decode(_ type: Double.Type) throws -> Double { value(type) }
    func decode(_ type: Float.Type) throws -> Float { value(type) }
    func decode(_ type: Int.Type) throws -> Int { value(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { value(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { value(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { value(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { value(type) }
    func decode(_ type: UInt.Type) throws -> UInt { value(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { value(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { value(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { value(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { value(type) }
}

/// A part of a type that this decoder cannot give.
private struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ part: String) { description = "it asks for \(part)" }
}
