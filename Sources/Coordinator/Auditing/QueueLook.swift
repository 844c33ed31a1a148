import FarmAPI
import JobQueue
import FoundationEssentials

/// Database and queue as they were read one after the other, and what is wrong between them.
struct QueueLook: Sendable {
    /// The attempts that were under way before the queue was read.
    var begun: Set<AttemptID>
    /// The attempts that were under way after the queue was read.
    var underWay: Set<AttemptID>
    var contents: QueueContents
    var workers: [WorkerStatus]

    /// A lease and a few looks of the leader, in seconds: by then the leader has reclaimed a ticket.
    private static let longestSilence = Leader.lease.inSeconds + 5
    /// The age of a report at which it should have been applied, in seconds.
    private static let longestReport = 10.0
    /// For how long a worker may have a ticket and say nothing of it, in seconds.
    private static let heartbeats = 5.0

    func faults(at now: Date) -> [AuditFault] {
        (lostTickets + foreignTickets + unreadTickets + silentLeases + idleWorkers + oldReports).map {
            AuditFault($0.rule, subject: $0.subject, detail: $0.detail, foundAt: now)
        }
    }

    private typealias Difference = (rule: AuditRule, subject: String, detail: String)

    private var lostTickets: [Difference] {
        begun.intersection(underWay).subtracting(contents.held).subtracting(contents.reported).sorted().map {
            (.tickets, $0.words, "is under way, and the queue has neither its ticket nor its report")
        }
    }

    private var foreignTickets: [Difference] {
        contents.held.subtracting(begun).subtracting(underWay).subtracting(contents.reported).sorted().map {
            (.tickets, $0.words, "is in the queue, and is not under way in the database")
        }
    }

    private var unreadTickets: [Difference] {
        contents.waiting.filter { ticket in
            ticket.age > QueueLook.longestSilence && !workers.contains { $0.takesJobs && ticket.readers.include($0) }
        }.map { (.readers, $0.id.words, "has waited for \(Int($0.age)) s in a lane that no worker serves") }
    }

    private var silentLeases: [Difference] {
        contents.taken.filter { $0.silence > QueueLook.longestSilence }.map {
            (.leases, $0.id.words, "is at worker '\($0.worker)', which has not renewed its lease for \(Int($0.silence)) s")
        }
    }

    /// Tickets whose leases are renewed although their worker does not say that it has them.
    private var idleWorkers: [Difference] {
        let statuses = Dictionary(workers.map { ($0.id, $0) }) { first, _ in first }
        return contents.taken.filter { ticket in
            guard let status = statuses[ticket.worker], ticket.silence < QueueLook.heartbeats else { return false }
            return begun.contains(ticket.id) && underWay.contains(ticket.id) && !status.attempts.contains(ticket.id)
                && !contents.reported.contains(ticket.id)
        }.map { (.leases, $0.id.words, "has a lease at worker '\($0.worker)', which is not at work on it") }
    }

    private var oldReports: [Difference] {
        guard let age = contents.reportAge, age > QueueLook.longestReport else { return [] }
        return [(.reports, "the reports", "have waited to be applied for \(Int(age)) s")]
    }
}

extension AttemptID {
    fileprivate var words: String { "job \(job), attempt \(attempt)" }
}
