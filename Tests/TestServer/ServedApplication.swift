package import Hummingbird
package import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves requests on a port of the loopback interface while `test` runs, and stops when it has ended.
///
/// - Parameters:
///   - router: answers the requests.
///   - server: the kind of server, HTTP/1.1 by default.
///   - test: runs once the server accepts connections; its argument is the port.
/// - Throws: what the server or `test` throws.
package func serving<Context: RequestContext>(
    _ router: Router<Context>, _ server: HTTPServerBuilder = .http1(), _ test: @Sendable (_ port: Int) async throws -> Void
) async throws where Context.Source == ApplicationRequestContextSource {
    let (ports, started) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "server of a test")
    logger.logLevel = .critical
    let application = Application(
        router: router, server: server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            if let port = channel.localAddress?.port { started.yield(port) }
            started.finish()
        }, logger: logger)
    let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    // The task is not a child of the test's, because a time limit cancels the test, and NIO ends the whole process when
    // a server is cancelled while a connection waits to be accepted (swift-nio, issue 3481).
    let running = Task {
        defer { started.finish() }
        try await services.run()
    }
    do {
        // There is no port where the server does not start; then waiting for it throws the reason.
        for await port in ports { try await test(port) }
        await services.triggerGracefulShutdown()
        try await running.value
    } catch {
        await services.triggerGracefulShutdown()
        throw error
    }
}
