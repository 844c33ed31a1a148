package import FarmAPI
import JobQueue

/// A lane: the queue of one role in one pool.
package struct JobLane: Hashable, Sendable {
    package var role: WorkerRole
    package var pool: String

    package init(_ role: WorkerRole, pool: String) {
        self.role = role
        self.pool = pool
    }
}

/// The jobs of a lane that are dispatched or running.
package struct LaneLoad: Hashable, Sendable {
    package var jobs: Int
    /// How many of `jobs` are long (`JobWeight.isLong`).
    package var long: Int

    package init(jobs: Int = 0, long: Int = 0) {
        self.jobs = jobs
        self.long = long
    }
}

/// How many jobs of each role and pool may be sent to the queue now.
///
/// Jobs wait in the database, where a priority, a pause or a cancel acts at once; the queue holds only what slots can
/// take. A worker with several roles and pools shares its slots among them. The room of a lane is therefore the least
/// of three numbers: what is free of the lane, of its role, and of the whole farm. A lane that no worker serves is sent
/// nothing and takes no room from others: what it has in flight stays where it is, whether tickets that nobody reads or
/// the last jobs of workers that drain.
///
/// A large farm is sent a quarter more jobs than it has slots, so that no slot waits between its report and its next
/// job. A small farm is not, because an urgent job would then wait for a whole segment.
///
/// A soundtrack or a stitch is one job however long its film is, and may last for minutes. Such jobs never hold all
/// slots: a quarter of the slots, and at least one where there are two or more, is left to short jobs.
package struct DispatchRoom: Sendable {
    /// From this many slots on, a farm is large.
    private static let largeFarm = 5

    private let working: [WorkerStatus]
    private let isLarge: Bool
    private var inFlight: [JobLane: LaneLoad]

    package init(_ workers: [WorkerStatus], inFlight: [JobLane: LaneLoad]) {
        let working = workers.filter(\.takesJobs)
        self.working = working
        isLarge = working.reduce(0) { $0 + $1.slots } >= DispatchRoom.largeFarm
        self.inFlight = inFlight.filter { lane, _ in working.contains { $0.serves(lane) } }
    }

    /// How many jobs of `role` may be sent, whatever their pool.
    package func room(_ role: WorkerRole) -> Int {
        min(
            free(where: { _ in true }, inFlight: { _ in true }),
            free(where: { $0.roles.contains(role) }, inFlight: { $0.role == role }))
    }

    /// How many jobs of a lane may be sent.
    package func room(_ lane: JobLane) -> Int {
        min(room(lane.role), free(where: { $0.serves(lane) }, inFlight: { $0 == lane }))
    }

    /// How many long jobs of a lane may be sent.
    package func roomForLongJobs(_ lane: JobLane) -> Int {
        [
            room(lane), freeForLongJobs(where: { _ in true }, inFlight: { _ in true }),
            freeForLongJobs(where: { $0.roles.contains(lane.role) }, inFlight: { $0.role == lane.role }),
            freeForLongJobs(where: { $0.serves(lane) }, inFlight: { $0 == lane }),
        ].min() ?? 0
    }

    private func free(where serves: (WorkerStatus) -> Bool, inFlight counts: (JobLane) -> Bool) -> Int {
        let slots = working.filter(serves).reduce(0) { $0 + $1.slots }
        let taken = inFlight.filter { counts($0.key) }.values.reduce(0) { $0 + $1.jobs }
        return max(0, (isLarge ? slots + slots / 4 : slots) - taken)
    }

    private func freeForLongJobs(where serves: (WorkerStatus) -> Bool, inFlight counts: (JobLane) -> Bool) -> Int {
        let slots = working.filter(serves).reduce(0) { $0 + $1.slots }
        let taken = inFlight.filter { counts($0.key) }.values.reduce(0) { $0 + $1.long }
        // A farm with one slot cannot keep one free.
        return max(0, min(slots, max(1, slots - max(1, slots / 4))) - taken)
    }

    /// Counts a job that was sent.
    package mutating func take(_ lane: JobLane, isLong: Bool = false) {
        inFlight[lane, default: LaneLoad()].jobs += 1
        if isLong { inFlight[lane, default: LaneLoad()].long += 1 }
    }
}

extension DispatchRoom {
    /// Splits candidates into those that some worker may take now (`able`; also those of a lane without workers) and
    /// those for which all workers of their lane are excluded (`excluding`). A candidate that only a paused or draining
    /// worker may take is in neither list and waits for that worker.
    package static func split(
        _ candidates: [DispatchCandidate], by workers: [WorkerStatus]
    ) -> (able: [DispatchCandidate], excluding: [DispatchCandidate]) {
        var able: [DispatchCandidate] = []
        var excluding: [DispatchCandidate] = []
        for candidate in candidates {
            let serving = workers.filter { $0.serves(candidate.lane) }
            let left = serving.filter { !candidate.excludedWorkers.contains($0.id) }
            if left.isEmpty, !serving.isEmpty {
                excluding.append(candidate)
            } else if serving.isEmpty || left.contains(where: \.takesJobs) {
                able.append(candidate)
            }
        }
        return (able, excluding)
    }
}

extension WorkerStatus {
    /// Whether the worker takes jobs now: it neither drains nor waits for its store.
    package var takesJobs: Bool { !isDraining && pausedFor == nil }

    package func serves(_ lane: JobLane) -> Bool { roles.contains(lane.role) && pools.contains(lane.pool) }
}
