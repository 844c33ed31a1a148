extension String {
    /// The text with its percent escapes decoded (RFC 3986, section 2.1); nil when it is malformed or not UTF-8.
    var percentDecoded: String? {
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // `UInt8(_:radix:)` alone would take a sign as well.
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
