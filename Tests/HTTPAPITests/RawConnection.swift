import Dispatch
import Synchronization
import Testing
import Glibc

/// An HTTP client that sends exactly the given bytes, and can stop where no library would.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter port: the port of a server on this machine.
    init(port: Int) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        defer { freeaddrinfo(found) }
        try #require(getaddrinfo("localhost", "\(port)", &hints, &found) == 0)
        var candidate = found
        while let address = candidate?.pointee {
            let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            candidate = address.ai_next
        }
        throw Unreachable()
    }

    struct Unreachable: Error {}

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        // A send error is ignored: the server has refused the request, and its answer says so.
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a byte again and again on its own thread, so that other tests do not delay it.
    /// - Returns: a flag that ends the sending when it is set.
    func trickle(every pause: Duration) -> Flag {
        let isOver = Flag()
        DispatchQueue.global().async {
            while !isOver.isSet {
                self.send("x")
                usleep(UInt32(pause / .microseconds(1)))
            }
        }
        return isOver
    }

    /// A boolean that several threads share.
    final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    /// Receives until a text has come, or until the server closes the connection.
    /// - Parameter end: the text; nil waits for the close.
    func received(until end: String? = nil) async -> String {
        let descriptor = descriptor
        return await withCheckedContinuation { done in
            // Use another thread, because receiving blocks; the caller keeps `self` alive.
            DispatchQueue.global().async {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    bytes += buffer.prefix(count)
                    if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
                }
                done.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
