import Glibc

/// A TCP port on 127.0.0.1 that was free a moment ago.
func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw LocalServerError("a socket cannot be opened: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> UInt16? in
            guard bind(descriptor, generic, length) == 0, getsockname(descriptor, generic, &length) == 0 else { return nil }
            return UnsafeRawPointer(generic).load(as: sockaddr_in.self).sin_port
        }
    }
    guard let port else { throw LocalServerError("no free port is found on 127.0.0.1: \(String(cString: strerror(errno)))") }
    return Int(UInt16(bigEndian: port))
}
