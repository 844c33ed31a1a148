import ExportPlan
import FarmAPI

/// Which names and labels are allowed. PostgreSQL cannot store NUL in a text.
package enum TextCheck {
    package static let labelLength = 500

    package static func noNUL(_ text: String, _ what: String) throws {
        if text.utf8.contains(0) { throw RequestFault(.badRequest, "\(what) has a NUL character in it") }
    }

    /// Refuses NUL in a JSON document, both as a character and as an escape.
    package static func noNUL(inJSON text: String, _ what: String) throws {
        try noNUL(text, what)
        let escape = Array("\\u0000".utf8)
        let bytes = Array(text.utf8)
        var position = 0
        while let mark = bytes[position...].firstIndex(of: UInt8(ascii: "\\")) {
            if bytes[mark...].starts(with: escape) { throw RequestFault(.badRequest, "\(what) has a NUL character in it") }
            position = min(mark + 2, bytes.count)
        }
    }

    package static func label(_ text: String) throws {
        try noNUL(text, "the label")
        guard (1...labelLength).contains(text.count) else {
            throw RequestFault(.badRequest, "a label has 1...\(labelLength) characters, not \(text.count)")
        }
    }

    /// Checks the name of a tenant or pool.
    package static func tag(_ text: String, _ what: String) throws {
        if let fault = tagFault(text, what) { throw RequestFault(.badRequest, fault) }
    }

    /// Whether a text can be the name of a tenant, pool or destination.
    package static func isTag(_ text: String) -> Bool { tagFault(text, "name") == nil }

    /// What is wrong with the name of a tenant or pool; nil for an allowed name.
    static func tagFault(_ text: String, _ what: String) -> String? {
        let isPlain = text.utf8.allSatisfy { isDigit($0) || (97...122).contains($0) || $0 == UInt8(ascii: "-") }
        guard isPlain, (1...63).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else {
            return "a \(what)'s name has 1...63 of a-z, 0-9 and -, and does not begin with -; got '\(text)'"
        }
        return nil
    }

    /// Checks patterns of addresses (`AddressPattern`).
    package static func addresses(_ patterns: [String]) throws {
        guard patterns.count <= 100 else {
            throw RequestFault(.badRequest, "at most 100 patterns of addresses are allowed, not \(patterns.count)")
        }
        for text in patterns where text != "*" && (AddressPattern(text) == nil || text.utf8.count > 500) {
            throw RequestFault(
                .badRequest,
                "'\(text.prefix(500))' is no pattern of addresses; write it as https://*.example.com/folder/ or s3://bucket/prefix/"
            )
        }
    }

    package static func draftName(_ text: String) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            isDigit(byte) || (97...122).contains(byte) || (65...90).contains(byte) || "._-".utf8.contains(byte)
        }
        guard isPlain, (1...128).contains(text.utf8.count), text.utf8.first.map({ !"._-".utf8.contains($0) }) == true else {
            throw RequestFault(
                .badRequest,
                "a draft's name has 1...128 of A-Z, a-z, 0-9, '.', '_' and '-', and begins with a letter or a digit; "
                    + "got '\(text.prefix(128))'")
        }
    }

    /// Checks the name of a token or of a file.
    package static func name(_ text: String, _ what: String) throws {
        try noNUL(text, what)
        guard (1...255).contains(text.count) else {
            throw RequestFault(.badRequest, "\(what) has 1...255 characters, not \(text.count)")
        }
    }

    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { isDigit($0) || (97...102).contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
