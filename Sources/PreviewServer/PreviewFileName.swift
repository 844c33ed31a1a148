/// The name of a file that the engine makes: ASCII letters, digits, `.`, `_` and `-`, and no `.` at the beginning. No such
/// name leads to another folder, is a hidden file, or needs escapes in an address or in JSON.
package struct PreviewFileName: Hashable, Sendable {
    package let text: String

    /// The longest name, in bytes.
    private static let limit = 200

    /// - Returns: nil for any other text.
    package init?(_ text: String) {
        guard (1...PreviewFileName.limit).contains(text.utf8.count), !text.hasPrefix("."),
            text.utf8.allSatisfy(\.isPlain)
        else { return nil }
        self.text = text
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, a digit, `.`, `_` or `-`.
    var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
