import Synchronization

/// Counts how often the leader could not take one thing further: a report, an export or a worker's status. What fails again
/// and again is set aside, so that it does not keep everything else waiting.
///
/// The counts are the leader's own and end with its term: another leader tries again.
final class FailedSteps: Sendable {
    /// What a step is about.
    enum Subject: Hashable, Sendable {
        /// A report, by its place in the queue.
        case report(String)
        case export(ExportID)
        case attempt(Int64)
        case worker(String)
    }

    /// Tries before a thing is set aside.
    static let tries = 3
    /// Things that are counted at a time: more of them mean that something else is wrong.
    private static let capacity = 10_000

    private let counts = Mutex<[Subject: Int]>([:])

    /// Counts one more failure.
    /// - Returns: whether that was the last try.
    func countFailure(of subject: Subject) -> Bool {
        counts.withLock { counts in
            if counts.count >= FailedSteps.capacity { counts = [:] }
            counts[subject, default: 0] += 1
            return counts[subject, default: 0] >= FailedSteps.tries
        }
    }

    /// The thing went on, or is set aside.
    func forget(_ subject: Subject) {
        counts.withLock { counts in
            if !counts.isEmpty { counts[subject] = nil }
        }
    }
}
