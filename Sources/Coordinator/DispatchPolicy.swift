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

/// Who comes next: priority, then the tenant that has least of its share, then the export that has least in flight, then age;
/// of one export the longest first, so that it does not end with one slot at work and the others idle.
///
/// Waiting raises a job's priority by one a minute, so nothing starves; looking at a source goes before rendering, for a
/// whole export waits for it.
public enum DispatchPolicy {
    /// Seconds of waiting that are worth one step of priority.
    static let ageStep = 60.0

    /// - Parameters:
    ///   - loads: by tenant; a tenant that is missing has nothing in flight and a share of 1.
    ///   - exportLoads: predicted seconds in flight by export.
    ///   - room: how many to choose at most.
    ///   - poolRoom: how many of a pool.
    /// - Returns: jobs in the order in which to dispatch them; of several with the same artifact one.
    public static func choose(
        _ candidates: [DispatchCandidate], loads: [Int64: TenantLoad], exportLoads: [ExportID: Double], room: Int,
        poolRoom: (String) -> Int = { _ in .max }, at now: Date
    ) -> [DispatchCandidate] {
        var pools = Dictionary(uniqueKeysWithValues: Set(candidates.map(\.pool)).map { ($0, poolRoom($0)) })
        var left = candidates.filter { pools[$0.pool, default: 0] > 0 }
        var loads = loads
        var exportLoads = exportLoads
        var chosen: [DispatchCandidate] = []
        while chosen.count < room, !left.isEmpty {
            let ranks = left.map { rank($0, loads, exportLoads, now) }
            guard let best = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { break }
            let next = left.remove(at: best)
            pools[next.pool, default: 0] -= 1
            let isFull = pools[next.pool, default: 0] <= 0
            left.removeAll { $0.tenant == next.tenant && $0.key == next.key || isFull && $0.pool == next.pool }
            loads[next.tenant, default: TenantLoad(share: 1, inFlight: 0)].inFlight += next.weight
            exportLoads[next.export, default: 0] += next.weight
            chosen.append(next)
        }
        return chosen
    }

    private static func rank(
        _ candidate: DispatchCandidate, _ loads: [Int64: TenantLoad], _ exportLoads: [ExportID: Double], _ now: Date
    ) -> Rank {
        let age = max(0, now.timeIntervalSince(candidate.readySince))
        let load = loads[candidate.tenant] ?? TenantLoad(share: 1, inFlight: 0)
        return Rank(
            priority: -(candidate.priority + Int(age / ageStep)), isProbe: candidate.kind == .probe ? 0 : 1,
            tenantLoad: load.inFlight / Double(max(1, load.share)), exportLoad: exportLoads[candidate.export] ?? 0,
            exportNumber: candidate.exportNumber, weight: -candidate.weight, ordinal: candidate.ordinal)
    }

    /// The smallest comes first.
    private struct Rank: Comparable {
        var priority: Int
        var isProbe: Int
        var tenantLoad: Double
        var exportLoad: Double
        var exportNumber: Int64
        var weight: Double
        var ordinal: Int

        private var ofExport: (Int, Int, Double, Double, Int64) { (priority, isProbe, tenantLoad, exportLoad, exportNumber) }
        private var withinExport: (Double, Int) { (weight, ordinal) }

        static func < (left: Rank, right: Rank) -> Bool {
            left.ofExport == right.ofExport ? left.withinExport < right.withinExport : left.ofExport < right.ofExport
        }
    }
}
