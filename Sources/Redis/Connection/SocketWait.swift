import Glibc

/// Why a socket delivered nothing.
enum SocketFault: Error, Equatable {
    /// The connection broke; the text is the system's or hiredis' message.
    case broken(String)
    /// The other end does not speak Redis' protocol.
    case notRedis(String)
    /// The server's certificate cannot be trusted, or it does not speak TLS; the text is OpenSSL's.
    case insecure(String)
    case silent
    case interrupted
}

/// How long a call waits on its socket, and what may end the wait earlier.
struct SocketWait {
    /// The longest time without any progress; nil for no limit.
    let silence: Duration?
    let interruption: Interruption?

    /// Blocks the thread until the socket can be read or written, or is broken (which reading and writing then report).
    /// - Parameter events: `POLLIN` or `POLLOUT`.
    func ready(_ descriptor: Int32, _ events: Int32) throws(SocketFault) {
        if let interruption, !interruption.begin(descriptor) { throw .interrupted }
        defer { interruption?.end() }
        let deadline = silence.map { ContinuousClock.now + $0 }
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { throw .silent }
            let count = poll(&entry, 1, left.map { Int32(clamping: $0.redisMilliseconds) } ?? -1)
            if count > 0 { return }
            if count < 0 && errno != EINTR { throw .broken(Self.systemError(errno)) }
        }
    }

    /// Whether there is something to read, the end of the stream included.
    static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    /// The system's message for an error number.
    static func systemError(_ number: Int32) -> String { String(cString: strerror(number)) }
}
