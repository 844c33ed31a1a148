package import FarmAPI
package import ExportPlan

/// What a worker says about an attempt.
package struct JobReport: Hashable, Sendable, Codable {
    package enum Outcome: Hashable, Sendable, Codable {
        case started
        /// The artifact is in the store; `reused` when it was there already.
        case finished(result: JobResult, reused: Bool)
        case failed(failure: JobFailure)
        /// A draining worker returned the job unfinished, which does not count as a failed attempt.
        case returned
        /// The attempt was stopped because it was cancelled.
        case cancelled
    }

    /// Whether the attempt is over with this report.
    var isFinal: Bool { outcome != .started }

    package var id: AttemptID
    package var worker: String
    package var outcome: Outcome
    /// The last lines that the rendering process wrote to standard error.
    package var log: String

    package init(_ id: AttemptID, worker: String, _ outcome: Outcome, log: String = "") {
        self.id = id
        self.worker = worker
        self.outcome = outcome
        self.log = log
    }
}
