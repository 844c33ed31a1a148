package import NIOCore
import Glibc

extension SocketAddress {
    /// The client's address as the limits count it: an IPv4 address, or the first 64 bits of an IPv6 address, because a
    /// client with one address of such a network has all of them. An IPv4 address mapped into IPv6 counts as the IPv4
    /// address. Nil when the connection is not over a network.
    package var countedAddress: String? {
        guard case .v6 = self, let text = ipAddress else { return ipAddress }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map { "\($0)" }.joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}
