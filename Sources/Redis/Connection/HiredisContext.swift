import CHiredis
import Glibc

/// One open socket with hiredis' buffers. One connection owns it, uses it only on its own thread, and frees it once.
///
/// The socket never blocks. Waiting is done in `SocketWait`, so that it has a limit and can be interrupted. After any
/// fault the context must not be used any more, because answers would be taken for those of other commands.
final class HiredisContext {
    private let pointer: UnsafeMutablePointer<redisContext>
    /// TLS on the socket; nil where the address does not ask for it.
    private var tls: TLSSession?
    /// Whether any part of the commands that were flushed last may have reached the server.
    private(set) var hasSent = false

    private init(_ pointer: UnsafeMutablePointer<redisContext>) {
        self.pointer = pointer
    }

    deinit {
        tls = nil
        // A child process may have inherited the descriptor; closing only this one would leave the session open.
        _ = shutdown(pointer.pointee.fd, Int32(SHUT_RDWR))
        redisFree(pointer)
    }

    /// Opens a connection.
    ///
    /// hiredis writes with `write`, so this also blocks SIGPIPE on the calling thread, which belongs to one connection.
    static func open(_ configuration: RedisConfiguration, _ wait: SocketWait) throws(SocketFault) -> HiredisContext {
        blockBrokenPipeSignal()
        let opened =
            switch configuration.address {
            case .tcp(let host, let port): redisConnectNonBlock(host, Int32(port))
            case .unix(let path): redisConnectUnixNonBlock(path)
            }
        guard let opened else { throw .broken("out of memory") }
        let context = HiredisContext(opened)
        if opened.pointee.err != 0 { throw context.fault }
        _ = fcntl(opened.pointee.fd, F_SETFD, FD_CLOEXEC)
        try wait.ready(opened.pointee.fd, Int32(POLLOUT))
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        if getsockopt(opened.pointee.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 { error = errno }
        if error != 0 { throw .broken(SocketWait.systemError(error)) }
        if case .tcp(let host, _) = configuration.address {
            // A blocking read without limit must notice when the other machine is gone.
            if redisEnableKeepAlive(opened) != REDIS_OK { throw context.fault }
            if let settings = configuration.tls {
                context.tls = try TLSSession(opened.pointee.fd, host: host, settings, wait)
            }
        }
        return context
    }

    /// Whether the server has neither closed the connection nor sent anything unasked.
    var isQuiet: Bool {
        guard pointer.pointee.err == 0 else { return false }
        // TLS sends things of its own, which are nothing to read for this client, and may hold bytes back.
        return tls?.isQuiet ?? !SocketWait.isReadable(pointer.pointee.fd)
    }

    /// Puts a command into the buffer.
    func append(_ command: RedisCommand) throws(SocketFault) {
        let words = command.words
        let bytes = words.flatMap { $0 }
        let lengths = words.map(\.count)
        // All words lie in one array, because pointers to several arrays could not outlive the closures that lend them.
        let code = bytes.withUnsafeBytes { buffer in
            let base = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            var offset = 0
            var starts = lengths.map { length in
                defer { offset += length }
                return base.map { UnsafePointer($0 + offset) }
            }
            return redisAppendCommandArgv(pointer, Int32(words.count), &starts, lengths)
        }
        if code != REDIS_OK { throw fault }
    }

    /// Sends what the buffer holds.
    func flush(_ wait: SocketWait) throws(SocketFault) {
        hasSent = false
        if let tls { return try flush(through: tls, wait) }
        var done: Int32 = 0
        while done == 0 {
            try wait.ready(pointer.pointee.fd, Int32(POLLOUT))
            if redisBufferWrite(pointer, &done) != REDIS_OK { throw fault }
            hasSent = true
        }
    }

    private func flush(through tls: TLSSession, _ wait: SocketWait) throws(SocketFault) {
        while case let count = spool_bytes_to_send(pointer), count > 0 {
            // Parts of it may be on their way when this fails.
            hasSent = true
            let sent = try tls.write(UnsafeRawBufferPointer(start: pointer.pointee.obuf, count: count), wait)
            spool_forget_sent(pointer, sent)
        }
    }

    /// Waits for the next answer.
    func reply(_ wait: SocketWait) throws(SocketFault) -> RedisValue {
        while true {
            var answer: UnsafeMutableRawPointer?
            if redisGetReplyFromReader(pointer, &answer) != REDIS_OK { throw fault }
            if let answer {
                defer { freeReplyObject(answer) }
                return RedisValue(answer.assumingMemoryBound(to: redisReply.self).pointee)
            }
            if let tls {
                try read(through: tls, wait)
            } else {
                try wait.ready(pointer.pointee.fd, Int32(POLLIN))
                if redisBufferRead(pointer) != REDIS_OK { throw fault }
            }
        }
    }

    /// The size of a record of TLS.
    private static let recordBytes = 16 << 10

    private func read(through tls: TLSSession, _ wait: SocketWait) throws(SocketFault) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: HiredisContext.recordBytes, alignment: 1)
        defer { buffer.deallocate() }
        let count = try tls.read(buffer, wait)
        if spool_feed(pointer, buffer.baseAddress, count) != REDIS_OK { throw fault }
    }

    private var fault: SocketFault {
        let text = withUnsafeBytes(of: pointer.pointee.errstr) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return pointer.pointee.err == REDIS_ERR_PROTOCOL ? .notRedis(text) : .broken(text)
    }

    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

extension RedisValue {
    /// Copies an answer of hiredis.
    fileprivate init(_ reply: redisReply) {
        let bytes = UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : reply.len)
        switch reply.type {
        case REDIS_REPLY_STRING: self = .bulk(Array(bytes))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .failure(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_INTEGER: self = .number(Int(reply.integer))
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: reply.element, count: reply.element == nil ? 0 : reply.elements)
            self = .list(elements.map { $0.map { RedisValue($0.pointee) } ?? .null })
        default: self = .null
        }
    }
}
