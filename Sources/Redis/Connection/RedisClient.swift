import Synchronization

/// A Redis server for the whole process. All short commands share one connection. Blocking commands get further
/// connections, which are made on demand and kept for the next.
package final class RedisClient: RedisCommands {
    package let configuration: RedisConfiguration
    private let shared: RedisConnection
    /// Connections that no blocking command uses at the moment.
    private let idle = Mutex<[RedisConnection]>([])

    /// Makes a client, which connects when first used.
    package init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        shared = RedisConnection(configuration)
    }

    /// A connection for one task alone: for `watch`, or for a loop of blocking reads. It closes when it is released.
    package func dedicatedConnection() -> RedisConnection { RedisConnection(configuration) }

    /// Sends a command. A blocking command goes to a connection that nothing else waits on.
    package func send(_ command: RedisCommand) async throws -> RedisValue {
        guard command.blocking != nil else { return try await shared.send(command) }
        let connection = idle.withLock { $0.popLast() } ?? dedicatedConnection()
        defer { idle.withLock { $0.append(connection) } }
        return try await connection.send(command)
    }

    package func pipeline(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await shared.pipeline(commands)
    }

    package func transaction(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await shared.transaction(commands)
    }

    package func evaluate(_ script: String, keys: [String], arguments: [any RedisArgument]) async throws -> RedisValue {
        try await shared.evaluate(script, keys: keys, arguments: arguments)
    }
}
