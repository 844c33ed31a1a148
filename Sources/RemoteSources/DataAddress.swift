import ExportPlan
import FoundationEssentials

/// The bytes of a `data:` address (RFC 2397).
enum DataAddress {
    /// - Parameter path: everything after the colon.
    /// - Returns: nil where it is malformed.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let comma = path.firstIndex(of: ",") else { return nil }
        let type = path[..<comma].lowercased()
        guard let content = unescaped(path[path.index(after: comma)...]) else { return nil }
        guard type.hasSuffix(";base64") else { return content }
        let digits = content.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return Data(base64Encoded: Data(digits)).map { [UInt8]($0) }
    }

    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
