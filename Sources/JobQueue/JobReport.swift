public import ExportPlan

/// What a worker says of a job.
public struct JobReport: Hashable, Sendable, Codable {
    public enum Outcome: Hashable, Sendable, Codable {
        case started
        /// The artifact is in the store; `reused` when it was there already.
        case finished(result: JobResult, reused: Bool)
        case failed(failure: JobFailure)
        /// Handed back unfinished by a worker that drains: counts for nothing.
        case returned
        /// Stopped because it was cancelled.
        case cancelled
    }

    public var id: AttemptID
    public var worker: String
    public var outcome: Outcome
    /// The last lines that the rendering process wrote to standard error meanwhile.
    public var log: String

    public init(_ id: AttemptID, worker: String, _ outcome: Outcome, log: String = "") {
        self.id = id
        self.worker = worker
        self.outcome = outcome
        self.log = log
    }
}
