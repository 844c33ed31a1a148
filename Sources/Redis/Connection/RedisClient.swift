import Synchronization

/// A Redis server for the whole process. All short commands share one connection. Blocking commands get further
/// connections, which are made on demand and kept for the next.
package final class RedisClient: RedisCommands {
    package let configuration: RedisConfiguration
    private let shared: RedisConnection
    /// Connections that no blocking command uses at the moment.
    private let idle = Mutex<[RedisConnection]>([])

    /// What one call took, for those who measure.
    package struct Call: Hashable, Sendable {
        /// What was called: `command`, `pipeline`, `transaction` or `script`.
        package var operation: String
        package var time: Duration
        /// Whether the server answered nothing.
        package var hasFailed: Bool
    }

    /// Is told of every call, except for blocking commands, which wait for something to come.
    private let measure: @Sendable (Call) -> Void

    /// Makes a client, which connects when first used.
    /// - Parameter measure: is told what each call took.
    package init(_ configuration: RedisConfiguration, measure: @escaping @Sendable (Call) -> Void = { _ in }) {
        self.configuration = configuration
        self.measure = measure
        shared = RedisConnection(configuration)
    }

    /// A connection for one task alone: for `watch`, or for a loop of blocking reads. It closes when it is released.
    package func dedicatedConnection() -> RedisConnection { RedisConnection(configuration) }

    /// Sends a command. A blocking command goes to a connection that nothing else waits on.
    package func send(_ command: RedisCommand) async throws -> RedisValue {
        guard command.blocking != nil else { return try await measured("command") { try await shared.send(command) } }
        let connection = idle.withLock { $0.popLast() } ?? dedicatedConnection()
        defer { idle.withLock { $0.append(connection) } }
        return try await connection.send(command)
    }

    package func pipeline(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await measured("pipeline") { try await shared.pipeline(commands) }
    }

    package func transaction(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await measured("transaction") { try await shared.transaction(commands) }
    }

    package func evaluate(_ script: String, keys: [String], arguments: [any RedisArgument]) async throws -> RedisValue {
        try await measured("script") { try await shared.evaluate(script, keys: keys, arguments: arguments) }
    }

    private func measured<Result>(_ operation: String, _ call: () async throws -> Result) async throws -> Result {
        let began = ContinuousClock.now
        do {
            let result = try await call()
            measure(Call(operation: operation, time: began.duration(to: .now), hasFailed: false))
            return result
        } catch {
            // An answer that is an error is an answer.
            let isAway = [.connectionFailed, .connectionLost, .timeout].contains((error as? RedisError)?.code)
            measure(Call(operation: operation, time: began.duration(to: .now), hasFailed: isAway))
            throw error
        }
    }
}
