import FarmAPI
package import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Watches one connection between the socket and the parser: counts it, holds its client to `RequestPace`, and answers by itself
/// where no route will come to it, because a head is too large, too slow or one connection too many.
///
/// It stands in the pipeline twice: as this handler next to the socket, where bytes are seen, and as `RequestParts` behind the
/// parser, where requests are. Both run on the connection's event loop.
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
    /// Whether this handler has said the last word: nothing more is passed in either direction.
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

    /// - Returns: false when the request goes no further.
    fileprivate func headArrived(_ head: HTTPRequestHead) -> Bool {
        guard !isOver else { return false }
        pace.headArrived(isUpload: ConnectionGuard.isUpload(head), at: .now())
        watch()
        guard head.uri.utf8.count <= limits.addressBytes else {
            refuse(RequestFault(.addressTooLong, "an address has at most \(limits.addressBytes) bytes here"))
            return false
        }
        return true
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

    /// What came is no request. One that ends in the middle is not answered: its client has gone.
    fileprivate func failed(_ error: any Error) {
        guard !isOver, let error = error as? HTTPParserError, error != .invalidEOFState else { return }
        if error == .headerOverflow {
            refuse(
                RequestFault(
                    .headersTooLarge,
                    "a request has at most \(limits.headerCount) header fields of \(limits.headerFieldBytes) bytes, "
                        + "\(limits.headerBytes) in all"))
        } else {
            refuse(RequestFault(.badRequest, "this is no request of HTTP: \(error)"))
        }
    }

    /// Whether a request's body is media, which may take long.
    private static func isUpload(_ head: HTTPRequestHead) -> Bool {
        let path = head.uri.prefix { $0 != "?" }
        return head.method == .PUT && path.hasPrefix("/v1/assets/")
            || head.method == .POST && path.hasPrefix("/v1/recordings/") && path.hasSuffix("/clips")
    }

    // MARK: Deadlines

    /// Sees to it that somebody looks when the next deadline has come.
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
        }
    }

    /// Answers instead of the routes, and closes the connection once the answer is on its way: at once where the client waits,
    /// and a moment later where it may still be sending, so that it reads the answer first.
    private func refuse(_ fault: RequestFault) {
        guard let context, !isOver else { return }
        isOver = true
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let wait = TimeAmount(min(limits.lingerTime, .seconds(1)))
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ConnectionGuard.answer(fault)))).whenComplete { _ in
            let context = loopBound.value
            // What still arrives is read and thrown away meanwhile.
            context.eventLoop.scheduleTask(in: wait) { loopBound.value.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            context.read()
        }
    }

    private static func answer(_ fault: RequestFault) -> ByteBuffer {
        let body =
            (try? FarmJSON.encode(FaultBody(fault.code, fault.message))) ?? Data()  // the status says enough without a body
        let status = HTTPResponseStatus(statusCode: fault.code.status)
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\ncontent-type: application/json\r\n"
        head += "content-length: \(body.count)\r\nconnection: close\r\n"
        if let pause = fault.code.retryAfter { head += "retry-after: \(pause)\r\n" }
        return ByteBuffer(bytes: Array((head + "\r\n").utf8) + body)
    }
}

/// The same guard behind the parser of a connection, where requests and answers are seen in parts.
final class RequestParts: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ConnectionGuard
    /// Whether each request without a whole answer, in order of arrival, is a HEAD request.
    private var asksForHeadAlone: [Bool] = []

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard connection.headArrived(head) else { return }
            asksForHeadAlone.append(head.method == .HEAD)
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
        // The head may announce a body in chunks, as that of GET does, but neither chunks nor their end may follow it.
        let nothing = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))
        context.write(isHeadAlone ? wrapOutboundOut(nothing) : data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.failed(error)
        // Who reads the body has to hear of it: else its end would look like a good one.
        context.fireErrorCaught(error)
    }
}
