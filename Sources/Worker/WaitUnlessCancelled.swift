import ContentHashing
import ExportPlan

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

/// Waits for a call that reads files, but no longer than the storage answers, nor than the task lives. A call that is
/// not answered is left behind until it is.
/// - Parameters:
///   - watch: where the call enters its reads.
///   - limit: how long the storage may take to answer one read.
/// - Throws: what `call` throws, `JobFailure` of class `storage`, or `CancellationError`.
func waitWhileAnswered<Answer: Sendable>(
    _ watch: ReadWatch, _ limit: Duration, _ call: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer.self) { group in
        group.addTask { try await waitUnlessCancelled(call) }
        group.addTask {
            while true {
                try await Task.sleep(for: max(.milliseconds(10), limit / 20))
                if let path = watch.overdue(limit) { throw JobFailure(unanswered: path, for: limit) }
            }
        }
        defer { group.cancelAll() }
        // The first task to end is the call, or the one that ends it.
        guard let answer = try await group.next() else { throw CancellationError() }
        return answer
    }
}
