/// Waits for a call, but no longer than the task lives: a task that is cancelled goes on at once, and the call is left behind
/// until whatever it waits for, a server or a disk, has answered.
/// - Throws: what `call` throws, or `CancellationError` as soon as the task is cancelled.
func orAbandon<Answer: Sendable>(_ call: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    let (answers, answer) = AsyncThrowingStream.makeStream(of: Answer.self)
    let calling = Task {  // ends with its call; whoever is cancelled leaves it behind
        do {
            answer.yield(try await call())
            answer.finish()
        } catch {
            answer.finish(throwing: error)
        }
    }
    defer { calling.cancel() }
    // Iterating ends when the task is cancelled.
    for try await answer in answers { return answer }
    throw CancellationError()
}
