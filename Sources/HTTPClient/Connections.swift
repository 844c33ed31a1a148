import Synchronization

/// HTTP requests over connections that are kept for later ones, by libcurl. Each transfer has a thread of its own while
/// it lasts, so a slow file or a slow reader delays no other transfer.
package final class Connections: Sendable {
    /// Idle connections that are kept.
    private static let kept = 16

    private let idle = Mutex<[Connection]>([])
    private let limits: TransferLimits
    private let rules: AddressRules

    /// - Parameters:
    ///   - connecting: the longest time until the connection is made, TLS included.
    ///   - silence: the longest time without a byte in either direction, or with less than `slowest`.
    ///   - slowest: bytes in a second below which a transfer counts as silent.
    ///   - rules: which addresses may be connected to.
    package init(
        connecting: Duration = .seconds(10), silence: Duration = .seconds(90), slowest: Int = 1, rules: AddressRules = .none
    ) {
        self.rules = rules
        limits = TransferLimits(connecting: connecting, silence: silence, slowest: slowest)
    }

    /// The number of connections that wait for a request.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// Sends a request. Redirects are not followed.
    /// - Returns: the answer as soon as its headers are there.
    /// - Throws: `TransferError` when there is no answer, or `CancellationError`.
    package func execute(_ request: OutgoingRequest) async throws -> IncomingResponse {
        if let name = request.unsafeHeader {
            throw TransferError(.invalidRequest, "the header '\(name)' contains a control character")
        }
        let connection = try idle.withLock { $0.popLast() } ?? Connection(limits, rules)
        let transfer = Transfer(request)
        // It ends with the transfer, which the reader of the answer may cancel.
        Task { [self] in
            let failure = await connection.run(transfer)
            // A reader that has seen the end finds the connection idle.
            idle.withLock { if $0.count < Connections.kept { $0.append(connection) } }
            transfer.end(failure)
        }
        return try await transfer.response()
    }
}

/// The limits of every transfer of a `Connections`.
struct TransferLimits: Sendable {
    var connecting: Duration
    var silence: Duration
    /// Bytes in a second.
    var slowest: Int
}
