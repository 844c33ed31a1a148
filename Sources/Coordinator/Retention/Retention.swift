package import Logging
package import FoundationEssentials

/// Keeps the tables small: moves and removes rows that have expired, in transactions of a bounded size with pauses in
/// between, so that other work goes on.
///
/// The leader runs it for its term, with the store of its term, and `spool gc` once with a store of its own. Both may
/// run at a time: rows that one has locked are skipped by the other.
package struct Retention: Sendable {
    /// How many rows one transaction changes at most.
    package static let batch = 500

    private let store: any RetentionStore
    private let policy: RetentionPolicy

    package init(store: any RetentionStore, policy: RetentionPolicy) {
        self.store = store
        self.policy = policy
    }

    /// Moves and removes everything that has expired.
    /// - Parameters:
    ///   - pause: the pause after each transaction.
    ///   - noteProgress: is called after each transaction with what it did.
    /// - Throws: `FarmError`; what was done until then stays done.
    @discardableResult
    package func run(
        at now: Date, pause: Duration = .zero, noteProgress: (RowCounts) -> Void = { _ in }
    ) async throws -> RowCounts {
        let cutoffs = try await policy.cutoffs(at: now, in: store)
        let batch = Retention.batch
        var sum = RowCounts()
        func each(_ cutoff: Date?, _ step: (Date) async throws -> RowCounts) async throws {
            guard let cutoff else { return }
            while true {
                try Task.checkCancellation()
                let counts = try await step(cutoff)
                guard !counts.isEmpty else { return }
                sum = sum + counts
                noteProgress(counts)
                if pause > .zero { try await Task.sleep(for: pause) }
            }
        }
        try await store.addUpQueueCounts()
        try await each(cutoffs.jobs) { try await store.moveToHistory(endedBefore: $0, limit: batch) }
        try await each(cutoffs.logs) { try await store.clearLogs(endedBefore: $0, limit: batch) }
        try await each(cutoffs.events) { try await store.dropEvents(before: $0, limit: batch) }
        try await each(cutoffs.history) { try await store.dropHistory(endedBefore: $0, limit: batch) }
        try await each(cutoffs.revisions) {
            try await store.dropRevisions(before: $0, keeping: cutoffs.keptRevisions, limit: batch)
        }
        try await each(cutoffs.deliveries) { try await store.dropDeliveries(endedBefore: $0, limit: batch) }
        try await each(cutoffs.exports) { try await store.dropExports(endedBefore: $0, limit: batch / 10) }
        try await each(cutoffs.adminActions) { try await store.dropAdminActions(before: $0, limit: batch) }
        try await each(cutoffs.workers) { try await store.dropWorkers(unseenSince: $0, limit: batch) }
        return sum
    }

    /// What `run` would do.
    package func preview(at now: Date) async throws -> RowCounts {
        try await store.expired(try await policy.cutoffs(at: now, in: store))
    }

    /// How long the leader waits after one run until the next.
    private static let interval = Duration.seconds(300)

    /// Runs every five minutes until the task is cancelled or the lead is lost. A run that fails is logged.
    package func runForTerm(_ term: LeadTerm, _ logger: Logger) async {
        while !Task.isCancelled {
            do {
                let counts = try await run(at: term.now(), pause: .milliseconds(50))
                if !counts.isEmpty {
                    logger.info("history: \(counts.movedJobs) jobs moved, \(counts.droppedJobs) removed")
                }
            } catch is CancellationError {
                return
            } catch let error as FarmError where error.code == .lostLead {
                return
            } catch {
                logger.warning("finished exports cannot be moved to the history now: \(error)")
            }
            try? await Task.sleep(for: Retention.interval)  // cancelled: the loop ends
        }
    }
}
