import ExactTime

/// A number of a JSON document with all its digits: `1`, `1.0` and `10e-1` are equal.
struct JSONNumber: Equatable, Sendable {
    /// The decimal text in a unique form, with an exponent only for very large or very small numbers.
    let text: String

    /// - Parameter text: a number as JSON writes it.
    init(written text: String) {
        self.text = JSONNumber.shortest(text) ?? text
    }

    /// The exact value; nil if 64 bits cannot hold it.
    var rational: Rational? { Rational(text: text) }

    /// The nearest double; infinite if the number is out of range.
    var double: Double? { Double(text) }

    /// The greatest number of zeros that replace an exponent.
    private static let longestRun = 40

    /// The unique text for all spellings of the same number; nil if the text is not a number.
    private static func shortest(_ written: String) -> String? {
        let parts = written.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, parts.count <= 2 else { return nil }
        guard let exponent = parts.count == 2 ? Int(parts[1]) : 0, exponent.magnitude < 1_000_000 else { return nil }
        let isNegative = mantissa.hasPrefix("-")
        let sides = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = sides.first, sides.count <= 2 else { return nil }
        let all = Array(whole.utf8) + Array((sides.count == 2 ? sides[1] : "").utf8)
        let leading = all.prefix { $0 == UInt8(ascii: "0") }.count
        guard leading < all.count else { return "0" }
        let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let digits = String(decoding: all[leading..<(all.count - trailing)], as: UTF8.self)
        // The number is 0.DIGITS times ten to the power of `point`.
        let point = whole.utf8.count - leading + exponent
        let sign = isNegative ? "-" : ""
        let count = digits.utf8.count
        guard point <= count + longestRun, point >= -longestRun else { return "\(sign)\(digits)e\(point - count)" }
        if point <= 0 { return "\(sign)0." + String(repeating: "0", count: -point) + digits }
        if point >= count { return sign + digits + String(repeating: "0", count: point - count) }
        return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    }
}
