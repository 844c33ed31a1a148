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

/// How many jobs of each role and pool may be sent now.
///
/// Jobs wait in the database, where a priority, a pause or a cancel acts at once; the queue holds what slots can take. A worker
/// with several roles and pools shares its slots among them, so room is what is free of a lane, of its role, and of the whole:
/// what nobody serves is not sent, and takes no room from others. Large farms get a quarter more than there are slots, so that
/// no slot waits for the way from its report to its next job; on small ones that would make an urgent job wait for a whole
/// segment.
public struct DispatchRoom: Sendable {
    /// From this many slots on, some jobs are sent ahead.
    private static let largeFarm = 5

    private let working: [WorkerStatus]
    private let isLarge: Bool
    private var inFlight: [JobLane: Int]

    /// - Parameter inFlight: jobs dispatched or running.
    public init(_ workers: [WorkerStatus], inFlight: [JobLane: Int]) {
        working = workers.filter { !$0.isDraining && $0.pausedFor == nil }
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

    private func free(where serves: (WorkerStatus) -> Bool, inFlight counts: (JobLane) -> Bool) -> Int {
        let slots = working.filter(serves).reduce(0) { $0 + $1.slots }
        let taken = inFlight.filter { counts($0.key) }.values.reduce(0, +)
        return max(0, (isLarge ? slots + slots / 4 : slots) - taken)
    }

    /// Counts jobs that were sent.
    public mutating func take(_ lane: JobLane) { inFlight[lane, default: 0] += 1 }
}

extension DispatchRoom {
    /// Parts candidates into those that some worker may have and those that all workers of their lane have shunned.
    static func split(
        _ candidates: [DispatchCandidate], by workers: [WorkerStatus]
    ) -> (able: [DispatchCandidate], shunning: [DispatchCandidate]) {
        var able: [DispatchCandidate] = []
        var shunning: [DispatchCandidate] = []
        for candidate in candidates {
            let ids = workers.filter { $0.serves(candidate.lane) }.map(\.id)
            if !ids.isEmpty, ids.allSatisfy(candidate.shunned.contains) {
                shunning.append(candidate)
            } else {
                able.append(candidate)
            }
        }
        return (able, shunning)
    }
}

extension WorkerStatus {
    fileprivate func serves(_ lane: JobLane) -> Bool { roles.contains(lane.role) && pools.contains(lane.pool) }
}
