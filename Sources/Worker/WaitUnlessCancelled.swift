/// Waits for a call, but no longer than the task lives. When the task is cancelled, it goes on at once and leaves the
/// call behind until the server or disk that the call waits for has answered.
/// - Throws: what `call` throws, or `CancellationError` as soon as the task is cancelled.
func waitUnlessCancelled<Answer: Sendable>(_ call: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    let (answers, answer) = AsyncThrowingStream.makeStream(of: Answer.self)
    let calling = Task {  // ends with its call; a cancelled caller leaves it behind
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
