/// A published message.
package struct RedisMessage: Sendable, Equatable {
    /// The channel that it was published to.
    package let channel: String
    /// The message itself: any bytes.
    package let payload: [UInt8]
}

/// The messages of some channels, from the moment it was made. It has its own connection, which it closes when it is
/// released.
///
/// Messages wait in the server until they are asked for. Iterating ends with `CancellationError` when the task is
/// cancelled. It ends with `RedisError`, code `connectionLost`, when messages may have been missed; the reader then has
/// to look at everything again and subscribe anew.
package struct RedisSubscription: AsyncSequence, Sendable {
    private let connection: RedisConnection

    fileprivate init(_ connection: RedisConnection, to channels: [String]) async throws {
        self.connection = connection
        var command = RedisCommand("SUBSCRIBE")
        command.append(each: channels)
        _ = try await connection.send(command)
        // The server confirms channel by channel; `send` has read the first.
        for _ in channels.dropFirst() { _ = try await connection.receive(as: "SUBSCRIBE") }
    }

    /// An iterator for one task: two iterators would share the messages between them.
    package func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Returns message after message, never nil.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let connection: RedisConnection

        /// Waits for the next message, without limit.
        package mutating func next() async throws -> RedisMessage? {
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
    package func subscribe(to channels: [String]) async throws -> RedisSubscription {
        try await RedisSubscription(dedicatedConnection(), to: channels)
    }
}
