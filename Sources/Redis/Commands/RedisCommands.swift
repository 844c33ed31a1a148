/// Something that sends commands: a `RedisClient`, which all tasks share, or a `RedisConnection` for one task.
///
/// All calls throw `RedisError`. A blocking command ends with `CancellationError` when its task is cancelled. Short
/// commands do not: they end within the command timeout, and a task that is shutting down can still tell the server so.
/// Only the pause before another attempt to connect ends early.
package protocol RedisCommands: Sendable {
    /// Sends one command.
    /// - Returns: the answer; an error answer is thrown.
    func send(_ command: RedisCommand) async throws -> RedisValue

    /// Sends commands together and reads all their answers. An error among them stops none of the others.
    /// - Parameter commands: none of them may be blocking.
    /// - Returns: an answer for each, in order.
    func pipeline(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>]

    /// Executes commands as one transaction (MULTI, EXEC): no commands of other clients come between.
    ///
    /// Redis does not roll back: a command that fails while it is executed has its error in the results, and all others
    /// are executed.
    /// - Returns: an answer for each, in order.
    /// - Throws: the error of the first command that Redis refused to queue, with its name (nothing is executed then),
    ///   or code `conflict` when a watched key changed.
    func transaction(_ commands: [RedisCommand]) async throws -> [Result<RedisValue, RedisError>]

    /// Runs a Lua script, by its hash where the server still has it.
    func evaluate(_ script: String, keys: [String], arguments: [any RedisArgument]) async throws -> RedisValue
}

extension RedisCommands {
    /// Sends a command whose reply has a Swift type.
    package func send<Reply>(_ request: RedisRequest<Reply>) async throws -> Reply {
        try request.read(try await send(request.command))
    }

    /// Executes requests as one transaction, and reads all their replies:
    /// `let (id, count) = try await redis.transaction(.xadd(…), .xack(…))`.
    /// - Throws: as the other `transaction`, and also the first error that a request had while it was executed; the
    ///   others are executed.
    package func transaction<each Reply>(_ request: repeat RedisRequest<each Reply>) async throws -> (repeat each Reply) {
        var commands: [RedisCommand] = []
        for request in repeat each request { commands.append(request.command) }
        var answers = try await transaction(commands).makeIterator()
        func next() throws -> RedisValue { try answers.next()?.get() ?? .null }
        return (repeat try (each request).read(try next()))
    }
}
