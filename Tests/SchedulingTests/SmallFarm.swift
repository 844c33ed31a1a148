import FarmAPI
import ExportPlan
import Scheduling
import FoundationEssentials

/// A scheduler with a few workers on a virtual clock, for tests of one rule each. Jobs take as long as is predicted.
struct SmallFarm {
    private(set) var scheduler: Scheduler
    private(set) var now = 0.0
    /// What was sent, in order, with its time.
    private(set) var sent: [(job: Int64, worker: String?, time: Double)] = []
    /// The jobs that were sent to the express queues of their lanes.
    private(set) var express: [Int64] = []
    private(set) var withoutWorker: [Int64] = []
    private var ends: [(time: Double, job: Int64, length: Double)] = []
    private var lengths: [Int64: Double] = [:]
    private var exports: [Int64: ExportID] = [:]

    static let start = Date(timeIntervalSince1970: 1_000_020)

    init(slots: Int = 0) {
        scheduler = Scheduler(at: SmallFarm.start)
        if slots > 0 { worker("w1", slots: slots) }
    }

    mutating func worker(
        _ id: String, roles: [WorkerRole] = WorkerRole.allCases, pools: [String] = ["default"], slots: Int = 1,
        memory: Int64? = nil, draining: Bool = false, pausedFor: String? = nil, readsExpress: Bool = true
    ) {
        var worker = WorkerStatus(
            id: id, host: "h", version: "1", roles: roles, pools: pools, slots: slots, memory: memory,
            startedAt: SmallFarm.start, seenAt: SmallFarm.start, isDraining: draining, pausedFor: pausedFor, running: [])
        worker.readsExpress = readsExpress
        scheduler.handle(.worker(worker))
    }

    /// Adds an export with this number, accepted now.
    mutating func export(_ number: Int64, tenant: Int64 = 1, pool: String = "default", priority: Int = 0) {
        let id = ExportID()
        exports[number] = id
        scheduler.handle(
            .export(
                QueuedExport(
                    id: id, tenant: tenant, pool: pool, number: number, priority: priority, since: SmallFarm.start + now)))
    }

    func id(_ number: Int64) -> ExportID { exports[number] ?? ExportID() }

    mutating func job(
        _ job: Int64, of export: Int64, _ kind: JobKind = .video, _ seconds: Double = 1, key: String? = nil,
        after pause: Double = 0, besides excluded: [String] = [], needing demand: JobDemand = JobDemand(), at ordinal: Int? = nil
    ) {
        lengths[job] = seconds
        scheduler.handle(
            .ready(
                ReadyJob(
                    id: job, export: id(export), kind: kind, ordinal: ordinal ?? Int(job), key: ArtifactKey(key ?? "\(job)"),
                    predicted: seconds, notBefore: SmallFarm.start + now + pause, excludedWorkers: excluded,
                    demand: demand)))
    }

    mutating func handle(_ event: SchedulerEvent) { scheduler.handle(event) }

    /// Sends what there is room for.
    /// - Returns: the jobs, in order.
    @discardableResult
    mutating func dispatch() -> [Int64] {
        let decisions = scheduler.dispatch(at: SmallFarm.start + now)
        withoutWorker += decisions.withoutWorker
        for dispatch in decisions.dispatches {
            sent.append((dispatch.job, dispatch.worker, now))
            if dispatch.isExpress { express.append(dispatch.job) }
            ends.append((now + lengths[dispatch.job, default: 1], dispatch.job, lengths[dispatch.job, default: 1]))
        }
        return decisions.dispatches.map(\.job)
    }

    mutating func end(_ job: Int64, seconds: Double? = nil) {
        ends.removeAll { $0.job == job }
        scheduler.handle(.ended(job, seconds: seconds))
    }

    /// Lets the farm work until this time.
    mutating func run(until time: Double) {
        dispatch()
        while let next = ends.min(by: { ($0.time, $0.job) < ($1.time, $1.job) }), next.time <= time {
            now = next.time
            end(next.job, seconds: next.length)
            dispatch()
        }
        now = time
    }
}
