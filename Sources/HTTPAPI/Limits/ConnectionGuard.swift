import FarmAPI
package import NIOCore
import NIOHTTP1
import FoundationEssentials

/// Watches one connection between the socket and the parser. It counts the connection, enforces `RequestPace` on its
/// client, and answers by itself where no route can: when a head is too large or too slow, or when there are too many
/// connections.
///
/// It takes part in the pipeline twice: this handler next to the socket sees bytes, and `RequestParts` behind the parser
/// sees requests. Both run on the connection's event loop.
package final class ConnectionGuard: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    private let limits: RequestLimits
    private let connections: Slots
    private var slot: Slots.Slot?
    private var pace: RequestPace
    private var timer: Scheduled<Void>?
    private var timerAt: NIODeadline?
    /// Whether this handler has sent the last answer: nothing more is passed in either direction.
    private var isOver = false
    private var context: ChannelHandlerContext?

    package init(_ limits: RequestLimits, connections: Slots, now: NIODeadline) {
        self.limits = limits
        self.connections = connections
        pace = RequestPace(limits, openedAt: now)
    }

    // MARK: The connection

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
    }

    package func channelActive(context: ChannelHandlerContext) {
        let address = context.remoteAddress?.countedAddress ?? "local"
        do {
            slot = try connections.take(address, what: "connections", whose: "an address")
        } catch {
            refuse(RequestFault(error) ?? RequestFault(.unavailable, "the coordinator has too many connections"))
        }
        context.fireChannelActive()
        watch()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        slot = nil
        context.fireChannelInactive()
    }

    // MARK: Bytes

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        pace.received(unwrapInboundIn(data).readableBytes, at: .now())
        watch()
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        pace.stoppedReading(at: .now())
        context.fireChannelReadComplete()
        watch()
    }

    package func read(context: ChannelHandlerContext) {
        pace.startedReading(at: .now())
        context.read()
        watch()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        pace.sends(at: .now())
        let written = promise ?? context.eventLoop.makePromise()
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            loopBound.value.pace.sent(at: .now())
            loopBound.value.watch()
        }
        context.write(data, promise: written)
        watch()
    }

    // MARK: Requests

    /// - Returns: false when the request must not be passed on.
    fileprivate func headArrived(_ head: HTTPRequestHead) -> Bool {
        guard !isOver else { return false }
        pace.headArrived(isUpload: ConnectionGuard.isUpload(head), at: .now())
        watch()
        guard head.uri.utf8.count <= limits.addressBytes else {
            refuse(RequestFault(.addressTooLong, "an address has at most \(limits.addressBytes) bytes here"))
            return false
        }
        guard head.version != .http1_1 || head.headers["host"].count == 1 else {
            refuse(RequestFault(.badRequest, "a request of HTTP/1.1 has one Host field (RFC 9112, section 3.2)"))
            return false
        }
        return true
    }

    /// Sends `100 Continue` to a client that waits for it before it sends its body (RFC 9110, section 10.1.1).
    fileprivate func askForBody() {
        guard let context, !isOver else { return }
        let answer = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(answer)), promise: nil)
    }

    fileprivate func requestEnded() {
        pace.requestEnded(at: .now())
        watch()
    }

    fileprivate func answered(_ part: HTTPServerResponsePart) {
        switch part {
        case .head(let head): if head.status.code >= 200 { pace.answerBegan() }
        case .body: break
        case .end: pace.answerEnded(at: .now())
        }
        watch()
    }

    /// Answers bytes that are not a valid request. A request that ends in the middle gets no answer, because its client
    /// is gone.
    fileprivate func failed(_ error: any Error) {
        guard !isOver, let error = error as? HTTPParserError, error != .invalidEOFState else { return }
        if error == .headerOverflow {
            refuse(
                RequestFault(
                    .headersTooLarge,
                    "a request has at most \(limits.headerCount) header fields of \(limits.headerFieldBytes) bytes, "
                        + "\(limits.headerBytes) in all"))
        } else {
            refuse(RequestFault(.badRequest, "this is not an HTTP request: \(error)"))
        }
    }

    /// Whether a request's body is media, whose upload may take long.
    private static func isUpload(_ head: HTTPRequestHead) -> Bool {
        let path = head.uri.prefix { $0 != "?" }
        return head.method == .PUT && path.hasPrefix("/v1/assets/")
            || head.method == .POST && path.hasPrefix("/v1/recordings/") && path.hasSuffix("/clips")
    }

    // MARK: Deadlines

    /// Schedules a check for the next deadline.
    private func watch() {
        guard let context, context.channel.isActive, let deadline = pace.deadline else { return }
        if let timerAt, timerAt <= deadline.at { return }
        timer?.cancel()
        timerAt = deadline.at
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline.at) { loopBound.value.look() }
    }

    private func look() {
        timerAt = nil
        guard let context, context.channel.isActive, let deadline = pace.deadline else { return }
        guard deadline.at <= .now() else { return watch() }
        guard !isOver, pace.mayAnswer else {
            context.close(promise: nil)
            return
        }
        switch deadline.fault {
        case .idle, .answer, .linger: context.close(promise: nil)
        case .head: refuse(RequestFault(.requestTimeout, "the request's head did not arrive within \(limits.headTime)"))
        case .bodyPause: refuse(RequestFault(.requestTimeout, "the request's body stopped for \(limits.bodyPause)"))
        case .bodyRate:
            refuse(RequestFault(.requestTimeout, "the request's body comes slower than \(limits.bodyRate) bytes a second"))
        case .bodyTime:
            refuse(
                RequestFault(
                    .requestTimeout,
                    "the request's body takes longer than \(limits.documentTime) (an upload: \(limits.uploadTime))"))
        case .request: refuse(RequestFault(.unavailable, "the request was not answered within \(limits.requestTime)"))
        }
    }

    /// Answers instead of the routes. Once the answer is sent, the sending side is closed at once and the connection a
    /// moment later (at most a second): a client that is still sending would otherwise get a reset before it reads the
    /// answer.
    private func refuse(_ fault: RequestFault) {
        guard let context, !isOver else { return }
        isOver = true
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let wait = TimeAmount(min(limits.lingerTime, .seconds(1)))
        // A client whose TLS handshake is not over gets no answer, and so the answer is never sent.
        let ownBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(limits.lingerTime)) { ownBound.value.context?.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ConnectionGuard.answer(fault)))).whenComplete { _ in
            let context = loopBound.value
            // What still arrives is read and discarded meanwhile.
            context.eventLoop.scheduleTask(in: wait) { loopBound.value.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            context.read()
        }
    }

    /// The bytes of an answer that no route gives.
    static func answer(_ fault: RequestFault) -> ByteBuffer {
        let body =
            (try? FarmJSON.encode(Problem(fault.code, fault.message))) ?? Data()  // the status alone says enough
        let status = HTTPResponseStatus(statusCode: fault.code.status)
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\ncontent-type: \(OpenAPIDocument.problemType)\r\n"
        head += "content-length: \(body.count)\r\nconnection: close\r\n"
        if let pause = fault.code.retryAfter { head += "retry-after: \(pause)\r\n" }
        return ByteBuffer(bytes: Array((head + "\r\n").utf8) + body)
    }
}

