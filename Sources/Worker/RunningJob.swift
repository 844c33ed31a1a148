import FarmAPI
import ExportPlan
import JobQueue
import RenderingProcesses
import FoundationEssentials

/// A job in one of the worker's slots: its progress, and whether it hangs.
struct RunningJob {
    /// Why a worker stops a job before its end.
    enum StopReason { case cancelled, hung, drained }

    let delivery: JobDelivery
    /// How many slots it takes.
    let width: Int
    let startedAt: Date
    /// When the slot took the job.
    private let takenAt: ContinuousClock.Instant
    private(set) var done = 0
    private(set) var beganAt: ContinuousClock.Instant
    private(set) var progressedAt: ContinuousClock.Instant
    /// Kills the rendering process; nil while no process has the job.
    private(set) var kill: (@Sendable () -> Void)?
    private var hasStarted = false
    /// Waits to report that the job began; nil while it has not begun.
    var startReport: Task<Void, Never>?
    /// Whether a report says that the job began.
    var startIsReported = false
    private(set) var stopReason: StopReason?
    /// Whether files that the job reads are on their way, so that it may wait for them. Fetching has time limits of its own.
    var awaitsFiles = false
    /// Why a file that the job reads cannot be had, and whether that is the store's fault; nil where it can.
    private(set) var loss: (failure: JobFailure, isOfStore: Bool)?
    /// The attempt's part in the trace of its export.
    var trace: JobTrace

    /// The shortest time without progress after which a job counts as hung.
    private let minimumTimeout: Duration

    /// - Parameter worker: the worker's id.
    init(
        _ delivery: JobDelivery, width: Int, timeout: Duration, worker: String = "", at now: ContinuousClock.Instant = .now
    ) {
        trace = JobTrace(delivery.ticket, worker: worker)
        trace.begin("prepare")
        self.delivery = delivery
        self.width = width
        minimumTimeout = timeout
        startedAt = Date()
        takenAt = now
        beganAt = now
        progressedAt = now
    }

    /// Records that the rendering process has the job, so that it has to make progress from now on. Before, the worker
    /// itself may have read large sources.
    mutating func start(at now: ContinuousClock.Instant = .now, kill: @escaping @Sendable () -> Void) {
        hasStarted = true
        trace.begin("render")
        self.kill = kill
        beganAt = now
        progressedAt = now
    }

    /// Records what ends the worker's own work for the job, before a process has it. That work has time limits of its own.
    mutating func prepare(stop: @escaping @Sendable () -> Void) { kill = stop }

    /// Records that the rendering process is done with the job: its process id may be another's by now, and what the worker
    /// itself still does for the job makes no progress that is counted.
    mutating func end() {
        trace.begin("publish")
        kill = nil
        hasStarted = false
    }

    mutating func progress(_ count: Int, at now: ContinuousClock.Instant = .now) {
        // A count above the total is cut off. A process that goes on counting would otherwise never count as hung.
        let total = delivery.ticket.frameCount
        let count = total > 0 ? min(count, total) : count
        guard count > done else { return }
        done = count
        progressedAt = now
    }

    /// Whether there has been no progress for longer than a healthy job would need: `timeout` (a minute by default),
    /// or ten times the job's mean time per step.
    func isHung(at now: ContinuousClock.Instant) -> Bool {
        hasStarted && !awaitsFiles && progressedAt.duration(to: now) > timeout
    }

    private var timeout: Duration {
        let total = delivery.ticket.frameCount
        // All frames are done. What remains is to move the index to the film's start, to hash the film and to store it.
        guard total == 0 || done < total else { return minimumTimeout * 10 }
        // Before a film is joined, all its segments are compared with their checksums.
        guard done > 0 else {
            return [.stitch, .soundtrack].contains(delivery.ticket.kind) ? minimumTimeout * 10 : minimumTimeout
        }
        return max(minimumTimeout, beganAt.duration(to: progressedAt) / done * 10)
    }

    /// Records that all files of the job are there.
    mutating func filesArrived(at now: ContinuousClock.Instant = .now) {
        awaitsFiles = false
        progressedAt = now
    }

    /// Ends the process, because a file cannot be had that the job reads.
    mutating func lose(_ failure: JobFailure, isOfStore: Bool) {
        awaitsFiles = false
        loss = (failure, isOfStore)
        kill?()
    }

    mutating func stop(_ reason: StopReason) {
        if stopReason == nil { stopReason = reason }
        kill?()
    }

    /// How long the job has held its slot, all that the worker itself did for it included; nil for a job whose time is not
    /// predicted.
    func measurement(at now: ContinuousClock.Instant = .now) -> JobMeasurement? {
        JobMeasurement(delivery.ticket.work, seconds: seconds(at: now))
    }

    /// For how many seconds the job has held its slot.
    func seconds(at now: ContinuousClock.Instant = .now) -> Double { takenAt.duration(to: now) / .seconds(1) }

    var status: WorkerStatus.Running {
        WorkerStatus.Running(
            job: delivery.ticket.job, attempt: delivery.ticket.attempt, kind: delivery.ticket.kind, done: done,
            total: delivery.ticket.frameCount, startedAt: startedAt, width: width,
            memory: delivery.ticket.demand.flatMap { $0.memory > 0 && !$0.isWholeMachine ? $0.memory : nil })
    }

    /// What to report when the rendering process has died.
    func outcome(ofDeath death: ProcessDeath) -> JobReport.Outcome {
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
                    death.failureClass, subject: "",
                    message: "the rendering process died\(delivery.ticket.work.pluginNote): \(death)"))
        }
    }
}
