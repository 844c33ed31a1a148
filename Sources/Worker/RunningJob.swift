import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A job in one of the worker's slots: how far it is, and whether it still gets on.
struct RunningJob {
    /// Why a worker stops a job before its end.
    enum StopReason { case cancelled, hung, drained }

    let delivery: JobDelivery
    let startedAt: Date
    private(set) var done = 0
    private(set) var beganAt: ContinuousClock.Instant
    private(set) var progressedAt: ContinuousClock.Instant
    /// Kills the rendering process; known while it has the job.
    private(set) var kill: (@Sendable () -> Void)?
    private var hasStarted = false
    private(set) var stopReason: StopReason?

    /// How long a healthy job may be without progress, at least.
    private let leastPatience: Duration

    init(_ delivery: JobDelivery, patience: Duration, at now: ContinuousClock.Instant = .now) {
        self.delivery = delivery
        leastPatience = patience
        startedAt = Date()
        beganAt = now
        progressedAt = now
    }

    /// The rendering process has the job: from now on it has to get on. Before, the worker itself may have read large sources.
    mutating func start(at now: ContinuousClock.Instant = .now, kill: @escaping @Sendable () -> Void) {
        hasStarted = true
        self.kill = kill
        beganAt = now
        progressedAt = now
    }

    /// The rendering process is done with the job: its number may be another's by now.
    mutating func end() { kill = nil }

    mutating func progress(_ count: Int, at now: ContinuousClock.Instant = .now) {
        // More than there is counts for nothing: a process that goes on counting would never hang.
        let total = delivery.ticket.frameCount
        let count = total > 0 ? min(count, total) : count
        guard count > done else { return }
        done = count
        progressedAt = now
    }

    /// Whether nothing has come for longer than a healthy job would take: the least patience (a minute), or ten times its usual
    /// step.
    func isHung(at now: ContinuousClock.Instant) -> Bool {
        hasStarted && progressedAt.duration(to: now) > patience
    }

    private var patience: Duration {
        let total = delivery.ticket.frameCount
        // All frames are there: what is left is to move the index to the film's front, to hash it and to store it.
        guard total == 0 || done < total else { return leastPatience * 10 }
        // Before a film is joined, all its segments are compared with their checksums.
        guard done > 0 else { return [.stitch, .soundtrack].contains(delivery.ticket.kind) ? leastPatience * 10 : leastPatience }
        return max(leastPatience, beganAt.duration(to: progressedAt) / done * 10)
    }

    mutating func stop(_ reason: StopReason) {
        if stopReason == nil { stopReason = reason }
        kill?()
    }

    var status: WorkerStatus.Running {
        WorkerStatus.Running(
            job: delivery.ticket.job, attempt: delivery.ticket.attempt, kind: delivery.ticket.kind, done: done,
            total: delivery.ticket.frameCount, startedAt: startedAt)
    }

    /// What to tell the coordinator when the process is gone.
    func outcome(ofDeath reason: String) -> JobReport.Outcome {
        switch stopReason {
        case .cancelled: .cancelled
        case .drained: .returned
        case .hung:
            .failed(
                failure: JobFailure(
                    .crash, subject: "", message: "hung: no progress for \(progressedAt.duration(to: .now).components.seconds) s")
            )
        case nil:
            .failed(
                failure: JobFailure(
                    .crash, subject: "", message: "the rendering process died\(delivery.ticket.work.pluginNote): \(reason)"))
        }
    }
}
