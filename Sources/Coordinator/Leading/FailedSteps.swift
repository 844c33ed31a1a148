import FarmAPI
import Logging
import Synchronization

/// Counts how often the leader failed to process one item: a report, an export, an attempt or a worker's status. An
/// item that keeps failing is set aside, so that the others do not wait for it.
///
/// The counts are held in memory and end with the leader's term; the next leader tries every item again.
final class FailedSteps: Sendable {
    /// The item that a step is about.
    enum Subject: Hashable, Sendable {
        /// A report, by its entry in the queue.
        case report(String)
        case export(ExportID)
        case attempt(Int64)
        case worker(String)

        /// The ids of what it is about, for the log.
        var ids: Logger.Metadata {
            switch self {
            case .report: [:]
            case .export(let export): .ids(export: export)
            case .attempt(let job): .ids(job: job)
            case .worker(let worker): ["worker": "\(worker)"]
            }
        }
    }

    /// How often an item is tried before it is set aside.
    static let tries = 3
    /// How many items are counted at a time. More of them mean that something else is wrong, and all counts start anew.
    private static let capacity = 10_000

    private let counts = Mutex<[Subject: Int]>([:])

    /// Counts one more failure.
    /// - Returns: whether the item is to be set aside now.
    func countFailure(of subject: Subject) -> Bool {
        counts.withLock { counts in
            if counts.count >= FailedSteps.capacity { counts = [:] }
            counts[subject, default: 0] += 1
            return counts[subject, default: 0] >= FailedSteps.tries
        }
    }

    /// Forgets the failures of an item, because a step succeeded or the item is set aside.
    func forget(_ subject: Subject) {
        counts.withLock { counts in
            if !counts.isEmpty { counts[subject] = nil }
        }
    }
}
