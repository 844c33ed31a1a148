import Synchronization

/// Requests that wait for media files which are not there yet.
final class WaitingRequests: Sendable {
    /// The end of a wait: what became of the file.
    enum Outcome: Hashable, Sendable {
        case ready
        /// The engine's reason.
        case failed(String)
        /// The engine is gone.
        case ended
    }

    private struct State {
        var waiting: [PreviewFileName: [Int: AsyncStream<Outcome>.Continuation]] = [:]
        var next = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// The number of requests that wait.
    var count: Int { state.withLock { state in state.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Waits until the engine says what became of a file.
    /// - Parameters:
    ///   - limit: the longest time.
    ///   - isThere: looks for the file.
    ///   - want: asks the engine for it. It is called for the first of all requests that wait for the same file.
    /// - Returns: nil when the time is over, or the task is cancelled.
    func wait(
        for file: PreviewFileName, atMost limit: Duration, isThere: () -> Bool, want: () -> Void
    ) async -> Outcome? {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let place: (number: Int, isFirst: Bool)? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.next += 1
            let isFirst = state.waiting[file] == nil
            state.waiting[file, default: [:]][state.next] = continuation
            return (number: state.next, isFirst: isFirst)
        }
        guard let place else { return .ended }
        defer {
            state.withLock { state in
                state.waiting[file]?[place.number] = nil
                if state.waiting[file]?.isEmpty == true { state.waiting[file] = nil }
            }
        }
        // The file may have come before this request was noted.
        if isThere() { return .ready }
        if place.isFirst { want() }
        return await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await outcomes.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: limit)  // cancelled: the outcome is there
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    /// Ends all waits for a file.
    func end(_ file: PreviewFileName, _ outcome: Outcome) {
        // A request that comes from now on asks for the file again.
        let ended = state.withLock { state in state.waiting.removeValue(forKey: file).map { Array($0.values) } ?? [] }
        for continuation in ended { continuation.yield(outcome) }
    }

    /// Ends all waits, and those that begin later.
    func endAll() {
        let ended = state.withLock { state in
            state.hasEnded = true
            return state.waiting.values.flatMap { Array($0.values) }
        }
        for continuation in ended { continuation.yield(.ended) }
    }
}
