import Glibc

/// An internet address: 16 bytes, those of IPv4 as `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2).
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// - Parameter text: an address in numbers, of IPv4 with four parts or of IPv6.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// - Parameter address: the address of a socket; nil for one that is not of the internet.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        bytes = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + withUnsafeBytes(of: address.s_addr) { Array($0) }
    }

    private init(_ address: in6_addr) {
        bytes = withUnsafeBytes(of: address) { Array($0) }
    }

    init(ipv4 bytes: ArraySlice<UInt8>) {
        self.bytes = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
    }

    package var description: String {
        let isIPv4 = bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        if isIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// All addresses that begin with the same bits.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    let address: IPAddress
    /// The number of bits that count, of 128.
    let length: Int
    package let description: String

    /// - Parameter text: an address, alone or with a number of bits, as in `10.0.0.0/8` and `fd00::/8`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let (base, most) = first.contains(":") ? (0, 128) : (96, 32)
        let bits = parts.count == 2 ? Int(parts[1]) : most
        guard let bits, (0...most).contains(bits) else { return nil }
        self.address = address
        length = base + bits
        description = text
    }

    package func contains(_ other: IPAddress) -> Bool {
        (0..<16).allSatisfy { index in
            let bits = min(max(length - index * 8, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            return (address.bytes[index] ^ other.bytes[index]) & mask == 0
        }
    }
}
