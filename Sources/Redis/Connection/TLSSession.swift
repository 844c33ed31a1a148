import CTLS
import Glibc

/// TLS on one socket, which the owner closes after this is released. Like the socket, it never blocks by itself: `SocketWait`
/// does the waiting.
final class TLSSession {
    private let pointer: OpaquePointer
    private let descriptor: Int32

    /// Makes the connection of a socket secure.
    /// - Parameter host: the name or IP address that the server's certificate has to be for.
    /// - Throws: `SocketFault`; `insecure` where the server or the files cannot be trusted.
    init(_ descriptor: Int32, host: String, _ settings: RedisTLS, _ wait: SocketWait) throws(SocketFault) {
        guard let opened = TLSSession.open(descriptor, host, settings) else { throw .broken("out of memory") }
        pointer = opened
        self.descriptor = descriptor
        while case let result = spool_tls_handshake(pointer), result != SPOOL_TLS_DONE {
            // A failure before the connection is secure says that it cannot be.
            if result == SPOOL_TLS_FAILED { throw .insecure(fault) }
            try self.wait(for: result, wait)
        }
    }

    deinit { spool_tls_free(pointer) }

    /// Whether the server has neither closed the connection nor sent anything unasked.
    var isQuiet: Bool { spool_tls_is_quiet(pointer) != 0 }

    /// Sends bytes, at least one.
    /// - Returns: how many were sent, from the first one on.
    func write(_ bytes: UnsafeRawBufferPointer, _ wait: SocketWait) throws(SocketFault) -> Int {
        var count = 0
        while case let result = spool_tls_write(pointer, bytes.baseAddress, bytes.count, &count), result != SPOOL_TLS_DONE {
            try self.wait(for: result, wait)
        }
        return count
    }

    /// Waits for bytes, and reads as many as there are and fit into the buffer.
    /// - Returns: how many were read, at least one.
    func read(_ buffer: UnsafeMutableRawBufferPointer, _ wait: SocketWait) throws(SocketFault) -> Int {
        var count = 0
        while case let result = spool_tls_read(pointer, buffer.baseAddress, buffer.count, &count), result != SPOOL_TLS_DONE {
            try self.wait(for: result, wait)
        }
        return count
    }

    private func wait(for result: spool_tls_result, _ wait: SocketWait) throws(SocketFault) {
        switch result {
        case SPOOL_TLS_WANTS_READ: try wait.ready(descriptor, Int32(POLLIN))
        case SPOOL_TLS_WANTS_WRITE: try wait.ready(descriptor, Int32(POLLOUT))
        case SPOOL_TLS_CLOSED: throw .broken("the server closed the connection")
        default: throw .broken(fault)
        }
    }

    private var fault: String { String(cString: spool_tls_fault(pointer)) }

    private static func open(_ descriptor: Int32, _ host: String, _ settings: RedisTLS) -> OpaquePointer? {
        func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
            text.map { $0.withCString { body($0) } } ?? body(nil)
        }
        return withText(settings.authorities) { authorities in
            withText(settings.certificate) { certificate in
                withText(settings.key) { key in
                    var files = spool_tls_files(authorities: authorities, certificate: certificate, key: key)
                    return spool_tls_new(descriptor, host, &files)
                }
            }
        }
    }
}
