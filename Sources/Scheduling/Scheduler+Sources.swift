import FarmAPI
import FoundationEssentials

/// Something that workers have at hand once they have worked with it: a source, or the artifacts of an export.
enum HeldSource: Hashable, Sendable {
    case source(Int64)
    case export(ExportID)
}

/// Which workers have what a job reads.
///
/// A worker compares an asset with its hash when it first reads it, and its machine has read the bytes then. So a job goes
/// to a worker that has done another job with the same source, where nothing is lost by that. It changes neither the order
/// of choice nor the shares.
extension Scheduler {
    /// How many sources a worker is remembered to have.
    static let sourcesPerWorker = 64
    /// How many workers are remembered to have a source.
    static let workersPerSource = 16

    /// Notes that a worker has begun a job, and so has what it reads.
    mutating func noteSources(of job: Int32, at worker: Int32) {
        guard workers[worker].isKnown else { return }
        let record = jobs[job]
        if record.source != 0 { note(.source(record.source), at: worker) }
        note(.export(exports[record.export].id), at: worker)
    }

    private mutating func note(_ source: HeldSource, at worker: Int32) {
        steps += 1
        guard workers[worker].sources.last != source || holders[source]?.last != worker else { return }
        workers[worker].sources.removeAll { $0 == source }
        workers[worker].sources.append(source)
        if workers[worker].sources.count > Scheduler.sourcesPerWorker {
            forget(workers[worker].sources.removeFirst(), of: worker)
        }
        holders[source, default: []].removeAll { $0 == worker }
        holders[source, default: []].append(worker)
        if let all = holders[source], all.count > Scheduler.workersPerSource {
            workers[all[0]].sources.removeAll { $0 == source }
            forget(source, of: all[0])
        }
    }

    private mutating func forget(_ source: HeldSource, of worker: Int32) {
        holders[source]?.removeAll { $0 == worker }
        if holders[source]?.isEmpty == true { holders[source] = nil }
    }

    /// Forgets what a worker has, because it is gone.
    mutating func forgetSources(of worker: Int32) {
        for source in workers[worker].sources { forget(source, of: worker) }
        workers[worker].sources = []
    }

    /// The worker that a job of one slot is sent to by name, because it has what the job reads; `none` where the job goes
    /// to its lane.
    ///
    /// Nothing is lost where the worker has a free slot and no ticket in the lane's queue waits for it. While a backlog
    /// keeps all other slots busy anyway, the worker may be sent a quarter of its slots ahead, as the whole farm is. A job
    /// of an urgent export goes to whoever is free first.
    func workerWithSource(for job: Int32) -> Int32 {
        let record = jobs[job]
        guard !exports[record.export].isUrgent else { return none }
        let wanted: HeldSource
        if record.source != 0 {
            wanted = .source(record.source)
        } else if record.kind.readsArtifacts {
            wanted = .export(exports[record.export].id)
        } else {
            return none
        }
        guard let workersWithIt = holders[wanted] else { return none }
        let lane = lane(of: record.export, record.kind)
        let isBacklog = lanes[lane].queues.values.reduce(0) { $0 + laneQueues[$1].count } > lanes[lane].slots
        var best = none
        for worker in workersWithIt where mayTake(worker, lane, isBacklog: isBacklog) {
            guard best != none else {
                best = worker
                continue
            }
            let (free, most) = (workers[worker].slots - workers[worker].taken, workers[best].slots - workers[best].taken)
            if free > most || free == most && workers[worker].id < workers[best].id { best = worker }
        }
        return best
    }

    private func mayTake(_ worker: Int32, _ lane: Int32, isBacklog: Bool) -> Bool {
        let record = workers[worker]
        guard record.takesJobs, record.lanes.contains(lane) else { return false }
        let free = record.slots - record.taken
        if isBacklog { return free + record.slots / 4 > 0 }
        return free > 0 && lanes[lane].unclaimed == 0
    }

    /// Notes that a job was sent to its worker by choice: others might have taken it as well.
    mutating func beginChoice(_ job: Int32) {
        jobs[job].waitsByChoice = true
        workers[jobs[job].worker].waitingByChoice += 1
    }

    /// Notes that a job has begun, or is no longer at its worker.
    mutating func endChoice(_ job: Int32) {
        guard jobs[job].waitsByChoice else { return }
        jobs[job].waitsByChoice = false
        workers[jobs[job].worker].waitingByChoice -= 1
    }

    /// The busy workers with tickets that were sent to them by choice and wait although other slots of their lanes are
    /// idle, because nothing of these lanes is due any more. The tickets are withdrawn when they have waited for a while.
    package var workersWithWaitingTickets: [String] {
        workerIndex.values.filter { worker in
            let record = workers[worker]
            return record.waitingByChoice > 0 && record.taken > record.slots
                && record.lanes.allSatisfy { lane in
                    lanes[lane].load.slots < lanes[lane].slots
                        && lanes[lane].queues.values.allSatisfy { laneQueues[$0].count == 0 }
                }
        }.map { workers[$0].id }.sorted()
    }
}
