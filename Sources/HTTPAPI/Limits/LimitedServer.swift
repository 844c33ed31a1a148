package import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

extension FarmService {
    /// The server that enforces the limits of `Options.requests`: give it to the `Application` with the routes.
    /// - Parameter certificate: the server's certificate; nil for HTTP without TLS.
    package func server(_ certificate: ServerCertificate? = nil) -> HTTPServerBuilder {
        let limits = options.requests
        let connections = Slots(limits.connections, perHolder: limits.connectionsPerAddress)
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headerFieldBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerCount)
        return HTTPServerBuilder { responder in
            let channel = LimitedChannel(
                base: HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder)),
                limits: limits, connections: connections)
            guard let certificate else { return channel }
            return SecureChannel(base: channel, certificate: certificate)
        }
    }
}

/// An HTTP connection with a `ConnectionGuard` on both sides of its parser.
private struct LimitedChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let limits: RequestLimits
    let connections: Slots

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let connection = ConnectionGuard(limits, connections: connections, now: .now())
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestParts(connection), position: .after(parser))
            try pipeline.addHandler(connection, position: .first)
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
