/// One entry of a stream: its id, and its fields in the order in which they were added.
package struct RedisStreamEntry: Sendable, Equatable {
    /// A name and a value; names may repeat.
    package struct Field: Sendable, Equatable {
        /// The name, which is text for every field in the farm.
        package var name: String
        /// The value: any bytes.
        package var value: [UInt8]

        /// A field of text, a number or bytes.
        package init(_ name: String, _ value: some RedisArgument) {
            self.name = name
            self.value = value.redisBytes
        }
    }

    /// The id, unique in its stream and greater than those before.
    package let id: RedisStreamID
    /// The fields. They are empty when the entry is pending but trimmed away, because no entry is added without a
    /// field.
    package let fields: [Field]

    /// The value of the first field of that name.
    package subscript(name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    /// The value of the first field of that name as text; nil also when it is not UTF-8.
    package func text(_ name: String) -> String? { self[name].flatMap { String(validating: $0, as: UTF8.self) } }

    /// Reads an id, and then names and values in turn.
    init(_ value: RedisValue) throws {
        let parts = try value.array
        guard parts.count == 2 else {
            throw RedisError(.unexpectedReply, "expected an entry of an id and fields, got \(parts.count) values")
        }
        id = try RedisStreamID(parts[0])
        let flat = try parts[1].ifPresent?.array ?? []
        guard flat.count.isMultiple(of: 2) else {
            throw RedisError(.unexpectedReply, "expected fields and values, got \(flat.count) values")
        }
        fields = try stride(from: 0, to: flat.count, by: 2).map { Field(try flat[$0].text, try flat[$0 + 1].bytes) }
    }
}
