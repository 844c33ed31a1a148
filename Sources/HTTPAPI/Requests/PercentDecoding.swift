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
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
