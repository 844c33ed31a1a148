import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A port where something else than Redis answers.
final class ForeignServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
        port = try RedisServer.freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard code == 0, listen(listener, 8) == 0 else { throw RedisServer.Failure(description: "cannot listen on \(port)") }
    }

    deinit { close(listener) }

    /// Waits for somebody to connect, says something and hangs up.
    func say(_ words: String) async throws {
        var caller: Int32 = -1
        try await until {
            caller = accept(listener, nil, nil)
            return caller >= 0
        }
        _ = write(caller, words, words.utf8.count)
        close(caller)
    }
}
