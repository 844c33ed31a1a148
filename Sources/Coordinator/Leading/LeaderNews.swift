import FarmAPI
package import JobQueue
import Synchronization

/// What the leader's scheduler has not been told of yet: what other coordinators changed, which the database's
/// notifications tell, and what the leader's own tasks stored.
///
/// A coordinator has one, whether it leads or not. Where something may have been missed, everything is read again.
package final class LeaderNews: Sendable {
    /// The news since they were last taken.
    struct Unread {
        var changes = ScheduleChanges()
        /// Workers that were found to lack what a job needs.
        var lacks: Set<WorkerLack> = []
        /// The tenants or the paused roles may have changed.
        var hasSettings = false
        /// Changes may have been missed.
        var isIncomplete = false
    }

    /// Is called when there are news.
    let signal: WakeSignal
    /// How many exports are listed. A coordinator that does not lead takes nothing, and forgets them beyond this number.
    private static let capacity = 10_000

    private let unread = Mutex(Unread())

    /// Steps of the leader's tasks that store changes and then tell of them, numbered in the order in which they began.
    private struct Steps {
        var begun = 0
        var underWay: Set<Int> = []
    }

    private let steps = Mutex(Steps())

    package init(signal: WakeSignal = WakeSignal()) {
        self.signal = signal
    }

    /// Tells the leader to look for work.
    package func wake() { signal.wake() }

    /// Notes what a notification of `PostgresFarmStore.workChannel` says. One that another version sent may mean anything.
    package func note(payload: String) {
        unread.withLock { unread in
            switch WorkNotice(payload: payload) {
            case .submission: break
            case .export(let id): unread.add(ScheduleChanges(exports: [id]), capacity: LeaderNews.capacity)
            case .settings: unread.hasSettings = true
            case nil: unread.isIncomplete = true
            }
        }
        signal.wake()
    }

    /// Notes that notifications may have been missed.
    package func noteGap() {
        unread.withLock { unread in unread = Unread(isIncomplete: true) }
        signal.wake()
    }

    /// Notes what the leader itself has stored.
    func add(_ changes: ScheduleChanges) {
        guard !changes.isEmpty else { return }
        unread.withLock { unread in unread.add(changes, capacity: LeaderNews.capacity) }
    }

    /// Notes that a worker cannot do a kind of job of an export.
    func add(_ lack: WorkerLack) { _ = unread.withLock { $0.lacks.insert(lack) } }

    /// Runs a step that stores changes and tells of them before it ends. The answer of a slow database may come long after
    /// the changes can be read.
    @discardableResult
    package func storing<Result>(_ step: () async throws -> Result) async rethrows -> Result {
        let number = steps.withLock { steps in
            steps.begun += 1
            steps.underWay.insert(steps.begun)
            return steps.begun
        }
        defer { _ = steps.withLock { $0.underWay.remove(number) } }
        return try await step()
    }

    /// The number of the last step that began. Changes that have been read from the store are of no later step.
    var lastStep: Int { steps.withLock { $0.begun } }

    /// Whether a step with at most this number may not have told of its changes yet.
    func isUnderWay(upTo number: Int) -> Bool { steps.withLock { $0.underWay.contains { $0 <= number } } }

    /// Whether the news may be about this export.
    func mayName(_ export: ExportID) -> Bool {
        unread.withLock { $0.isIncomplete || $0.changes.exports.contains(export) }
    }

    func take() -> Unread {
        unread.withLock { unread in
            defer { unread = Unread() }
            return unread
        }
    }

    /// Takes what the leader itself has stored about jobs, and leaves everything else.
    func takeJobs() -> ScheduleChanges {
        unread.withLock { unread in
            var jobs = unread.changes
            jobs.exports = []
            unread.changes = ScheduleChanges(exports: unread.changes.exports)
            return jobs
        }
    }
}

extension LeaderNews.Unread {
    fileprivate mutating func add(_ new: ScheduleChanges, capacity: Int) {
        guard !isIncomplete else { return }
        changes.merge(new)
        if changes.exports.count > capacity { self = LeaderNews.Unread(isIncomplete: true) }
    }
}
