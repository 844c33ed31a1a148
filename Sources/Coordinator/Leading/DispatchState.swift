import ExportPlan
import FarmAPI
import Scheduling
import FoundationEssentials

/// What the dispatch knows from one round to the next. The store has all of it, so it may be thrown away at any time.
package struct DispatchState: Sendable {
    var scheduler = Scheduler(at: .distantPast)
    /// Whether the scheduler follows the store. Otherwise it is built anew in the next round.
    var isBuilt = false
    /// While the scheduler is built, the number of the last export that it has read; nil when it knows all.
    var readUpTo: Int64?
    /// The workers of the last round.
    var workers: Set<String> = []
    /// Jobs that any worker may take again, because all workers were excluded, with their exports. They are forgotten
    /// when a worker comes that may not be excluded.
    var readmitted: [Int64: ExportID] = [:]
    /// Jobs that wait for a worker that has what all others lack, with the lack that was found last. The scheduler does not
    /// know them, and the store holds them as ready.
    var waiting: [Int64: WorkerLack] = [:]
    /// The workers that lack what a kind of job of an export needs, by their ids.
    var lacking: [ExportID: [JobKind: [String: WorkerLack]]] = [:]
    /// The farm's id, once it is known.
    var farm: String?
    /// The number of the export that was compared with the store last.
    var comparedUpTo: Int64 = 0
    /// What differed when exports were last compared with the store. What had only not been told yet does not differ any
    /// more when they are compared again.
    var suspected: [ExportID: ScheduleDifference] = [:]
    /// The last step that may have stored what is suspected, as `LeaderNews` numbers them.
    var suspectedStep = 0

    package init() {}

    /// Whether anything is ready or in flight.
    package var isBusy: Bool { !knowsAll || scheduler.readyCount + scheduler.inFlightCount > 0 }

    /// Whether the scheduler has read everything that the store holds.
    package var knowsAll: Bool { isBuilt && readUpTo == nil }

    /// The jobs that the scheduler believes ready, and those it believes in flight.
    package var knownJobs: (ready: Set<Int64>, inFlight: Set<Int64>) { scheduler.knownJobs }

    /// Makes what the scheduler knows of an open export equal to what the store holds.
    /// - Parameter active: the export's jobs that are ready or in flight.
    mutating func update(_ export: QueuedExport, _ active: [ActiveJob]) {
        guard scheduler.handle(.export(export)) else {
            isBuilt = false
            return
        }
        let difference = difference(of: export.id, active)
        var events: [SchedulerEvent] = difference.noLongerInFlight.sorted().map { .ended($0, seconds: nil) }
        events += difference.noLongerReady.sorted().map { .notReady($0) }
        for job in active where difference.inFlight.contains(job.job.id) {
            events.append(.inFlight(job.job, worker: job.worker))
        }
        for job in active where difference.ready.contains(job.job.id) { events.append(.ready(admitted(job.job))) }
        for event in events { isBuilt = scheduler.handle(event) && isBuilt }
    }

    /// How what the scheduler knows of an open export differs from what the store holds.
    func difference(of export: ExportID, _ active: [ActiveJob]) -> ScheduleDifference {
        let known = scheduler.jobs(of: export)
        let ready = Set(active.lazy.filter { !$0.isInFlight }.map(\.job.id))
        let inFlight = Set(active.lazy.filter(\.isInFlight).map(\.job.id))
        return ScheduleDifference(
            ready: ready.subtracting(known.ready).subtracting(waiting.keys), inFlight: inFlight.subtracting(known.inFlight),
            noLongerReady: known.ready.subtracting(ready), noLongerInFlight: known.inFlight.subtracting(inFlight))
    }

    /// Forgets an export that is over.
    mutating func remove(_ export: ExportID) {
        for job in scheduler.jobs(of: export).inFlight.sorted() { scheduler.handle(.ended(job, seconds: nil)) }
        scheduler.handle(.exportRemoved(export))
        lacking[export] = nil
    }

    /// The job with the workers that it must not go to: those that lack what jobs like it need, and those that the store
    /// excludes, unless any of these may take it again.
    func admitted(_ job: ReadyJob) -> ReadyJob {
        var job = job
        if readmitted[job.id] != nil { job.excludedWorkers = [] }
        let lacking = lacking[job.export]?[job.kind] ?? [:]
        job.excludedWorkers += lacking.keys.filter { !job.excludedWorkers.contains($0) }.sorted()
        return job
    }

    /// Learns that a worker cannot do a kind of job of an export.
    /// - Returns: whether that is new. The export's jobs are to be read again then.
    mutating func note(_ lack: WorkerLack) -> Bool {
        guard lacking[lack.export]?[lack.kind]?[lack.worker] == nil else { return false }
        lacking[lack.export, default: [:]][lack.kind, default: [:]][lack.worker] = lack
        for job in scheduler.jobs(of: lack.export).ready.sorted() { scheduler.handle(.notReady(job)) }
        return true
    }

    /// Has jobs tried by workers that are new, among those that waited for such a worker or were re-admitted.
    /// - Returns: the exports that are to be read again.
    mutating func tryNewWorkers() -> Set<ExportID> {
        // These jobs are read again, with the workers that they are to keep away from.
        for job in readmitted.keys.sorted() { scheduler.handle(.notReady(job)) }
        defer { (readmitted, waiting) = ([:], [:]) }
        return Set(readmitted.values).union(waiting.values.map(\.export))
    }

    /// Forgets a worker.
    mutating func forget(worker: String) {
        scheduler.handle(.workerGone(worker))
        for export in lacking.keys { lacking[export] = lacking[export]?.mapValues { $0.filter { $0.key != worker } } }
    }
}
