package import FarmAPI
package import ExportPlan
import JobQueue
package import Scheduling
import Telemetry

/// What follows from reports.
package struct JobEffects: Hashable, Sendable {
    /// Attempts that are not needed any more: their workers have to be told.
    package var toCancel: [AttemptID] = []
    /// Whether anything may be dispatched or compiled now that could not before.
    package var hasNews = false
    /// What the leader's scheduler has to know.
    package var changes = ScheduleChanges()
    /// How attempts ended.
    package var ends: [AttemptEnd] = []
    /// How many jobs of each kind are done because another job made their artifact.
    package var reused: [JobKind: Int] = [:]
    /// Exports that ended, with their last states.
    package var endedExports: [ExportID: ExportState] = [:]

    package init() {}

    /// Counts what happened for the farm's metrics.
    func record() {
        var tally = MetricTally()
        for end in ends { end.count(in: &tally) }
        for (kind, count) in reused { tally.add(.reusedJobs, Double(count), kind.rawValue) }
        for state in endedExports.values { tally.add(.endedExports, 1, state.rawValue) }
        tally.record()
    }

    /// Adds what happened afterwards.
    package mutating func merge(_ later: JobEffects) {
        toCancel += later.toCancel
        hasNews = hasNews || later.hasNews
        changes.merge(later.changes)
        ends += later.ends
        reused.merge(later.reused) { $0 + $1 }
        endedExports.merge(later.endedExports) { $1 }
    }
}

/// How transactions changed what the scheduler knows. Each part is about other jobs, or about the same job in this
/// order: an attempt begins, it ends, the job is no longer ready, the job is ready again.
package struct ScheduleChanges: Hashable, Sendable {
    /// The workers of attempts that began, by job id.
    package private(set) var started: [Int64: String] = [:]
    /// Jobs whose attempts ended, with the seconds that their slots were used for; nil where nobody knows.
    package private(set) var ended: [Int64: Double?] = [:]
    /// Jobs that were ready, at the beginning or in between, and no longer are. Jobs that were dispatched are not among
    /// them, because their tickets say so.
    package private(set) var noLongerReady: Set<Int64> = []
    /// Jobs that became ready and still are, by job id.
    package private(set) var ready: [Int64: ReadyJob] = [:]
    /// Exports that began, ended or began again: what is ready and in flight of them has to be read from the store.
    package var exports: Set<ExportID> = []

    package init() {}

    package init(exports: Set<ExportID>) {
        self.exports = exports
    }

    package var isEmpty: Bool {
        started.isEmpty && ended.isEmpty && noLongerReady.isEmpty && ready.isEmpty && exports.isEmpty
    }

    package mutating func attemptStarted(_ job: Int64, worker: String) { started[job] = worker }

    package mutating func attemptEnded(_ job: Int64, seconds: Double?) { ended[job] = .some(seconds) }

    package mutating func becameReady(_ job: ReadyJob) {
        noLongerReady.remove(job.id)
        ready[job.id] = job
    }

    package mutating func isNoLongerReady(_ job: Int64) {
        ready[job] = nil
        noLongerReady.insert(job)
    }

    /// Notes what an event changed about a job, except that the job became ready, which `becameReady` tells.
    /// - Parameters:
    ///   - before: the state before the event; the lifecycle has the state after it.
    ///   - actions: what the lifecycle returned for the event.
    mutating func note(
        _ job: Int64, _ event: JobLifecycle.Event, _ before: JobState, _ lifecycle: JobLifecycle,
        _ actions: [JobLifecycle.Action]
    ) {
        if before == .dispatched, lifecycle.state == .running, let worker = lifecycle.worker {
            attemptStarted(job, worker: worker)
        }
        if before.isInFlight, !lifecycle.state.isInFlight {
            // The report of the start may be lost, and the worker's own measurement still counts.
            let reported = before == .dispatched ? 0 : actions.lazy.compactMap(\.slotSeconds).first
            attemptEnded(job, seconds: event.slotSeconds ?? reported)
        }
        if before == .ready, lifecycle.state != .ready { isNoLongerReady(job) }
    }

    /// Adds what happened afterwards.
    package mutating func merge(_ later: ScheduleChanges) {
        for (job, worker) in later.started { attemptStarted(job, worker: worker) }
        for (job, seconds) in later.ended { attemptEnded(job, seconds: seconds) }
        for job in later.ready.values { becameReady(job) }
        for job in later.noLongerReady { isNoLongerReady(job) }
        exports.formUnion(later.exports)
    }

    /// The changes as the scheduler's events, in an order that does not depend on chance.
    var events: [SchedulerEvent] {
        started.sorted { $0.key < $1.key }.map { .started($0.key, worker: $0.value) }
            + ended.sorted { $0.key < $1.key }.map { .ended($0.key, seconds: $0.value) }
            + noLongerReady.sorted().map { .notReady($0) }
            + ready.sorted { $0.key < $1.key }.map { .ready($0.value) }
    }
}

extension JobLifecycle.Event {
    /// For how many seconds the job held its slot, as its worker measured it; nil for other events, and where the worker
    /// does not say.
    fileprivate var slotSeconds: Double? {
        guard case .reported(let report) = self else { return nil }
        return report.measured?.seconds
    }
}

extension JobLifecycle.Action {
    /// How long the stages of an attempt that ended took, in seconds; nil for other actions, and where nobody knows.
    fileprivate var slotSeconds: Double? {
        guard case .endAttempt(_, _, _, _, let cost) = self else { return nil }
        return cost?.total
    }
}
