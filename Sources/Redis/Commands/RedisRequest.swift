/// A command together with the type of its reply: `try await redis.send(.xlen("jobs"))` is an `Int`.
///
/// Every command that the farm uses is one static function on this type, named as Redis names it; its `command` also goes
/// into pipelines and transactions.
package struct RedisRequest<Reply: Sendable>: Sendable {
    /// The command that is sent.
    package var command: RedisCommand
    private let reading: @Sendable (RedisValue) throws -> Reply

    /// - Parameter reading: turns the answer, which is no error, into the reply; throws `RedisError` for a wrong shape.
    package init(_ command: RedisCommand, _ reading: @escaping @Sendable (RedisValue) throws -> Reply) {
        self.command = command
        self.reading = reading
    }

    /// Reads the reply from an answer.
    /// - Throws: `RedisError`: the server's own error, or code `unexpectedReply`; it names the command.
    package func read(_ value: RedisValue) throws -> Reply {
        do {
            return try reading(try value.checked(command.name))
        } catch let error as RedisError {
            throw error.naming(command.name)
        }
    }
}
