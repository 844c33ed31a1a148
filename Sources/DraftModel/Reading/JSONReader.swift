import FoundationEssentials

/// Reads JSON strictly as RFC 8259 defines it: no comments, no trailing commas, no duplicate names in an object.
///
/// Time and memory are linear in the length of the text, and its depth is limited, so that a hostile document costs no
/// more than others. A fault is reported with line and column, both counted from 1. Columns count Unicode code points.
struct JSONReader {
    private struct Fault: Error {
        var offset: Int
        var message: String
        /// Whether the text is valid JSON that is refused for another reason.
        var isJSON = false
    }

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private init(_ data: Data) {
        bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// - Throws: `DraftError` with one `syntax` diagnostic that gives the position and the fault.
    static func read(_ data: Data) throws(DraftError) -> JSONValue {
        var reader = JSONReader(data)
        do throws(Fault) {
            let value = try reader.value()
            reader.skipSpace()
            guard reader.position == reader.bytes.count else {
                throw Fault(offset: reader.position, message: "there is \(reader.found) after the end of the document")
            }
            return value
        } catch {
            let (line, column) = reader.place(of: error.offset)
            let place = "line \(line), column \(column)"
            throw DraftError([
                DraftDiagnostic(
                    path: "", code: .syntax,
                    message: error.isJSON ? "\(place): \(error.message)" : "this is not JSON: \(place): \(error.message)")
            ])
        }
    }

    // MARK: Values

    private mutating func value() throws(Fault) -> JSONValue {
        skipSpace()
        guard position < bytes.count else { throw Fault(offset: position, message: "the text ends where a value should be") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try nested { reader throws(Fault) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Fault) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(JSONNumber(written: try number()))
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw Fault(offset: position, message: "there is \(found) where a value should be")
        }
    }

    private mutating func nested(_ body: (inout JSONReader) throws(Fault) -> JSONValue) throws(Fault) -> JSONValue {
        guard depth < DraftLimits.jsonDepth else {
            throw Fault(
                offset: position, message: "arrays and objects are nested more than \(DraftLimits.jsonDepth) deep", isJSON: true)
        }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(Fault) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if skip(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            let start = position
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw Fault(
                    offset: position,
                    message: members.isEmpty || !isAt("}")
                        ? "there is \(found) where the name of a member should be, in quotes"
                        : "remove the comma before the closing brace")
            }
            let name = try string()
            guard name.utf8.count <= DraftLimits.memberNameBytes else {
                throw Fault(
                    offset: start, message: "a name may have \(DraftLimits.memberNameBytes) bytes, not \(name.utf8.count)",
                    isJSON: true)
            }
            guard skip(UInt8(ascii: ":")) else {
                throw Fault(offset: position, message: "there is \(found) where a colon should be, after '\(name)'")
            }
            if members.updateValue(try value(), forKey: name) != nil {
                throw Fault(
                    offset: start, message: "'\(name)' appears twice in one object; leave one of them out", isJSON: true)
            }
            if skip(UInt8(ascii: ",")) { continue }
            guard skip(UInt8(ascii: "}")) else {
                throw Fault(offset: position, message: "there is \(found) where a comma or a closing brace should be")
            }
            return .object(members)
        }
    }

    private mutating func array() throws(Fault) -> JSONValue {
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipSpace()
            if !elements.isEmpty, isAt("]") {
                throw Fault(offset: position, message: "remove the comma before the closing bracket")
            }
            elements.append(try value())
            if skip(UInt8(ascii: ",")) { continue }
            guard skip(UInt8(ascii: "]")) else {
                throw Fault(offset: position, message: "there is \(found) where a comma or a closing bracket should be")
            }
            return .array(elements)
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Fault) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else {
            throw Fault(offset: position, message: "there is \(found) where a value should be")
        }
        position += word.utf8.count
        return value
    }

    /// Reads a number and returns its text as it is written.
    private mutating func number() throws(Fault) -> String {
        let start = position
        func isDigit(_ place: Int) -> Bool {
            place < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
        }
        func digits(_ what: String) throws(Fault) {
            guard isDigit(position) else { throw Fault(offset: position, message: "there is \(found) where \(what) should be") }
            while isDigit(position) { position += 1 }
        }
        if isAt("-") { position += 1 }
        if isAt("0"), isDigit(position + 1) {
            throw Fault(offset: position, message: "a number does not begin with 0 and another digit")
        }
        try digits("a digit")
        if isAt(".") {
            position += 1
            try digits("a digit after the point")
        }
        if isAt("e") || isAt("E") {
            position += 1
            if isAt("+") || isAt("-") { position += 1 }
            try digits("a digit of an exponent")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        let start = position
        position += 1
        var run = position
        var text = ""
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                try append(run..<position, to: &text)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                try append(run..<position, to: &text)
                text.unicodeScalars.append(try escaped())
                run = position
            case 0..<0x20:
                throw Fault(
                    offset: position,
                    message: bytes[position] == 0x0A || bytes[position] == 0x0D
                        ? "a line ends inside a string; write \\n" : "there is \(found) inside a string; write it as \\u00XX")
            default: position += 1
            }
        }
        throw Fault(offset: start, message: "the string that begins here has no end")
    }

    private func append(_ run: Range<Int>, to text: inout String) throws(Fault) {
        guard !run.isEmpty else { return }
        guard let part = String(validating: bytes[run], as: UTF8.self) else {
            throw Fault(offset: run.lowerBound, message: "the string that continues here is not UTF-8")
        }
        text += part
    }

    /// Reads a backslash and the characters after it, and returns the character that they stand for.
    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        let start = position
        position += 2
        guard start + 1 < bytes.count else { throw Fault(offset: start, message: "the text ends inside a string") }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Fault(offset: start, message: "unknown escape in a string; a backslash itself is \\\\")
        }
        let first = try hexadecimal(start)
        if first == 0 {
            throw Fault(offset: start, message: "the character NUL is not allowed in a document", isJSON: true)
        }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // Two escapes, a surrogate pair, stand for a character above U+FFFF.
        let second = position
        if first < 0xDC00, isAt("\\"), second + 1 < bytes.count, bytes[second + 1] == UInt8(ascii: "u") {
            position += 2
            let low = try hexadecimal(second)
            if (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00)) {
                return scalar
            }
        }
        throw Fault(offset: start, message: "half of a surrogate pair is not a character")
    }

    private mutating func hexadecimal(_ start: Int) throws(Fault) -> UInt32 {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
        else { throw Fault(offset: start, message: "\\u needs four hexadecimal digits") }
        position = end
        return value
    }

    // MARK: Bytes

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Skips a byte and the white space before it, if the byte is there.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private func isAt(_ character: Unicode.Scalar) -> Bool {
        position < bytes.count && UInt32(bytes[position]) == character.value
    }

    /// The character at the position, for a message.
    private var found: String {
        guard position < bytes.count else { return "the end of the text" }
        let byte = bytes[position]
        guard byte >= 0x20, byte != 0x7F else { return "the control character \(byte)" }
        let rest = bytes[position..<min(bytes.count, position + 4)]
        return String(decoding: rest, as: UTF8.self).first.map { "'\($0)'" } ?? "'?'"
    }

    private func place(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        var previous: UInt8 = 0
        for byte in bytes.prefix(offset).dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) {
            if byte == 0x0A || byte == 0x0D {
                // A carriage return followed by a line feed counts as one line end.
                if byte == 0x0D || previous != 0x0D { line += 1 }
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            previous = byte
        }
        return (line, column)
    }
}
