import BlockingWork

/// One connection to Redis, on its own thread: calls run one after the other, in order of arrival.
///
/// It connects when first used and whenever it finds itself disconnected, with the configuration's pauses. Commands of
/// which nothing was sent are retried once. Commands that may have reached the server are not, and the error says so.
/// The connection closes when it is released.
package actor RedisConnection: RedisCommands {
    package nonisolated let configuration: RedisConfiguration
    private let thread = BlockingThread(name: "redis")
    /// The connection's own thread, which a call may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let session: RedisSession
    /// The server's hashes of scripts, which are few. A hash depends on the text alone, so it holds for every server.
    private var scriptHashes: [String: String] = [:]

    /// Makes a connection, which connects when first used.
    package init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        session = RedisSession(configuration)
    }

    /// Disconnects now; the next call connects again.
    package func close() { session.close() }

    package func send(_ command: RedisCommand) async throws -> RedisValue {
        let answers = try await exchange([command], as: command.name, blocking: command.blocking)
        return try answers[0].checked(command.name)
    }

    package func pipeline(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        if commands.isEmpty { return [] }
        return Self.results(commands, try await exchange(commands, as: "pipeline"))
    }

    package func transaction(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        let answers = try await exchange([RedisCommand("MULTI")] + commands + [RedisCommand("EXEC")], as: "transaction")
        session.isWatching = false
        // A server that refuses MULTI (NOPERM) has executed the commands one by one, and refused EXEC.
        _ = try answers[0].checked("MULTI")
        for (command, answer) in zip(commands, answers.dropFirst()) { _ = try answer.checked(command.name) }
        let executed = try answers[answers.count - 1].checked("EXEC")
        guard let values = try executed.ifPresent?.array else {
            throw RedisError(.conflict, "a watched key changed, so nothing was executed; repeat the transaction", command: "EXEC")
        }
        guard values.count == commands.count else {
            throw RedisError(.unexpectedReply, "\(values.count) answers for \(commands.count) commands", command: "EXEC")
        }
        return Self.results(commands, values)
    }

    /// Makes the next transaction fail with code `conflict` when one of the keys changes before it (WATCH).
    ///
    /// If the connection is lost in between, the next call fails with that code. Only a task that has the connection
    /// alone may use this.
    package func watch(_ keys: [String]) async throws {
        var command = RedisCommand("WATCH")
        command.append(each: keys)
        _ = try await send(command)
        session.isWatching = true
    }

    /// Forgets what is watched (UNWATCH).
    package func unwatch() async throws {
        session.isWatching = false
        _ = try await send(RedisCommand("UNWATCH"))
    }

    package func evaluate(_ script: String, keys: [String], arguments: [any RedisArgument]) async throws -> RedisValue {
        func command(_ name: String, _ what: String) -> RedisCommand {
            var command = RedisCommand(name, what, keys.count)
            command.append(each: keys)
            command.append(each: arguments.map(\.redisBytes))
            return command
        }
        do {
            return try await send(command("EVALSHA", try await hash(of: script)))
        } catch let error as RedisError where error.code == .noScript {
            return try await send(command("EVAL", script))  // this also makes the server keep the script
        }
    }

    private func hash(of script: String) async throws -> String {
        if let known = scriptHashes[script] { return known }
        let hash = try await send(RedisCommand("SCRIPT LOAD", script)).text
        scriptHashes[script] = hash
        return hash
    }

    private static func results(_ commands: [RedisCommand], _ answers: [RedisValue]) -> [Result<RedisValue, RedisError>] {
        zip(commands, answers).map { command, answer in
            Result { () throws(RedisError) in try answer.checked(command.name) }
        }
    }

    // MARK: - Waiting

    /// Sends commands and reads as many answers. Where nothing was sent, tries a second time.
    private func exchange(
        _ commands: [RedisCommand], as name: String, blocking: RedisCommand.Blocking? = nil
    ) async throws -> [RedisValue] {
        let wait = SocketWait(blocking, margin: configuration.commandTimeout)
        return try await interruptibly(wait) {
            do {
                try await self.rest()
                return try self.session.exchange(commands, as: name, wait)
            } catch let error as RedisError where error.code == .connectionFailed {
                try await self.rest()
                return try self.session.exchange(commands, as: name, wait)
            }
        }
    }

    /// Waits without limit for an answer that the server sends by itself.
    func receive(as name: String) async throws -> RedisValue {
        let wait = SocketWait(.forever, margin: configuration.commandTimeout)
        return try await interruptibly(wait) { try self.session.receive(as: name, wait) }
    }

    /// Waits between attempts to connect, without blocking the thread.
    private func rest() async throws {
        if let next = session.nextAttempt { try await Task.sleep(until: next, clock: .continuous) }
    }

    private func interruptibly<Answer>(_ wait: SocketWait, _ body: () async throws -> Answer) async throws -> Answer {
        guard let interruption = wait.interruption else { return try await body() }
        return try await withTaskCancellationHandler(operation: body) { interruption.interrupt() }
    }
}

extension SocketWait {
    /// Blocking commands have the margin in addition to their own time, and can be interrupted; others have only the
    /// margin.
    fileprivate init(_ blocking: RedisCommand.Blocking?, margin: Duration) {
        switch blocking {
        case nil: self.init(silence: margin, interruption: nil)
        case .atMost(let limit): self.init(silence: limit + margin, interruption: Interruption())
        case .forever: self.init(silence: nil, interruption: Interruption())
        }
    }
}