/// The part of the guard behind the parser of a connection, where requests and answers are seen in parts.
final class RequestParts: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    /// Whether each request without a complete answer, in order of arrival, is a HEAD request.
    private var asksForHeadAlone: [Bool] = []

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard connection.headArrived(head) else { return }
            let waits =
                head.version == .http1_1 && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            // Answers are sent in order: while an earlier one is running, the client starts its body after its own
            // pause.
            if waits, asksForHeadAlone.isEmpty { connection.askForBody() }
            asksForHeadAlone.append(head.method == .HEAD)
            // An HTTP/1.0 connection ends with the answer, unless the client asked to keep it alive.
            if !head.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
            return
        case .body: break
        case .end: connection.requestEnded()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        connection.answered(part)
        let isHeadAlone = asksForHeadAlone.first ?? false
        switch part {
        case .head:
            context.write(data, promise: promise)
            return
        case .body: break
        case .end: if !asksForHeadAlone.isEmpty { asksForHeadAlone.removeFirst() }
        }
        // The head may announce a chunked body, as the answer to GET does, but neither chunks nor their end may follow
        // it.
        let nothing = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))
        context.write(isHeadAlone ? wrapOutboundOut(nothing) : data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.failed(error)
        // The reader of the body must hear of the error; otherwise it would take the end for a complete body.
        context.fireErrorCaught(error)
    }
}
