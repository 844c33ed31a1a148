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
    /// How many seconds ago the attempt began: in the report of its start, and in that of its end where the former may not
    /// have arrived, mostly because the job was over within `JobReport.startDelay`. Earlier versions report each start.
    package var startedAgo: Double?
    /// Bytes of the artifact that the attempt has put into the store. Earlier versions do not say.
    package var storedBytes: Int64?

    /// A job that takes longer than this has a report of its start of its own. It is short enough for those who watch, and
    /// long enough for most probes and short segments of sound, whose cost is mostly that of their reports.
    package static let startDelay = Duration.milliseconds(100)

    package init(
        _ id: AttemptID, worker: String, _ outcome: Outcome, log: String = "", measured: JobMeasurement? = nil,
        startedAgo: Double? = nil, storedBytes: Int64? = nil
    ) {
        self.storedBytes = storedBytes
        self.id = id
        self.worker = worker
        self.outcome = outcome
        self.log = log
        self.measured = measured
        self.startedAgo = startedAgo
    }

    /// What happened to the attempt, in order: a report of the end may say that the attempt began, too.
    package var events: [JobReport] {
        guard let startedAgo, isFinal else { return [self] }
        var end = self
        end.startedAgo = nil
        return [JobReport(id, worker: worker, .started, startedAgo: startedAgo), end]
    }

    private enum CodingKeys: String, CodingKey { case id, worker, outcome, log, measured, startedAgo, storedBytes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(AttemptID.self, forKey: .id)
        worker = try container.decode(String.self, forKey: .worker)
        outcome = try container.decode(Outcome.self, forKey: .outcome)
        log = try container.decode(String.self, forKey: .log)
        // A measurement of another version, or one that makes no sense, must not cost the job its success.
        measured = try? container.decodeIfPresent(JobMeasurement.self, forKey: .measured)
        startedAgo = (try? container.decodeIfPresent(Double.self, forKey: .startedAgo)).map {
            $0 >= 0 && $0 <= JobMeasurement.longest ? $0 : 0
        }
        storedBytes = (try? container.decodeIfPresent(Int64.self, forKey: .storedBytes)).flatMap { $0 >= 0 ? $0 : nil }
    }
}
