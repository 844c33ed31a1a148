/// Tells a loop that there may be something to do. Many calls while it is busy are one.
public final class WakeSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let output: AsyncStream<Void>.Continuation

    public init() {
        (stream, output) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func wake() { output.yield() }

    /// Waits for a call, or for the time to pass. For one loop.
    /// - Returns: whether it was called.
    public func wait(atMost time: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in self.stream { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: time)  // cut short: nobody waits any more
                return false
            }
            let called = await group.next() ?? false
            group.cancelAll()
            return called
        }
    }
}
