import FarmAPI
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection with TLS before everything else.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let certificate: ServerCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Both come before the handlers of `base`, of which one is the first of its pipeline.
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context), position: .first)
            try pipeline.addHandler(PlainRequestGuard(), position: .first)
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Answers a client that does not speak TLS: it is told to use `https://`, and would otherwise see a connection that breaks.
private final class PlainRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of every connection with TLS: a record of its handshake (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22
    /// Whether the connection is over because it does not begin like TLS.
    private var isPlain = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bytes that still come from a refused client are discarded.
        guard !isPlain else { return }
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.readableBytesView.first, first != PlainRequestGuard.handshake else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        isPlain = true
        let fault = RequestFault(.badRequest, "this port speaks TLS: use an address that begins with https://")
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ConnectionGuard.answer(fault))).whenComplete { _ in
            loopBound.value.close(promise: nil)
        }
    }
}
