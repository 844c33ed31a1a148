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
    /// How long the job held its slot, where it was rendered with success. Earlier versions do not send it.
    package var measured: JobMeasurement?

    package init(_ id: AttemptID, worker: String, _ outcome: Outcome, log: String = "", measured: JobMeasurement? = nil) {
        self.id = id
        self.worker = worker
        self.outcome = outcome
        self.log = log
        self.measured = measured
    }

    private enum CodingKeys: String, CodingKey { case id, worker, outcome, log, measured }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(AttemptID.self, forKey: .id)
        worker = try container.decode(String.self, forKey: .worker)
        outcome = try container.decode(Outcome.self, forKey: .outcome)
        log = try container.decode(String.self, forKey: .log)
        // A measurement of another version, or one that makes no sense, must not cost the job its success.
        measured = try? container.decodeIfPresent(JobMeasurement.self, forKey: .measured)
    }
}
