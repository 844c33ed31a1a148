/// The work of a connection on its thread: it connects, authenticates, sends commands, reads their answers, and says
/// what a fault means for the call. Every method blocks and none suspends, so no other commands come between.
final class RedisSession {
    private let configuration: RedisConfiguration
    private var context: HiredisContext?
    private var pace: ReconnectPace
    /// Whether the server watches keys for this connection. A new connection would not watch them, so no call may
    /// silently go on with one.
    var isWatching = false

    init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        pace = ReconnectPace(configuration.backoff)
    }

    /// When the next attempt to connect is due; nil where none is needed or it is due now.
    var nextAttempt: ContinuousClock.Instant? { context == nil ? pace.pause(at: .now) : nil }

    func close() {
        context = nil
        isWatching = false
    }

    /// Sends commands and reads as many answers.
    /// - Parameter name: the name of the command in errors.
    /// - Throws: `RedisError`, or `CancellationError` when interrupted.
    func exchange(_ commands: [RedisCommand], as name: String, _ wait: SocketWait) throws -> [RedisValue] {
        let context = try connected(name, wait)
        do {
            for command in commands { try context.append(command) }
            try context.flush(wait)
            return try commands.map { _ in try context.reply(wait) }
        } catch let fault as SocketFault {
            close()
            throw error(fault, name, hasSent: context.hasSent, wait)
        }
    }

    /// Reads one answer that the server sends by itself.
    /// - Throws: as `exchange`; code `connectionLost` when there is no connection any more.
    func receive(as name: String, _ wait: SocketWait) throws -> RedisValue {
        do {
            guard let context else { throw SocketFault.broken("it was closed") }
            return try context.reply(wait).checked(name)
        } catch let fault as SocketFault {
            close()
            throw error(fault, name, hasSent: true, wait)
        }
    }

    /// The connection, or a new one where the server has closed it. Whether a command was executed could not be told
    /// after it was sent into a closed connection.
    private func connected(_ name: String, _ wait: SocketWait) throws -> HiredisContext {
        if let context, context.isQuiet { return context }
        let wasWatching = isWatching
        close()
        if wasWatching {
            throw RedisError(.conflict, "the connection that watched the keys was lost; repeat the transaction", command: name)
        }
        // Another call's attempt has failed while this call waited.
        if pace.pause(at: .now) != nil, let failure = pace.failure { throw failure.naming(name) }
        do {
            let opened = try open(SocketWait(silence: configuration.connectTimeout, interruption: wait.interruption))
            pace.succeeded()
            context = opened
            return opened
        } catch let failure as RedisError {
            var random = SystemRandomNumberGenerator()
            pace.failed(failure, at: .now, using: &random)
            throw failure.naming(name)
        }
    }

    private func open(_ wait: SocketWait) throws -> HiredisContext {
        do {
            let context = try HiredisContext.open(configuration, wait)
            for command in greeting {
                try context.append(command)
                try context.flush(wait)
                _ = try context.reply(wait).checked(command.name)
            }
            return context
        } catch let fault as SocketFault {
            throw error(fault, nil, hasSent: false, wait)
        }
    }

    /// The commands that a new connection begins with.
    private var greeting: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password = configuration.password {
            commands.append(configuration.user.map { RedisCommand("AUTH", $0, password) } ?? RedisCommand("AUTH", password))
        }
        if configuration.database != 0 { commands.append(RedisCommand("SELECT", configuration.database)) }
        return commands
    }

    /// The error that a fault of the socket means for the call.
    private func error(_ fault: SocketFault, _ name: String?, hasSent: Bool, _ wait: SocketWait) -> any Error {
        if fault == .interrupted || wait.interruption?.isInterrupted == true { return CancellationError() }
        let server = "Redis at \(configuration.address)"
        let executed = "the command may have been executed"
        switch fault {
        case .notRedis(let reason):
            return RedisError(.unexpectedReply, "the server at \(configuration.address) is not Redis (\(reason))", command: name)
        case .insecure(let reason):
            return RedisError(
                .connectionFailed,
                "cannot reach Redis at \(configuration.address) by TLS (\(reason)); correct the certificates or the address",
                command: name)
        case .broken(let reason) where hasSent:
            return RedisError(.connectionLost, "the connection to \(server) was lost (\(reason)); \(executed)", command: name)
        case .silent where hasSent:
            return RedisError(.timeout, "\(server) did not answer in time; \(executed)", command: name)
        case .broken(let reason):
            return unreachable(reason, name)
        case .silent, .interrupted:
            return unreachable("no answer within \(configuration.connectTimeout)", name)
        }
    }

    private func unreachable(_ reason: String, _ name: String?) -> RedisError {
        RedisError(
            .connectionFailed,
            "cannot reach Redis at \(configuration.address) (\(reason)); start redis-server there or correct the address",
            command: name)
    }
}
