import ExportPlan
import Media

/// Decodes text of unknown encoding: UTF-8 with or without a byte order mark, or UTF-16 with one. Everything else is
/// read as Windows-1252, whose printable characters include those of Latin-1.
enum SourceText {
    /// - Throws: `MediaError` `damaged` if UTF-16 ends within a character or is invalid, or if there are zero bytes.
    static func decode(_ bytes: [UInt8], _ path: String) throws(MediaError) -> String {
        if isUTF16(bytes) {
            guard bytes.count % 2 == 0, let text = String(validating: units(bytes), as: UTF16.self) else {
                throw MediaError(
                    .damaged, subject: path,
                    message: "is damaged: it begins like UTF-16, but is not UTF-16; save it as UTF-8")
            }
            return try checked(text, path)
        }
        let plain = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return try checked(String(validating: plain, as: UTF8.self) ?? windows1252(plain), path)
    }

    /// Decodes the beginning of a text. Its last character may be cut in two.
    static func begin(_ bytes: [UInt8]) -> String {
        if isUTF16(bytes) { return String(decoding: units(bytes), as: UTF16.self) }
        return String(decoding: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    static func isUTF16(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The code units after the byte order mark.
    private static func units(_ bytes: [UInt8]) -> [UInt16] {
        let isBigEndian = bytes[0] == 0xFE
        return stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
    }

    private static func checked(_ text: String, _ path: String) throws(MediaError) -> String {
        guard !text.utf8.contains(0) else {
            throw MediaError(
                .damaged, subject: path, message: "is damaged: it is a text with zero bytes in it; save it as UTF-8")
        }
        return text
    }

    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// The characters 0x80 to 0x9F. The five unused codes map to the same code points as in Latin-1 (WHATWG Encoding,
    /// index windows-1252).
    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}", "\u{2030}",
        "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}",
        "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}",
        "\u{17E}", "\u{178}",
    ]
}
