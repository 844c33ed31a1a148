public import JobQueue

/// Where a job is taken from: a role's queue of one pool.
public struct JobLane: Hashable, Sendable {
    public var role: WorkerRole
    public var pool: String

    public init(_ role: WorkerRole, pool: String) {
        self.role = role
        self.pool = pool
    }
}

/// What is dispatched or running of a lane.
public struct LaneLoad: Hashable, Sendable {
    public var jobs: Int
    /// How many of `jobs` are long (`JobWeight.isLong`).
    public var long: Int

    public init(jobs: Int = 0, long: Int = 0) {
        self.jobs = jobs
        self.long = long
    }
}

/// How many jobs of each role and pool may be sent now.
///
/// Jobs wait in the database, where a priority, a pause or a cancel acts at once; the queue holds what slots can take. A worker
/// with several roles and pools shares its slots among them, so room is what is free of a lane, of its role, and of the whole:
/// what nobody serves is not sent, and takes no room from others. Large farms get a quarter more than there are slots, so that
/// no slot waits for the way from its report to its next job; on small ones that would make an urgent job wait for a whole
/// segment.
///
/// A soundtrack or a stitch is one job however long its film is, and such jobs can last for minutes. They never hold all slots: a
/// quarter of the slots, and at least one where there are two, is left to the jobs that end soon.
public struct DispatchRoom: Sendable {
    /// From this many slots on, some jobs are sent ahead.
    private static let largeFarm = 5

    private let working: [WorkerStatus]
    private let isLarge: Bool
    private var inFlight: [JobLane: LaneLoad]

    public init(_ workers: [WorkerStatus], inFlight: [JobLane: LaneLoad]) {
        working = workers.filter(\.takesJobs)
        isLarge = working.reduce(0) { $0 + $1.slots } >= DispatchRoom.largeFarm
        self.inFlight = inFlight
    }

    /// How many of `role` may be sent, of whatever pools.
    public func room(_ role: WorkerRole) -> Int {
        min(
            free(where: { _ in true }, inFlight: { _ in true }),
            free(where: { $0.roles.contains(role) }, inFlight: { $0.role == role }))
    }

    /// How many of a lane may be sent.
    public func room(_ lane: JobLane) -> Int {
        min(room(lane.role), free(where: { $0.serves(lane) }, inFlight: { $0 == lane }))
    }

    /// How many long jobs of a lane may be sent.
    public func roomForLongJobs(_ lane: JobLane) -> Int {
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
        // A farm of one slot has none to keep free.
        return max(0, min(slots, max(1, slots - max(1, slots / 4))) - taken)
    }

    /// Counts a job that was sent.
    public mutating func take(_ lane: JobLane, isLong: Bool = false) {
        inFlight[lane, default: LaneLoad()].jobs += 1
        if isLong { inFlight[lane, default: LaneLoad()].long += 1 }
    }
}

extension DispatchRoom {
    /// Parts candidates into those that some worker may have now and those that all workers of their lane have shunned. Those that only
    /// a worker that is paused or draining may have are in neither: they wait for it.
    package static func split(
        _ candidates: [DispatchCandidate], by workers: [WorkerStatus]
    ) -> (able: [DispatchCandidate], shunning: [DispatchCandidate]) {
        var able: [DispatchCandidate] = []
        var shunning: [DispatchCandidate] = []
        for candidate in candidates {
            let serving = workers.filter { $0.serves(candidate.lane) }
            let left = serving.filter { !candidate.shunned.contains($0.id) }
            if left.isEmpty, !serving.isEmpty {
                shunning.append(candidate)
            } else if serving.isEmpty || left.contains(where: \.takesJobs) {
                able.append(candidate)
            }
        }
        return (able, shunning)
    }
}

extension WorkerStatus {
    fileprivate var takesJobs: Bool { !isDraining && pausedFor == nil }

    fileprivate func serves(_ lane: JobLane) -> Bool { roles.contains(lane.role) && pools.contains(lane.pool) }
}
