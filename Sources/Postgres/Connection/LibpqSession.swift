import CPostgres
import Glibc

/// One session with a server, over libpq without blocking. The thread waits in `poll()` for the socket and for its
/// wake-up, so that a cancelled task ends at once. It owns the connection and frees it once; one thread uses it at a
/// time.
///
/// The thread that waits sends the cancel request itself, and reads on until the server has answered, so that a request
/// can never hit the statement after the one it was meant for.
final class LibpqSession {
    /// How long the server may take to end a cancelled statement before the connection is dropped.
    private static let cancelLimit = Duration.seconds(10)

    let pointer: OpaquePointer
    private let wakeup: Wakeup

    /// Starts to connect; `connect` completes the connection.
    init(_ configuration: PostgresConfiguration, wakeup: Wakeup) throws(PostgresError) {
        self.wakeup = wakeup
        pointer = try LibpqConnecting.start(configuration)
    }

    deinit { PQfinish(pointer) }

    var isBroken: Bool { PQstatus(pointer) != CONNECTION_OK }

    var transactionStatus: PGTransactionStatusType { PQtransactionStatus(pointer) }

    var message: String { LibpqText.line(PQerrorMessage(pointer)) }

    /// Whether the server has closed the connection, as far as this side knows. It asks the socket, not the server.
    func hasHungUp() -> Bool {
        while !isBroken {
            var socket = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
            guard poll(&socket, 1, 0) > 0 else { break }
            if PQconsumeInput(pointer) == 0 { return true }
        }
        return isBroken
    }

    /// Sends a statement that was prepared under a name.
    func send(prepared name: String, _ parameters: LibpqParameters) -> Bool {
        parameters.lend { PQsendQueryPrepared(pointer, name, $0, $1, $2, $3, 0) } == 1
    }

    /// Sends statements without parameters, separated by semicolons.
    func send(script: String) -> Bool { PQsendQuery(pointer, script) == 1 }

    /// Asks the server to prepare a statement.
    func send(prepare statement: String, as name: String, types: [Oid]) -> Bool {
        PQsendPrepare(pointer, name, statement, Int32(types.count), types) == 1
    }

    /// Waits for the next result of what was sent.
    ///
    /// Sending goes on meanwhile, so a server that waits for its answers to be read causes no deadlock.
    /// - Parameter interruption: once it is requested, the server is asked to end the statement, and its answer is
    ///   awaited.
    /// - Returns: nil when there are no more results. A connection that breaks shows as an error result, and then as
    ///   `isBroken`.
    /// - Throws: `CancellationError` when the server does not end a cancelled statement; the session must be dropped
    ///   then.
    func nextResult(_ interruption: Interruption?) throws -> LibpqResult? {
        var deadline: ContinuousClock.Instant?
        while true {
            let isUnsent = PQflush(pointer) == 1
            if PQisBusy(pointer) == 0 || isBroken { break }
            if let interruption, interruption.isRequested, deadline == nil {
                cancel()
                deadline = .now + LibpqSession.cancelLimit
            }
            let ready = wait(isUnsent ? POLLIN | POLLOUT : POLLIN, until: deadline)
            if ready == 0, let deadline, ContinuousClock.now >= deadline { throw CancellationError() }
            // When the input has ended, the next result is the error that says so.
            if ready & ~POLLOUT != 0, PQconsumeInput(pointer) == 0 { break }
        }
        return PQgetResult(pointer).map(LibpqResult.init)
    }

    /// Asks the server to end what it is doing. It returns when the server has received the request, whether in time or
    /// not.
    private func cancel() {
        guard let handle = PQgetCancel(pointer) else { return }
        var refusal = [CChar](repeating: 0, count: 256)
        // Where the request fails, the end of the statement, or the limit on it, is awaited all the same.
        _ = PQcancel(handle, &refusal, Int32(refusal.count))
        PQfreeCancel(handle)
    }

    /// Waits until the socket is ready or this thread is woken.
    /// - Returns: the socket's events from `poll()`; 0 after a wake-up or at the deadline.
    func wait(_ events: Int32, until deadline: ContinuousClock.Instant?) -> Int32 {
        var descriptors = [
            pollfd(fd: PQsocket(pointer), events: Int16(events), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let limit = deadline.map { deadline in
            let left = max(.zero, deadline - .now).components
            return Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
        }
        guard poll(&descriptors, 2, limit ?? -1) > 0 else { return 0 }  // deadline or signal: the caller checks
        if descriptors[1].revents != 0 { wakeup.drain() }
        return Int32(descriptors[0].revents)
    }
}
