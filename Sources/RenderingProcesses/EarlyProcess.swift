import ExportPlan
import Synchronization

/// A rendering process that is started before its jobs are known, so that it is ready when they are. There is one at a
/// time.
final class EarlyProcess<Feed: JobFeed>: Sendable {
    private let process: RenderingProcess
    private let isFollowed: Bool
    private let waiting: Mutex<Slot?>

    /// A slot whose process waits for its feed.
    private struct Slot: Sendable {
        let feed: LateFeed<Feed>
        let serving: Task<Void, any Error>
    }

    /// - Parameter isFollowed: whether another process starts when the one that waits is taken.
    init(_ process: RenderingProcess, isFollowed: Bool) {
        self.process = process
        self.isFollowed = isFollowed
        waiting = Mutex(EarlyProcess.start(process))
    }

    /// Kills the process that waits, and starts no further one.
    func close() async {
        let slot = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        guard let slot else { return }
        slot.serving.cancel()
        await slot.feed.take(nil)
        _ = await slot.serving.result  // it has been cancelled
    }

    /// Serves a feed with the process that waits, as `RenderingProcess.serve` does with one that it starts.
    func serve(_ feed: Feed) async throws {
        let taken = waiting.withLock { slot in
            defer { slot = slot == nil || !isFollowed ? nil : EarlyProcess.start(process) }
            return slot
        }
        guard let taken else { return try await process.serve(feed) }
        await taken.feed.take(feed)
        try await withTaskCancellationHandler {
            try await taken.serving.value
        } onCancel: {
            taken.serving.cancel()
        }
    }

    private static func start(_ process: RenderingProcess) -> Slot {
        let feed = LateFeed<Feed>()
        return Slot(feed: feed, serving: Task { try await process.serve(feed, startsEarly: true) })
    }
}

/// A feed that becomes known later; until then it has no job, and is not at its end either.
private actor LateFeed<Feed: JobFeed>: JobFeed {
    private var feed: Feed?
    private var isKnown = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// - Parameter feed: nil for no jobs.
    func take(_ feed: Feed?) {
        self.feed = feed
        isKnown = true
        waiting?.resume()
        waiting = nil
    }

    func next() async -> Assignment<Feed.Ticket>? {
        if !isKnown { await withCheckedContinuation { waiting = $0 } }
        return await feed?.next()
    }

    func started(_ ticket: Feed.Ticket, stop: @escaping @Sendable () -> Void) async {
        await feed?.started(ticket, stop: stop)
    }

    func progress(_ ticket: Feed.Ticket, done: Int) async { await feed?.progress(ticket, done: done) }

    func ended(_ ticket: Feed.Ticket, _ outcome: JobOutcome, log: String) async throws {
        try await feed?.ended(ticket, outcome, log: log)
    }
}
