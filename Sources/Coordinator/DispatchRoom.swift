public import JobQueue

/// How many jobs of each role may be sent now.
///
/// Jobs wait in the database, where a priority, a pause or a cancel acts at once; the queue holds what slots can take. A worker
/// with several roles shares its slots among them, so room is what is free both of a role and of the whole. Large farms
/// get a quarter more than there are slots, so that no slot waits for the way from its report to its next job; on small
/// ones that would make an urgent job wait for a whole segment.
public struct DispatchRoom: Sendable {
    /// From this many slots on, some jobs are sent ahead.
    private static let largeFarm = 5

    private let limits: [WorkerRole: Int]
    private let limit: Int
    private var inFlight: [WorkerRole: Int]

    /// - Parameter inFlight: jobs dispatched or running.
    public init(_ workers: [WorkerStatus], inFlight: [WorkerRole: Int]) {
        let working = workers.filter { !$0.isDraining }
        let slots = working.reduce(0) { $0 + $1.slots }
        func withAhead(_ count: Int) -> Int { slots >= DispatchRoom.largeFarm ? count + count / 4 : count }
        limits = Dictionary(
            uniqueKeysWithValues: WorkerRole.allCases.map { role in
                (role, withAhead(working.filter { $0.roles.contains(role) }.reduce(0) { $0 + $1.slots }))
            })
        limit = withAhead(slots)
        self.inFlight = inFlight
    }

    /// How many of `role` may be sent.
    public func room(_ role: WorkerRole) -> Int {
        let free = limit - inFlight.values.reduce(0, +)
        return max(0, min(free, (limits[role] ?? 0) - (inFlight[role] ?? 0)))
    }

    /// Counts jobs that were sent.
    public mutating func take(_ count: Int, of role: WorkerRole) { inFlight[role, default: 0] += count }
}

extension DispatchRoom {
    /// Parts candidates into those that some worker may have and those that all workers of the role and pool have shunned.
    static func split(
        _ candidates: [DispatchCandidate], by workers: [WorkerStatus], role: WorkerRole
    ) -> (able: [DispatchCandidate], shunning: [DispatchCandidate]) {
        var able: [DispatchCandidate] = []
        var shunning: [DispatchCandidate] = []
        for candidate in candidates {
            let ids = workers.filter { $0.roles.contains(role) && $0.pools.contains(candidate.pool) }.map(\.id)
            if !ids.isEmpty, ids.allSatisfy(candidate.shunned.contains) {
                shunning.append(candidate)
            } else {
                able.append(candidate)
            }
        }
        return (able, shunning)
    }
}
