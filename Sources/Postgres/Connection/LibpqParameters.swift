import CPostgres

/// Parameters as libpq takes them: all bytes lie in one array that this value owns, and pointers into the array exist
/// only within a closure.
struct LibpqParameters {
    /// The types that the server is told, in order.
    let types: [Oid]
    private var bytes: [CChar] = []
    /// Where each value starts; nil for null.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []
    /// 0 for text, 1 for the type's binary format.
    private var formats: [Int32] = []

    /// - Throws: `PostgresError` (`misuse`) for a text with a zero byte, which the server cannot store and at which
    ///   libpq would silently cut the text, and for a date out of range.
    init(_ values: [PostgresValue], statement: String) throws(PostgresError) {
        types = values.map(LibpqParameters.type)
        for (index, value) in values.enumerated() {
            func refusal(_ why: String) -> PostgresError {
                PostgresError(.misuse, "parameter $\(index + 1) \(why)", statement: statement)
            }
            switch value {
            case .null: starts.append(nil)
            case .bytes(let value): append(value, isText: false)
            case .timestamp(let date):
                guard let microseconds = TimestampText.microsecondsSince2000(date) else {
                    throw refusal("is a date outside the server's range")
                }
                append(withUnsafeBytes(of: microseconds.bigEndian) { Array($0) }, isText: false)
            case .bool(let value): append(value ? "t" : "f")
            case .int64(let value): append("\(value)")
            case .double(let value): append("\(value)")
            case .int64Array(let elements): append(ArrayText.format(elements.map { $0.map { "\($0)" } }))
            case .text(let text), .json(let text), .uuid(let text), .numeric(let text):
                guard !text.utf8.contains(0) else { throw refusal("has a zero byte, which text cannot hold") }
                append(text)
            case .textArray(let elements):
                let text = ArrayText.format(elements)
                guard !text.utf8.contains(0) else { throw refusal("has a zero byte, which text cannot hold") }
                append(text)
            }
            if case .null = value {
                lengths.append(0)
                formats.append(0)
            }
        }
    }

    private mutating func append(_ text: String) { append(Array(text.utf8), isText: true) }

    private mutating func append(_ value: [UInt8], isText: Bool) {
        starts.append(bytes.count)
        lengths.append(Int32(clamping: value.count))
        formats.append(isText ? 0 : 1)
        bytes.append(contentsOf: value.lazy.map(CChar.init(bitPattern:)))
        bytes.append(0)
    }

    /// Lends the parameters in the order in which libpq's functions take them: count, values, lengths, formats. The
    /// pointers are valid only within the closure; libpq's `PQsend...` functions copy what they point at.
    func lend<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            let values = starts.map { start in start.flatMap { buffer.baseAddress?.advanced(by: $0) } }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(Int32(values.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }

    private static func type(_ value: PostgresValue) -> Oid {
        switch value {
        case .null, .text, .json: PostgresType.inferred
        case .bool: PostgresType.bool
        case .int64: PostgresType.int8
        case .double: PostgresType.float8
        case .bytes: PostgresType.bytea
        case .timestamp: PostgresType.timestamptz
        case .uuid: PostgresType.uuid
        case .numeric: PostgresType.numeric
        case .textArray: PostgresType.textArray
        case .int64Array: PostgresType.int8Array
        }
    }
}
