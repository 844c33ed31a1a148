package import FoundationEssentials

/// Something that is true of a farm at all times, whatever happens to it.
package enum AuditRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// A coordinator leads, and has renewed its lead within the last seconds.
    case lead
    /// The leader's scheduler knows the jobs that the database holds. The leader compares the two all the time and corrects
    /// the scheduler; a difference that lasts for longer than news take to arrive is noted.
    case scheduler
    /// An export that is rendered has a job that is not over, and an export that is over has none.
    case openJobs = "open-jobs"
    /// A job that a worker has, or is on its way to one, has an attempt that is under way; no other job has one.
    case attempts
    /// The numbers of jobs that queues show are the numbers of jobs that there are.
    case jobCounts = "job-counts"
    /// The queue holds a ticket or a report of each attempt that the database has under way, and tickets of no others.
    case tickets
    /// Tickets that no worker has taken for a while have workers that serve their lane.
    case readers
    /// The lease of a ticket that a worker has taken is renewed, and a worker that renews it is at work on it.
    case leases
    /// Reports are applied within seconds.
    case reports
    /// Rows do not stay in the database for longer than they are kept.
    case retention
    /// The films and pictures of completed exports are in the store, as long as they are kept.
    case films
    /// Artifacts that the database knows are in the store, and have the bytes that were stored.
    case artifacts
    /// Uploaded and fetched sources are in the store, and have the bytes that they are named by.
    case assets
    /// Every file of the store has a row of the database, or is younger than a day.
    case unknownFiles = "unknown-files"

    /// The rules that are checked without the store.
    package static let ofFarm: [AuditRule] = [
        .lead, .scheduler, .openJobs, .attempts, .jobCounts, .tickets, .readers, .leases, .reports, .retention,
    ]
    /// The rules about the files of the store.
    package static let ofFiles: [AuditRule] = [.films, .artifacts, .assets, .unknownFiles]
}

/// A rule that does not hold.
package struct AuditFault: Hashable, Sendable, Codable {
    package var rule: AuditRule
    /// What it does not hold of: an export's or a job's id, or a queue.
    package var subject: String
    /// What was found, in one sentence.
    package var detail: String
    package var foundAt: Date

    package init(_ rule: AuditRule, subject: String, detail: String, foundAt: Date) {
        self.rule = rule
        self.subject = subject
        self.detail = detail
        self.foundAt = foundAt
    }

    /// For how long faults that the farm itself noted are reported, in seconds: a day.
    package static let lifetime = 86_400.0
    /// How many faults of each rule are reported.
    package static let limit = 100
}

/// The outcome of an audit.
package struct AuditReport: Hashable, Sendable, Codable {
    /// The rules that were checked.
    package var rules: [AuditRule]
    /// In the order of the rules; at most `AuditFault.limit` of each.
    package var faults: [AuditFault]
    package var at: Date

    package init(rules: [AuditRule], faults: [AuditFault], at: Date) {
        self.rules = rules
        self.faults = faults
        self.at = at
    }
}
