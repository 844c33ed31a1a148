import FarmAPI
import ExportPlan

/// The entries of the scheduler's heaps. Each has the sort keys of its level (docs/scheduling.md), the index of the
/// record that it is about, and the version that the record had then.

/// A tenant in a queue of a lane: by virtual time.
struct TenantEntry: Comparable, Sendable {
    var virtualTime: Double
    var tenant: Int64
    var index: Int32
    var version: UInt32

    static func < (left: TenantEntry, right: TenantEntry) -> Bool {
        (left.virtualTime, left.tenant) < (right.virtualTime, right.tenant)
    }
}

/// An export among those of its tenant, or among the urgent ones.
struct ExportEntry: Comparable, Sendable {
    var order: ExportOrder
    var index: Int32
    var version: UInt32

    static func < (left: ExportEntry, right: ExportEntry) -> Bool { left.order < right.order }
}

/// The sort keys of an export among those of its tenant.
struct ExportOrder: Comparable, Sendable {
    /// The priority of an urgent export, negated; 0 for all others.
    var urgency: Int
    /// The minute of acceptance, less the priority. It does not change while time passes.
    var rank: Int
    /// Predicted work in flight, in microseconds.
    var load: Int64
    var number: Int64

    static func < (left: ExportOrder, right: ExportOrder) -> Bool {
        (left.urgency, left.rank, left.load, left.number) < (right.urgency, right.rank, right.load, right.number)
    }
}

/// A job of an export in one queue of a lane.
struct JobEntry: Comparable, Sendable {
    /// Predicted time, in microseconds.
    let cost: Int64
    let id: Int64
    let ordinal: Int32
    let index: Int32
    let version: UInt32
    /// Whether the whole export waits for it (0), it is the first picture (1), sound (2), or a later picture (3).
    private let turn: UInt8
    /// The part of the film that the job belongs to: the first job, the next two, the next four and so on. A film is
    /// rendered from its beginning, so that it can be watched meanwhile, and the longest jobs of each part go first, so that
    /// the film does not end with one slot at work. Up to half of its jobs are in the last part.
    private let part: UInt8

    init(cost: Int64, id: Int64, ordinal: Int32, index: Int32, version: UInt32, kind: JobKind) {
        self.cost = cost
        self.id = id
        self.ordinal = ordinal
        self.index = index
        self.version = version
        part = UInt8(UInt32.bitWidth - (UInt32(max(0, ordinal)) + 1).leadingZeroBitCount)
        turn = kind.blocksExport ? 0 : !kind.isOfPictures ? 2 : part == 1 ? 1 : 3
    }

    static func < (left: JobEntry, right: JobEntry) -> Bool {
        if left.turn != right.turn { return left.turn < right.turn }
        return (left.part, right.cost, left.ordinal, left.id) < (right.part, left.cost, right.ordinal, right.id)
    }
}

/// A worker among those of its group: the one that has the least of what the heap sorts by, and then the fewest slots
/// taken.
struct WorkerEntry: Comparable, Sendable {
    var least: Int
    var taken: Int
    var worker: String
    var index: Int32
    var version: UInt32

    static func < (left: WorkerEntry, right: WorkerEntry) -> Bool {
        (left.least, left.taken, left.worker) < (right.least, right.taken, right.worker)
    }
}

/// A job that is not due yet.
struct DueEntry: Comparable, Sendable {
    /// Seconds since 1970.
    var time: Double
    var id: Int64
    var index: Int32
    var version: UInt32

    static func < (left: DueEntry, right: DueEntry) -> Bool { (left.time, left.id) < (right.time, right.id) }
}
