/// Arrays of one dimension as text, `{a,"b \"c\"",NULL}` (PostgreSQL manual, section 8.15.6).
enum ArrayText {
    /// Every element is quoted, so that none is mistaken for `NULL` or for two elements.
    static func format(_ elements: [String?]) -> String {
        var text = "{"
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            guard let element else {
                text += "NULL"
                continue
            }
            text += "\""
            for character in element.unicodeScalars {
                if character == "\"" || character == "\\" { text += "\\" }
                text.unicodeScalars.append(character)
            }
            text += "\""
        }
        return text + "}"
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
