/// A message that somebody published.
public struct RedisMessage: Sendable, Equatable {
    /// The one it was published to.
    public let channel: String
    /// Any bytes.
    public let payload: [UInt8]
}

/// The messages of some channels, from the moment it was made. On a connection of its own, which it closes when let go of.
///
/// Messages wait in the server until they are asked for. Iterating ends with `CancellationError` when the task is cancelled, and
/// with `RedisError`, code `connectionLost`, when messages may have been missed: look at the whole again, then subscribe anew.
public struct RedisSubscription: AsyncSequence, Sendable {
    private let connection: RedisConnection

    fileprivate init(_ connection: RedisConnection, to channels: [String]) async throws {
        self.connection = connection
        var command = RedisCommand("SUBSCRIBE")
        command.append(each: channels)
        _ = try await connection.send(command)
        // The server confirms channel by channel; `send` has read the first.
        for _ in channels.dropFirst() { _ = try await connection.receive(as: "SUBSCRIBE") }
    }

    /// For one task: two would share the messages between them.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Gives message after message, never nil.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let connection: RedisConnection

        /// Waits for the next message, without limit.
        public mutating func next() async throws -> RedisMessage? {
            let parts = try await connection.receive(as: "SUBSCRIBE").array
            guard parts.count == 3, try parts[0].text == "message" else {
                throw RedisError(.unexpectedReply, "expected a message of three parts, got \(parts.count)", command: "SUBSCRIBE")
            }
            return RedisMessage(channel: try parts[1].text, payload: try parts[2].bytes)
        }
    }
}

extension RedisClient {
    /// Listens to channels (SUBSCRIBE): everything published after this returns will be seen.
    /// - Parameter channels: at least one.
    public func subscribe(to channels: [String]) async throws -> RedisSubscription {
        try await RedisSubscription(dedicatedConnection(), to: channels)
    }
}
