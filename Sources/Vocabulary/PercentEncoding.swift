extension String {
    /// The text as a part of an address, in which only unreserved characters (RFC 3986, section 2.3) stand for themselves.
    /// - Parameter others: further ASCII characters that stand for themselves, such as the slashes of a path.
    package func percentEncoded(keeping others: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            case _ where byte < 0x80 && others.utf8.contains(byte): encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
