/// Arrays of one dimension as text, `{a,"b \"c\"",NULL}` (PostgreSQL manual, section 8.15.6).
enum ArrayText {
    /// Every element is quoted, so that none is mistaken for `NULL` or for two elements.
    static func format(_ elements: [String?]) -> String {
        var text: [UInt8] = [UInt8(ascii: "{")]
        text.reserveCapacity(elements.reduce(2) { $0 + ($1?.utf8.count ?? 2) + 3 })
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            guard let element else {
                text += "NULL".utf8
                continue
            }
            text.append(UInt8(ascii: "\""))
            for byte in element.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
                text.append(byte)
            }
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil for a text that is no array of one dimension that counts from 1.
    static func parse(_ text: String) -> [String?]? {
        var scanner = Scanner(rest: Substring(text).utf8)
        guard scanner.skip("{") else { return nil }
        if scanner.skip("}") { return scanner.rest.isEmpty ? [] : nil }
        var elements: [String?] = []
        while true {
            guard let element = scanner.element() else { return nil }
            elements.append(element)
            if scanner.skip("}") { return scanner.rest.isEmpty ? elements : nil }
            guard scanner.skip(",") else { return nil }
        }
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// The next element, `.some(nil)` for a null element; nil where there is none.
        mutating func element() -> String?? {
            let isQuoted = skip("\"")
            var bytes: [UInt8] = []
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "\\"):
                    rest.removeFirst()
                    guard let escaped = rest.first else { return nil }
                    bytes.append(escaped)
                case UInt8(ascii: "\"") where isQuoted:
                    rest.removeFirst()
                    return .some(String(decoding: bytes, as: UTF8.self))
                case UInt8(ascii: ",") where !isQuoted, UInt8(ascii: "}") where !isQuoted:
                    let text = String(decoding: bytes, as: UTF8.self)
                    return text.isEmpty ? nil : .some(text == "NULL" ? nil : text)
                case UInt8(ascii: "{") where !isQuoted:
                    return nil
                default:
                    bytes.append(byte)
                }
                rest.removeFirst()
            }
            return nil
        }
    }
}
