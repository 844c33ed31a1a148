package import FarmAPI
import ExportPlan
import FoundationEssentials

/// A job that takes far longer than predicted, with the worker that a copy of it may go to.
package struct Straggler: Hashable, Sendable {
    package var attempt: AttemptID
    /// A worker with enough free slots that does not have the job.
    package var worker: String

    package init(attempt: AttemptID, worker: String) {
        self.attempt = attempt
        self.worker = worker
    }
}

extension Scheduler {
    /// How many times its predicted time a job may take before it counts as a straggler.
    static let stragglerFactor = 3.0
    /// The shortest time after which a job may count as a straggler, in seconds: starting a copy costs a few.
    static let shortestStraggler = 15.0
    /// An export waits for its last jobs when so many are in flight at most, and nothing else of it is ready.
    static let lastJobs = 3

    /// The stragglers of which a copy may be started now.
    ///
    /// A job is a straggler when it has taken three times as long as predicted, and would at its present rate take longer
    /// than predicted to end. It is copied when its export waits for its last jobs, when nothing is due that could use the
    /// slots of its lane, and when another worker has enough idle ones.
    /// - Parameter workers: the latest heartbeats. Elapsed times are by the clock of each worker alone.
    package func stragglers(among workers: [WorkerStatus]) -> [Straggler] {
        var idle: [String: Int] = [:]
        for worker in workers where worker.takesJobs && worker.waiting?.isEmpty != false {
            let taken = worker.running.reduce(0) { $0 + ($1.width ?? 1) }
            idle[worker.id] = min(worker.slots - taken, idleSlots(of: worker.id))
        }
        guard idle.values.contains(where: { $0 > 0 }) else { return [] }
        let running = workers.flatMap { worker in worker.running.map { (worker: worker, job: $0) } }
        let counts = running.reduce(into: [Int64: Int]()) { $0[$1.job.job, default: 0] += 1 }
        var found: [Straggler] = []
        for (worker, job) in running where counts[job.job] == 1 && isStraggler(job, of: worker) {
            guard let index = jobIndex[job.job] else { continue }
            let size = jobs[index].size
            let able = workers.filter { other in
                other.id != worker.id && restrictions[index]?.contains(other.id) != true && other.roles.contains(job.kind.role)
                    && other.pools.contains(pool(of: index))
                    && idle[other.id, default: 0] >= other.capacity.width(of: sizes[Int(size)])
            }
            guard let best = able.min(by: { (-idle[$0.id, default: 0], $0.id) < (-idle[$1.id, default: 0], $1.id) }) else {
                continue
            }
            idle[best.id, default: 0] -= best.capacity.width(of: sizes[Int(size)])
            found.append(Straggler(attempt: job.id, worker: best.id))
        }
        return found
    }

    private func idleSlots(of worker: String) -> Int {
        workerIndex[worker].map { workers[$0].slots - workers[$0].taken } ?? 0
    }

    private func pool(of job: Int32) -> String { pools[exports[jobs[job].export].pool].name }

    private func isStraggler(_ running: WorkerStatus.Running, of worker: WorkerStatus) -> Bool {
        guard let job = jobIndex[running.job], jobs[job].state == .inFlight else { return false }
        let (predicted, elapsed) = (Double(jobs[job].cost) / 1e6, worker.seenAt.timeIntervalSince(running.startedAt))
        guard elapsed >= max(Scheduler.shortestStraggler, Scheduler.stragglerFactor * predicted) else { return false }
        if running.total > 0, running.done > 0 {
            let left = Double(running.total - running.done) / Double(running.done) * elapsed
            guard left > predicted else { return false }
        }
        return isAmongLast(job) && isIdle(lane(of: jobs[job].export, jobs[job].kind))
    }

    /// Whether the export of a job waits for few jobs, all of them in flight.
    private func isAmongLast(_ job: Int32) -> Bool {
        var (next, count) = (exports[jobs[job].export].jobs, 0)
        while next != none {
            count += 1
            guard count <= Scheduler.lastJobs, jobs[next].state == .inFlight else { return false }
            next = jobs[next].nextInExport
        }
        return true
    }

    /// Whether a lane has idle slots, and nothing that is due.
    private func isIdle(_ lane: Int32) -> Bool {
        let hasDue = active.contains { laneQueues[$0].lane == lane }
        return isOpen(lane) && !hasDue && lanes[lane].load.slots < lanes[lane].slots
    }
}
