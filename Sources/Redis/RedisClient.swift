import Synchronization

/// A Redis server for the whole process: one connection that everybody's short commands share, and further ones for
/// commands that block, taken on demand and kept for the next.
public final class RedisClient: RedisCommands {
    public let configuration: RedisConfiguration
    private let shared: RedisConnection
    /// Connections on which nobody blocks at the moment.
    private let idle = Mutex<[RedisConnection]>([])

    /// Connects when first used.
    public init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        shared = RedisConnection(configuration)
    }

    /// A connection for one task alone: for `watch`, or for a loop of blocking reads. It closes when let go of.
    public func dedicatedConnection() -> RedisConnection { RedisConnection(configuration) }

    /// A blocking command goes to a connection that nobody else waits on.
    public func send(_ command: RedisCommand) async throws -> RedisValue {
        guard command.blocking != nil else { return try await shared.send(command) }
        let connection = idle.withLock { $0.popLast() } ?? dedicatedConnection()
        defer { idle.withLock { $0.append(connection) } }
        return try await connection.send(command)
    }

    public func pipeline(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await shared.pipeline(commands)
    }

    public func transaction(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>] {
        try await shared.transaction(commands)
    }

    public func evaluate(_ script: String, keys: [String], arguments: [any RedisArgument]) async throws -> RedisValue {
        try await shared.evaluate(script, keys: keys, arguments: arguments)
    }
}
