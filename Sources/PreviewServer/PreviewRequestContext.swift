package import Hummingbird
import NIOCore

/// The knowledge of a route about a request besides the request itself.
package struct PreviewRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Whether the request came over a network, and not from a test within the process.
    let isOverNetwork: Bool

    package init(source: Source) {
        isOverNetwork = source.channel.remoteAddress != nil
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// The file that the address names.
    /// - Throws: `PreviewFault` `notFound` for a name that no file has.
    func fileName() throws -> PreviewFileName {
        guard let name = PreviewFileName(try parameters.require("file")) else {
            throw PreviewFault(
                .notFound, "there is no such file; names have letters, digits, '.', '_' and '-', and begin with no '.'")
        }
        return name
    }
}

extension Request {
    /// Runs an operation that may take long, until it ends or the client hangs up. The connection serves no further
    /// requests after it, because it was watched meanwhile.
    /// - Throws: `CancellationError` when the client has hung up.
    func whileConnected<Value: Sendable>(
        _ context: PreviewRequestContext, _ operation: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard context.isOverNetwork else { return try await operation() }
        return try await body.consumeWithCancellationOnInboundClose { _ in try await operation() }
    }
}
