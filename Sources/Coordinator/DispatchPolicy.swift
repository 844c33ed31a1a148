public import ExportPlan
public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A ready job that might be dispatched next.
public struct DispatchCandidate: Hashable, Sendable {
    public var job: Int64
    public var kind: JobKind
    public var tenant: Int64
    public var export: ExportID
    /// Order of the export's acceptance.
    public var exportNumber: Int64
    public var ordinal: Int
    public var key: ArtifactKey
    public var pool: String
    public var priority: Int
    /// Predicted seconds of one slot.
    public var weight: Double
    public var readySince: Date
    public var shunned: [String]

    public init(
        job: Int64, kind: JobKind, tenant: Int64, export: ExportID, exportNumber: Int64, ordinal: Int, key: ArtifactKey,
        pool: String, priority: Int, weight: Double, readySince: Date, shunned: [String]
    ) {
        self.job = job
        self.kind = kind
        self.tenant = tenant
        self.export = export
        self.exportNumber = exportNumber
        self.ordinal = ordinal
        self.key = key
        self.pool = pool
        self.priority = priority
        self.weight = weight
        self.readySince = readySince
        self.shunned = shunned
    }

    var lane: JobLane { JobLane(kind.role, pool: pool) }

    var isLong: Bool { JobWeight.isLong(kind, weight) }
}

/// What a tenant has of the farm right now.
public struct TenantLoad: Hashable, Sendable {
    /// Its share relative to others', above zero.
    public var share: Int
    /// Predicted seconds of its jobs in flight.
    public var inFlight: Double

    public init(share: Int, inFlight: Double) {
        self.share = share
        self.inFlight = inFlight
    }
}

/// Who comes next, of whatever role: priority, then what many others wait for, then the tenant that has least of its share,
/// then the export that has least in flight, then age. Of one export a picture goes first, for it is what somebody who waits
/// looks for; beside pictures goes its sound, for another job waits for it; and of its pictures the longest, so that it does not
/// end with one slot at work and the others idle.
///
/// Looking at a source goes before rendering, for a whole export waits for it; so does a stitch, which ends one. Waiting raises
/// a job's priority by one a minute, so nothing starves.
public enum DispatchPolicy {
    /// Seconds of waiting that are worth one step of priority.
    static let ageStep = 60.0

    /// - Parameters:
    ///   - loads: by tenant; a tenant that is missing has nothing in flight and a share of 1.
    ///   - exportLoads: predicted seconds in flight by export.
    ///   - room: how many of each lane may be sent.
    /// - Returns: jobs in the order in which to dispatch them; of several with the same artifact one.
    public static func choose(
        _ candidates: [DispatchCandidate], loads: [Int64: TenantLoad], exportLoads: [ExportID: Double], room: DispatchRoom,
        at now: Date
    ) -> [DispatchCandidate] {
        var room = room
        var loads = loads
        var exportLoads = exportLoads
        let admitted = Admission(candidates, room)
        var left = candidates.filter(admitted.contains)
        var chosen: [DispatchCandidate] = []
        while !left.isEmpty {
            let ranks = left.map { rank($0, loads, exportLoads, now) }
            guard let best = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { break }
            let next = left.remove(at: best)
            room.take(next.lane, isLong: next.isLong)
            let admitted = Admission(left, room)
            left.removeAll { $0.tenant == next.tenant && $0.key == next.key || !admitted.contains($0) }
            loads[next.tenant, default: TenantLoad(share: 1, inFlight: 0)].inFlight += next.weight
            exportLoads[next.export, default: 0] += next.weight
            chosen.append(next)
        }
        return chosen
    }

    /// The answers of `DispatchRoom.admits` for all candidates of a lane at once.
    private struct Admission {
        private var short: Set<JobLane> = []
        private var long: Set<JobLane> = []

        init(_ candidates: [DispatchCandidate], _ room: DispatchRoom) {
            for lane in Set(candidates.map(\.lane)) {
                if room.room(lane) > 0 { short.insert(lane) }
                if room.roomForLongJobs(lane) > 0 { long.insert(lane) }
            }
        }

        func contains(_ candidate: DispatchCandidate) -> Bool {
            candidate.isLong ? long.contains(candidate.lane) : short.contains(candidate.lane)
        }
    }

    private static func rank(
        _ candidate: DispatchCandidate, _ loads: [Int64: TenantLoad], _ exportLoads: [ExportID: Double], _ now: Date
    ) -> Rank {
        let age = max(0, now.timeIntervalSince(candidate.readySince))
        let load = loads[candidate.tenant] ?? TenantLoad(share: 1, inFlight: 0)
        let exportLoad = exportLoads[candidate.export] ?? 0
        let goesFirst = exportLoad > 0 ? !candidate.kind.isOfPictures : candidate.kind.isOfPictures
        return Rank(
            priority: -(candidate.priority + Int(age / ageStep)), isAwaited: candidate.kind.isAwaitedByAll ? 0 : 1,
            tenantLoad: load.inFlight / Double(max(1, load.share)), exportLoad: exportLoad,
            exportNumber: candidate.exportNumber, turn: goesFirst ? 0 : 1, weight: -candidate.weight,
            ordinal: candidate.ordinal)
    }

    /// The smallest comes first.
    private struct Rank: Comparable {
        var priority: Int
        var isAwaited: Int
        var tenantLoad: Double
        var exportLoad: Double
        var exportNumber: Int64
        /// Within its export.
        var turn: Int
        var weight: Double
        var ordinal: Int

        private var ofExport: (Int, Int, Double, Double, Int64) { (priority, isAwaited, tenantLoad, exportLoad, exportNumber) }
        private var withinExport: (Int, Double, Int) { (turn, weight, ordinal) }

        static func < (left: Rank, right: Rank) -> Bool {
            left.ofExport == right.ofExport ? left.withinExport < right.withinExport : left.ofExport < right.ofExport
        }
    }
}

extension JobKind {
    /// Whether nothing of its export can go on before it.
    fileprivate var isAwaitedByAll: Bool { [.probe, .allocation, .stitch].contains(self) }

    /// Whether it is one of the many that cost most.
    fileprivate var isOfPictures: Bool { self == .video || self == .measure }
}
