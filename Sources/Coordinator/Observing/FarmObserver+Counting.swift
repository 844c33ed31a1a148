import ExportPlan
import FarmAPI
import Telemetry

extension FarmObserver {
    private static let failureClasses: [FailureClass] = [.input, .transient, .storage, .resource, .environment, .crash]

    /// Begins the counters of a coordinator with 0. A counter that appears with its first event hides that event from
    /// Prometheus, which only sees how counters grow. Without a registry this does nothing.
    package static func beginCounting() {
        for kind in JobKind.allCases.map(\.rawValue) {
            for metric in [FarmMetric.expiredLeases, .renderedJobs, .reusedJobs, .storedBytes] { metric.add(0, kind) }
            for failureClass in FarmObserver.failureClasses.map(\.rawValue) {
                FarmMetric.retries.add(0, kind, failureClass)
                FarmMetric.failedJobs.add(0, kind, failureClass)
            }
            for state in AttemptState.allCases where state != .dispatched && state != .running {
                FarmMetric.attempts.add(0, kind, state.rawValue)
            }
        }
        for state in ExportState.allCases where state.isTerminal { FarmMetric.endedExports.add(0, state.rawValue) }
        for caller in ["leader", "api"] { FarmMetric.databaseErrors.add(0, caller) }
        for operation in ["command", "pipeline", "transaction"] { FarmMetric.redisErrors.add(0, operation) }
        FarmMetric.sentSpans.add(0)
        for reason in ["full", "refused", "unreachable"] { FarmMetric.droppedSpans.add(0, reason) }
    }
}
