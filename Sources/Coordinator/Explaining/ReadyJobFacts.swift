import ExportPlan
import FarmAPI
import Scheduling
import FoundationEssentials

/// Everything that decides when a ready job is sent, and what follows from it. The rules and their order are those of
/// docs/scheduling.md, "Who may be sent at all", followed by the order of choice.
struct ReadyJobFacts: Sendable {
    var job: ReadyJob
    var pool: String
    /// The last failed attempt's number and failure; nil before the first failure.
    var failure: (number: Int, JobFailure)?
    var hasLeader = true
    var isPaused = false
    /// The workers whose heartbeats are valid; nil where the queue cannot be reached.
    var workers: [WorkerStatus]?
    var rivals = JobRivals()
    /// How many seconds a job waits for a worker that has what all others lack.
    var capableWorkerWait: Double = 0

    private var role: WorkerRole { job.kind.role }

    /// The rules that hold the job, the first one first.
    func reasons(at now: Date) -> [WaitReason] {
        guard hasLeader else {
            return [WaitReason(.noLeader, "no coordinator leads, so nothing is sent; see whether one is running")]
        }
        if job.notBefore > now { return [pause] }
        if isPaused {
            return [
                WaitReason(
                    .pausedQueue,
                    "the queue of the role '\(role.rawValue)' is paused; resume it with: spool queue resume \(role.rawValue)")
            ]
        }
        if let maker = rivals.maker {
            let worker = rivals.makerWorker.map { " on worker '\($0)'" } ?? ""
            return [
                WaitReason(
                    .jobs, "job \(maker) makes the same artifact now\(worker), and this job is done with it", jobs: [maker])
            ]
        }
        guard let workers else { return [.noQueue] }
        let serving = workers.filter { $0.roles.contains(role) && $0.pools.contains(pool) }
        guard !serving.isEmpty else {
            return [
                WaitReason(
                    .noWorker,
                    "no worker serves the role '\(role.rawValue)' in the pool '\(pool)'; start one with: spool worker --tags \(pool)"
                )
            ]
        }
        let taking = serving.filter(\.takesJobs)
        guard !taking.isEmpty else { return [idle(serving)] }
        let capable = taking.filter { rivals.lacking[$0.id] == nil }
        if capable.isEmpty, let failure = taking.lazy.compactMap({ rivals.lacking[$0.id] }).first {
            return [lacking(failure, taking)]
        }
        let others = capable.filter { !job.excludedWorkers.contains($0.id) }
        // A job that crashed goes to the same workers again where there are no others.
        return byRoom(others.isEmpty ? capable : others)
    }

    private var pause: WaitReason {
        let reason = failure.map { ": attempt \($0.number) failed (\($0.1.description))" } ?? ""
        return WaitReason(.pause, "it is retried at \(FarmJSON.text(job.notBefore))\(reason)", until: job.notBefore)
    }

    private func idle(_ serving: [WorkerStatus]) -> WaitReason {
        let words = serving.map { worker in
            "'\(worker.id)' " + (worker.isDraining ? "drains" : "takes no jobs: \(worker.pausedFor ?? "no reason given")")
        }
        return WaitReason(
            .idleWorkers,
            "the workers that serve the role '\(role.rawValue)' in the pool '\(pool)' take no jobs: "
                + words.joined(separator: ", "), workers: serving.map(\.id))
    }

    private func lacking(_ failure: JobFailure, _ taking: [WorkerStatus]) -> WaitReason {
        WaitReason(
            .excludedWorkers,
            "no worker that is there can do it (\(failure.description)); it waits \(Int(capableWorkerWait)) s for one that can, and then its "
                + "export fails", workers: taking.map(\.id))
    }

    // MARK: Room and order

    private func byRoom(_ able: [WorkerStatus]) -> [WaitReason] {
        let room = able.map { ($0, width: $0.capacity.width(of: job.demand), free: $0.freeSlots) }
        let slots = able.reduce(0) { $0 + $1.slots }
        var reasons: [WaitReason] = []
        if !room.contains(where: { $0.free >= $0.width }) {
            let freest = room.max { $0.free < $1.free }
            let width = room.map(\.width).min() ?? 1
            let message =
                width == 1
                ? "all \(slots) slots of the workers that may do it are busy"
                : "it needs \(width) slots of one worker at once, and no more than \(freest?.free ?? 0) are free at any"
            reasons.append(WaitReason(.slots, message + "; more workers would make it faster", workers: able.map(\.id)))
        }
        if let order { reasons.append(order) }
        if reasons.isEmpty { reasons.append(WaitReason(.next, "it is sent next", workers: able.map(\.id))) }
        return reasons
    }

    private var order: WaitReason? {
        var words: [String] = []
        if rivals.urgentExports > 0 {
            words.append(
                "\(rivals.urgentExports) urgent export\(rivals.urgentExports == 1 ? "" : "s") that an operator put first")
        }
        if !rivals.earlier.isEmpty {
            words.append(
                "exports of the same tenant with a higher priority or an earlier time: "
                    + rivals.earlier.map(\.text).joined(separator: ", ")
                    + (rivals.earlier.count == JobRivals.limit ? " and perhaps more" : ""))
        }
        if rivals.otherTenants > 0 {
            words.append(
                "the share\(rivals.otherTenants == 1 ? "" : "s") of \(rivals.otherTenants) other "
                    + "tenant\(rivals.otherTenants == 1 ? "" : "s")")
        }
        guard !words.isEmpty else { return nil }
        return WaitReason(.order, "before it go " + words.joined(separator: ", and "), exports: rivals.earlier)
    }
}

extension WaitReason {
    static let noQueue = WaitReason(.noQueue, "the queue (Redis) cannot be reached, so nothing is sent")
}

extension WorkerStatus {
    /// The slots that no job has and no ticket waits for.
    fileprivate var freeSlots: Int {
        max(0, slots - running.reduce(0) { $0 + ($1.width ?? 1) } - (waiting?.count ?? 0))
    }
}
