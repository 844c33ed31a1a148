/// Reads the commands and numbers of an SVG path one after the other (SVG 2, section 9.3.9, the grammar). Numbers are
/// separated by blanks and commas only where that is necessary: "10-5.5.5" is three numbers.
struct PathScanner {
    private let subject: String
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        subject = text.count > 40 ? text.prefix(40) + "..." : text
        bytes = Array(text.utf8)
    }

    /// The next command's letter. Nil at the end, or if the next byte is not a command.
    mutating func command() -> UInt8? {
        skipBlanks()
        guard let byte = peek, PathScanner.commands.contains(byte) else { return nil }
        place += 1
        return byte
    }

    var isAtEnd: Bool {
        var copy = self
        copy.skipBlanks()
        return copy.place >= bytes.count
    }

    /// Whether a number comes next, which repeats the last command.
    mutating func hasNumber() -> Bool {
        var ahead = self
        ahead.skipSeparator()
        guard let byte = ahead.peek else { return false }
        return PathScanner.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    mutating func number() throws(VectorPathError) -> Double {
        skipSeparator()
        let start = place
        if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { place += 1 }
        var digits = skipDigits()
        if peek == UInt8(ascii: ".") {
            place += 1
            digits += skipDigits()
        }
        guard digits > 0 else {
            place = start
            throw fault(.missingNumber, "a number is missing")
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            let mark = place
            place += 1
            if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { place += 1 }
            if skipDigits() == 0 { place = mark }
        }
        let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)) ?? .infinity
        guard abs(value) <= 1e9 else {
            place = start
            throw fault(.overLimit, "a number is too large")
        }
        return value
    }

    /// An arc's flag: the digit 0 or 1. It needs no separator after it.
    mutating func flag() throws(VectorPathError) -> Bool {
        skipSeparator()
        guard let byte = peek, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
            throw fault(.missingNumber, "an arc's flag, 0 or 1, is missing")
        }
        place += 1
        return byte == UInt8(ascii: "1")
    }

    /// An error at the next byte that is not a blank.
    func fault(_ code: VectorPathErrorCode, _ what: String) -> VectorPathError {
        var copy = self
        copy.skipBlanks()
        let found = copy.place < bytes.count ? "before '\(copy.rest)'" : "at the end"
        return VectorPathError(code, subject: subject, message: "is not a path: \(what) at byte \(copy.place), \(found)")
    }

    private static let commands = Set("MmLlHhVvCcSsQqTtAaZz".utf8)

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var rest: String { String(decoding: bytes[place..<min(place + 8, bytes.count)], as: UTF8.self) }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 32 || (byte >= 9 && byte <= 13) { place += 1 }
    }

    private mutating func skipSeparator() {
        skipBlanks()
        if peek == UInt8(ascii: ",") {
            place += 1
            skipBlanks()
        }
    }

    private mutating func skipDigits() -> Int {
        let start = place
        while let byte = peek, PathScanner.isDigit(byte) { place += 1 }
        return place - start
    }
}
