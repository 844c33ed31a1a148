/// A command together with how its answer reads: `try await redis.send(.xlen("jobs"))` is an `Int`.
///
/// Every command that the farm uses is one static function on this type, named as Redis names it; its `command` also goes
/// into pipelines and transactions.
public struct RedisRequest<Reply: Sendable>: Sendable {
    /// What is sent.
    public var command: RedisCommand
    private let reading: @Sendable (RedisValue) throws -> Reply

    /// - Parameter reading: turns the answer, which is no error, into the reply; throws `RedisError` on a wrong shape.
    public init(_ command: RedisCommand, _ reading: @escaping @Sendable (RedisValue) throws -> Reply) {
        self.command = command
        self.reading = reading
    }

    /// The reply that an answer means.
    /// - Throws: `RedisError`: the server's own, or code `unexpectedReply`; it names the command.
    public func read(_ value: RedisValue) throws -> Reply {
        do {
            return try reading(try value.checked(command.name))
        } catch let error as RedisError {
            throw error.naming(command.name)
        }
    }
}
