/// Reads and writes rationals as text: `5`, `"num/den"`, or exact decimal text.
extension Rational {
    /// Reads `"30000/1001"`, `"12"`, `"0.1"` or `"-1.5e-3"`; `0.1` is one tenth, not the nearest double.
    /// - Returns: nil if the text is none of these or needs more than 64 bits.
    package init?(text: some StringProtocol) {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            self.init(decimal: text)
            return
        }
        // No number has another slash.
        guard let numerator = Int64(text[..<slash]), let denominator = Int64(text[text.utf8.index(after: slash)...]),
            denominator > 0
        else { return nil }
        self.init(numerator, denominator)
    }

    /// Reads decimal text with an optional exponent, digit for digit.
    private init?(decimal text: some StringProtocol) {
        var mantissa = Substring(text)
        var exponent = 0
        if let mark = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let power = Int(mantissa[mantissa.index(after: mark)...]), power.magnitude <= 36 else { return nil }
            exponent = power
            mantissa = mantissa[..<mark]
        }
        let negative = mantissa.hasPrefix("-")
        if negative || mantissa.hasPrefix("+") { mantissa = mantissa.dropFirst() }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !mantissa.isEmpty, mantissa != "." else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        let digits = whole + fraction
        guard digits.count <= 37, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int128(digits)
        else { return nil }
        exponent -= fraction.count
        guard exponent >= -37, exponent <= 37, let power = Rational.powerOfTen(abs(exponent)) else { return nil }
        let (scaled, overflow) =
            exponent > 0 ? value.multipliedReportingOverflow(by: power) : (value, false)
        guard !overflow else { return nil }
        self.init(exactly: negative ? -scaled : scaled, exponent < 0 ? power : 1)
    }

    /// Decimal text with at most six digits after the point; nil if that is not exact.
    var shortDecimal: String? {
        let (scaled, overflow) = numerator.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, scaled % denominator == 0 else { return nil }
        let millionths = (scaled / denominator).magnitude
        let digits = "\(millionths % 1_000_000)"
        let padded = String(repeating: "0", count: 6 - digits.count) + digits
        let fraction = padded.reversed().drop { $0 == "0" }.reversed()
        return "\(numerator < 0 ? "-" : "")\(millionths / 1_000_000)\(fraction.isEmpty ? "" : "." + String(fraction))"
    }

    private static func powerOfTen(_ exponent: Int) -> Int128? {
        var result: Int128 = 1
        for _ in 0..<exponent {
            let (next, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = next
        }
        return result
    }
}

extension Rational: Codable {
    /// Whole values as a JSON number, all others as `"num/den"`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if denominator == 1 {
            try container.encode(numerator)
        } else {
            try container.encode(description)
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {  // a number or else a string: both are legal here
            self.init(reducing: Int128(whole), 1)
            return
        }
        let text = try container.decode(String.self)
        guard let value = Rational(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a fraction")
        }
        self = value
    }
}
