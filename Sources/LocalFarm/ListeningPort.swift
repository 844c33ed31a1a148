import Glibc

/// A TCP port on 127.0.0.1 on which a server of this machine is going to listen.
package enum ListeningPort {
    /// - Throws: `LocalServerError` when the port is taken, or when this user may not listen on it.
    package static func check(_ port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw LocalServerError("a socket cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        // Set SO_REUSEADDR as servers do, so that connections closed a moment ago do not block the port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound != 0 else { return }
        let reason = errno == EADDRINUSE ? "is taken by another program" : "cannot be used: \(String(cString: strerror(errno)))"
        throw LocalServerError("port \(port) \(reason); choose another one with --port")
    }
}
