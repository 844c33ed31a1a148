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

/// A job of an export in one queue of a lane. Whether pictures or other jobs go first is the same for all jobs of a
/// queue that nothing waits for, and is therefore no key here.
struct JobEntry: Comparable, Sendable {
    /// Predicted time, in microseconds.
    var cost: Int64
    var id: Int64
    var ordinal: Int32
    var index: Int32
    var version: UInt32
    /// Whether the whole export waits for it.
    var blocksExport: Bool

    static func < (left: JobEntry, right: JobEntry) -> Bool {
        if left.blocksExport != right.blocksExport { return left.blocksExport }
        return (right.cost, left.ordinal, left.id) < (left.cost, right.ordinal, right.id)
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
