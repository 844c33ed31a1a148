package import FarmAPI
package import ExportPlan
import JobQueue
import Telemetry

/// How an attempt ended, and what followed for its job, for the farm's metrics.
package struct AttemptEnd: Hashable, Sendable {
    package var kind: JobKind
    package var state: AttemptState
    /// The class of the failure; nil where the attempt did not fail.
    package var failureClass: FailureClass?
    /// Whether the job has failed for good.
    package var isFinal = false
    /// Whether the artifact was there already.
    package var reused = false
    /// For how many seconds the job held its slot; nil where nobody knows.
    package var seconds: Double?
    package var cost: JobCost?
    /// Bytes of the artifact that was written; nil where nobody says.
    package var storedBytes: Int64?

    package init(_ kind: JobKind, _ state: AttemptState) {
        self.kind = kind
        self.state = state
    }

    /// The end that an event brought to an attempt; nil where it ended none.
    /// - Parameters:
    ///   - lifecycle: the job after the event.
    ///   - actions: what the lifecycle returned for the event.
    init?(_ event: JobLifecycle.Event, _ lifecycle: JobLifecycle, _ actions: [JobLifecycle.Action]) {
        var found: AttemptEnd?
        for case .endAttempt(_, let state, _, let failure, let cost) in actions {
            var end = AttemptEnd(lifecycle.kind, state)
            end.failureClass = state == .lost ? .transient : failure?.failureClass
            end.cost = cost
            found = end
        }
        guard var end = found else { return nil }
        end.isFinal = lifecycle.state == .failed
        end.reused = end.state == .succeeded && lifecycle.reused
        if case .reported(let report) = event {
            end.seconds = report.measured?.seconds
            end.storedBytes = report.storedBytes
        }
        self = end
    }

    /// Counts it.
    func count(in tally: inout MetricTally) {
        let kind = kind.rawValue
        tally.add(.attempts, 1, kind, state.rawValue)
        if state == .lost { tally.add(.expiredLeases, 1, kind) }
        if let failureClass { tally.add(isFinal ? .failedJobs : .retries, 1, kind, failureClass.rawValue) }
        guard state == .succeeded else { return }
        tally.add(reused ? .reusedJobs : .renderedJobs, 1, kind)
        if let seconds, !reused { tally.observe(.jobTime, seconds: seconds, kind) }
        if let storedBytes, storedBytes > 0 { tally.add(.storedBytes, Double(storedBytes), kind) }
        guard let cost, !reused else { return }
        for (stage, seconds) in [
            ("decode", cost.decode), ("compose", cost.compose), ("encode", cost.encode), ("mix", cost.mix),
            ("stitch", cost.stitch),
        ] where seconds > 0 {
            // A rendering process says so, which is not trusted.
            tally.add(.jobCost, min(seconds, JobMeasurement.longest), kind, stage)
        }
    }
}
