import TestSupport
import Testing
import Glibc

/// A socket on 127.0.0.1 that accepts connections and never sends anything.
final class SilentServer: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, address, length) == 0 && listen(descriptor, 5) == 0
                && getsockname(descriptor, address, &length) == 0
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isListening)
    }

    deinit { close(descriptor) }

    /// Waits until a client has connected, and leaves it without an answer.
    func waitForClient() async throws {
        while accept(descriptor, nil, nil) < 0 { try await nextLook() }
    }
}
