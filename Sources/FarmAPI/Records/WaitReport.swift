package import FoundationEssentials

/// The reasons for which a job or an export is not done yet.
package struct WaitReport: Hashable, Sendable, Codable {
    package var export: ExportID
    /// The job that was asked about; nil where it was the export.
    package var job: Int64?
    /// The state of the job, or of the export.
    package var state: String
    /// The rules that hold it, the first one first. There is at least one.
    package var reasons: [WaitReason]

    package init(export: ExportID, job: Int64? = nil, state: String, reasons: [WaitReason]) {
        self.export = export
        self.job = job
        self.state = state
        self.reasons = reasons
    }
}

/// One rule of the farm that a job or an export waits for.
package struct WaitReason: Hashable, Sendable, Codable {
    package enum Rule: String, CaseIterable, Hashable, Sendable, Codable {
        /// It waits for nothing: it is over.
        case over
        /// It waits for nothing: a worker does it.
        case running
        /// A worker, or the queue of its pool, has its ticket, and a slot has to become free.
        case sent
        /// Other jobs have to be done first.
        case jobs
        /// An attempt failed, and the next one waits for a time.
        case pause
        /// An operator has paused the queue of its role.
        case pausedQueue
        /// No worker serves its role and pool.
        case noWorker
        /// The workers that serve its role and pool drain or take no jobs.
        case idleWorkers
        /// The workers that serve its role and pool have failed at it or lack what it needs.
        case excludedWorkers
        /// All slots that it may go to are busy, or not enough of one worker are free.
        case slots
        /// Other exports go first.
        case order
        /// Nothing holds it: it is sent next.
        case next
        /// No coordinator leads.
        case noLeader
        /// The queue cannot be reached.
        case noQueue
        /// The draft has to be compiled.
        case compiling
        /// The tenant has as many open jobs as it may have.
        case quota
        /// The film is complete and is being sent to its destination.
        case destination
    }

    package var rule: Rule
    /// The rule and the remedy as a sentence for people.
    package var message: String
    /// The latest time at which the rule ends, where that is known.
    package var until: Date?
    /// The jobs that it waits for, or that are meant; the first ones.
    package var jobs: [Int64]?
    /// The exports that go first; the first ones.
    package var exports: [ExportID]?
    /// The workers that are meant.
    package var workers: [String]?

    package init(
        _ rule: Rule, _ message: String, until: Date? = nil, jobs: [Int64] = [], exports: [ExportID] = [],
        workers: [String] = []
    ) {
        self.rule = rule
        self.message = message
        self.until = until
        self.jobs = jobs.isEmpty ? nil : jobs
        self.exports = exports.isEmpty ? nil : exports
        self.workers = workers.isEmpty ? nil : workers
    }
}
