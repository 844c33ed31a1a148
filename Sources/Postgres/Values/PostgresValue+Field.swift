/// Reads fields as the server writes them in text format.
///
/// The text format is used and not the binary format, because every type has it: a type that this file does not know is
/// still readable as text. `LibpqSession` sets the formats that this file relies on (ISO dates, bytes as hexadecimal
/// digits).
extension PostgresValue {
    /// - Parameters:
    ///   - field: the field's bytes.
    ///   - type: the column's type; a value that does not fit it (`infinity` as a time) is read as text.
    init(field: UnsafeRawBufferPointer, type: UInt32) {
        if type == PostgresType.bytea, let bytes = PostgresValue.bytes(hexadecimal: field) {
            self = .bytes(bytes)
            return
        }
        let text = String(decoding: field, as: UTF8.self)
        self = PostgresValue.typed(text, type) ?? .text(text)
    }

    private static func typed(_ text: String, _ type: UInt32) -> PostgresValue? {
        switch type {
        case PostgresType.bool: .bool(text == "t")
        case PostgresType.int2, PostgresType.int4, PostgresType.int8, PostgresType.oid: Int64(text).map(PostgresValue.int64)
        case PostgresType.float4, PostgresType.float8: Double(text).map(PostgresValue.double)
        case PostgresType.json, PostgresType.jsonb: .json(text)
        case PostgresType.uuid: .uuid(text)
        case PostgresType.numeric: .numeric(text)
        case PostgresType.timestamp, PostgresType.timestamptz:
            TimestampText.parse(text).map(PostgresValue.timestamp)
        case PostgresType.textArray, PostgresType.varcharArray, PostgresType.nameArray, PostgresType.uuidArray:
            ArrayText.parse(text).map(PostgresValue.textArray)
        case PostgresType.int2Array, PostgresType.int4Array, PostgresType.int8Array:
            ArrayText.parse(text).flatMap { elements in
                let numbers = elements.map { $0.map { Int64($0) } }
                return numbers.contains(.some(nil)) ? nil : .int64Array(numbers.map { $0 ?? nil })
            }
        default: nil
        }
    }

    /// Reads `\x00ff` as bytes.
    private static func bytes(hexadecimal field: UnsafeRawBufferPointer) -> [UInt8]? {
        guard field.count >= 2, field.count.isMultiple(of: 2), field[0] == UInt8(ascii: "\\"), field[1] == UInt8(ascii: "x")
        else { return nil }
        func digit(_ index: Int) -> UInt8? {
            switch field[index] {
            case let byte where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case let byte where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.count / 2 - 1)
        for index in stride(from: 2, to: field.count, by: 2) {
            guard let high = digit(index), let low = digit(index + 1) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
