package import FarmAPI
package import JobQueue
package import FoundationEssentials

/// Checks a farm at work: the database by itself, the database against the queue, and the age of rows. It changes nothing.
///
/// Database and queue cannot be read at the same moment, and leader and workers put right what a fault left behind. So
/// what differs between the two counts as a fault only where it still differs a few seconds later.
package struct FarmAudit: Sendable {
    private let store: any FarmStore
    private let queue: any CoordinatorQueue
    private let retention: RetentionPolicy
    private let pause: Duration

    /// - Parameters:
    ///   - retention: how long rows are kept.
    ///   - pause: the time between two looks at the queue.
    package init(
        store: any FarmStore, queue: any CoordinatorQueue, retention: RetentionPolicy = RetentionPolicy(),
        pause: Duration = .seconds(3)
    ) {
        self.store = store
        self.queue = queue
        self.retention = retention
        self.pause = pause
    }

    /// Checks all rules that are not about files.
    /// - Throws: `FarmError`, and the errors of a queue that does not answer.
    package func run(at now: Date) async throws -> AuditReport {
        var faults = try await leadFaults(at: now)
        faults += try await store.audit(at: now)
        faults += try await queueFaults(at: now)
        faults += try await expiredRows(at: now)
        let ordered = AuditRule.ofFarm.flatMap { rule in faults.filter { $0.rule == rule }.prefix(AuditFault.limit) }
        return AuditReport(rules: AuditRule.ofFarm, faults: ordered, at: now)
    }

    // MARK: The lead

    /// A lead that has not been renewed for 3.5 s is taken by another coordinator. The rest is the time to do so.
    private static let longestLeadAge = 10.0

    private func leadFaults(at now: Date) async throws -> [AuditFault] {
        guard let age = try await store.leadAge() else {
            return [AuditFault(.lead, subject: "the farm", detail: "has no coordinator that leads", foundAt: now)]
        }
        guard age > FarmAudit.longestLeadAge else { return [] }
        let detail = "has a leader that has not renewed its lead for \(Int(age)) s"
        return [AuditFault(.lead, subject: "the farm", detail: detail, foundAt: now)]
    }

    // MARK: The queue

    private func queueFaults(at now: Date) async throws -> [AuditFault] {
        let first = try await look(at: now)
        guard !first.isEmpty else { return [] }
        try await Task.sleep(for: pause)
        let subjects = Set(first.map(Subject.init))
        return try await look(at: now).filter { subjects.contains(Subject($0)) }
    }

    private struct Subject: Hashable {
        var rule: AuditRule
        var subject: String

        init(_ fault: AuditFault) {
            rule = fault.rule
            subject = fault.subject
        }
    }

    /// The database is read before and after the queue, because attempts begin and end meanwhile.
    private func look(at now: Date) async throws -> [AuditFault] {
        let before = try await store.inFlight()
        let contents = try await queue.contents()
        let workers = try await queue.workers()
        let after = try await store.inFlight()
        return QueueLook(
            begun: Set(before.map(\.id)), underWay: Set(after.map(\.id)), contents: contents, workers: workers
        ).faults(at: now)
    }

    // MARK: Retention

    /// The leader removes what has expired every five minutes, in small steps. The rest is the time for those.
    private static let grace = 3600.0

    /// Rows that expired because of their age. What is beyond a number of exports may have got there just now.
    private func expiredRows(at now: Date) async throws -> [AuditFault] {
        var policy = retention
        policy.jobsCount = nil
        policy.exportsCount = nil
        let rows = try await store.expired(try await policy.cutoffs(at: now - FarmAudit.grace, in: store))
        let counts = [
            ("jobs", rows.movedJobs, "be in the history"), ("logs", rows.clearedLogs, "be gone"),
            ("events", rows.droppedEvents, "be gone"), ("jobs of the history", rows.droppedJobs, "be gone"),
            ("revisions", rows.droppedRevisions, "be gone"), ("deliveries", rows.droppedDeliveries, "be gone"),
            ("operators' actions", rows.droppedAdminActions, "be gone"),
            ("exports", rows.droppedExports, "be gone"),
        ]
        return counts.filter { $0.1 > 0 }.map { name, count, wish in
            AuditFault(
                .retention, subject: name, detail: "are \(count) that should \(wish) for an hour or longer", foundAt: now)
        }
    }
}
