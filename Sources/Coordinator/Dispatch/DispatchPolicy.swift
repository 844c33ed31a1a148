package import FarmAPI
package import ExportPlan
import JobQueue
package import FoundationEssentials

/// A ready job that might be dispatched next.
package struct DispatchCandidate: Hashable, Sendable {
    package var job: Int64
    package var kind: JobKind
    package var tenant: Int64
    package var export: ExportID
    /// The export's position in the order of acceptance.
    package var exportNumber: Int64
    package var ordinal: Int
    package var key: ArtifactKey
    package var pool: String
    package var priority: Int
    /// Predicted time on one slot, in seconds.
    package var weight: Double
    package var readySince: Date
    package var excludedWorkers: [String]

    package init(
        job: Int64, kind: JobKind, tenant: Int64, export: ExportID, exportNumber: Int64, ordinal: Int, key: ArtifactKey,
        pool: String, priority: Int, weight: Double, readySince: Date, excludedWorkers: [String]
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
        self.excludedWorkers = excludedWorkers
    }

    var lane: JobLane { JobLane(kind.role, pool: pool) }

    var isLong: Bool { JobWeight.isLong(kind, weight) }
}

/// A tenant's share of the farm, and what it uses of it now.
package struct TenantLoad: Hashable, Sendable {
    /// The share relative to other tenants', above zero.
    package var share: Int
    /// Sum of the predicted seconds of its jobs in flight.
    package var inFlight: Double

    package init(share: Int, inFlight: Double) {
        self.share = share
        self.inFlight = inFlight
    }
}

/// The order in which ready jobs of all roles are dispatched. The sort keys are, in this order:
///
/// 1. The priority, highest first. It grows by one for each minute of waiting, so that no job starves.
/// 2. Jobs that a whole export waits for (probe, allocation, stitch) before all others.
/// 3. The tenant with the least predicted work in flight for its share.
/// 4. The export with the least predicted work in flight.
/// 5. The export that was accepted first.
/// 6. Video and measure jobs while the export has nothing in flight, because a client that waits wants to see a picture
///    first; once it has, the export's other jobs, because the soundtrack waits for its audio segments.
/// 7. The longest job, so that the export does not end with one slot at work and the others idle.
/// 8. The job's ordinal.
package enum DispatchPolicy {
    /// Seconds of waiting that raise the priority by one.
    static let ageStep = 60.0

    /// - Parameters:
    ///   - loads: by tenant; a tenant that is missing has nothing in flight and a share of 1.
    ///   - exportLoads: predicted seconds in flight by export.
    ///   - room: how many jobs of each lane may be sent.
    /// - Returns: the jobs to dispatch, in order; only one of several jobs for the same artifact of a tenant.
    package static func choose(
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

    /// The lanes with room for short and for long jobs. It asks `DispatchRoom` once per lane and not once per
    /// candidate.
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
            priority: -(candidate.priority + Int(age / ageStep)), blocksExport: candidate.kind.blocksExport ? 0 : 1,
            tenantLoad: load.inFlight / Double(max(1, load.share)), exportLoad: exportLoad,
            exportNumber: candidate.exportNumber, turn: goesFirst ? 0 : 1, weight: -candidate.weight,
            ordinal: candidate.ordinal)
    }

    /// The sort keys of a candidate; the smallest comes first.
    private struct Rank: Comparable {
        var priority: Int
        var blocksExport: Int
        var tenantLoad: Double
        var exportLoad: Double
        var exportNumber: Int64
        /// 0 for jobs that go first within their export, 1 for the others.
        var turn: Int
        var weight: Double
        var ordinal: Int

        private var ofExport: (Int, Int, Double, Double, Int64) { (priority, blocksExport, tenantLoad, exportLoad, exportNumber) }
        private var withinExport: (Int, Double, Int) { (turn, weight, ordinal) }

        static func < (left: Rank, right: Rank) -> Bool {
            left.ofExport == right.ofExport ? left.withinExport < right.withinExport : left.ofExport < right.ofExport
        }
    }
}

extension JobKind {
    /// Whether the rest of the export waits for jobs of this kind.
    fileprivate var blocksExport: Bool { [.probe, .allocation, .stitch].contains(self) }

    /// Whether it works on pictures: such jobs are the most numerous and cost the most.
    fileprivate var isOfPictures: Bool { self == .video || self == .measure }
}
