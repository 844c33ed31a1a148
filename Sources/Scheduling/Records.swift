import FarmAPI
import ExportPlan

/// The index of no record.
let none: Int32 = -1

/// A job that is ready or in flight.
struct JobRecord: Sendable {
    enum State: UInt8, Sendable {
        /// It waits for its time.
        case early
        /// It is in the heap of its export.
        case queued
        /// A job for the same artifact of the same tenant is in flight.
        case held
        case inFlight
    }

    var id: Int64
    var key: KeyDigest
    /// Predicted time, in microseconds.
    var cost: Int64
    var export: Int32
    var ordinal: Int32
    /// The queue of its export that it belongs to while it is queued or held.
    var queue = none
    var previousInExport = none
    var nextInExport = none
    var previousHeld = none
    var nextHeld = none
    /// The worker that has it, where one is known.
    var worker = none
    /// What it needs of its machine: the index in the scheduler's `sizes`.
    var size: Int32
    /// How many slots it is counted with while it is in flight.
    var width: Int32 = 1
    /// The largest source that it reads; 0 where it reads none.
    var source: Int64
    /// Whether it was sent to its worker only because that one has its source, and has not begun.
    var waitsByChoice = false
    var kind: JobKind
    var state: State
    /// Whether it has excluded workers, which are in a table of their own.
    var isRestricted: Bool

    var isLong: Bool { JobWeight.isLong(kind, Double(cost) / 1e6) }

    /// What it holds of slots while it is in flight, in slot-microseconds. Absurd predictions are cut, so that sums of
    /// loads stay far below what an integer holds.
    var load: Int64 { min(cost, 1_000_000_000_000) * Int64(width) }

    /// How it counts among the jobs in flight.
    var slotLoad: SlotLoad { SlotLoad(jobs: 1, slots: Int(width), long: isLong ? Int(width) : 0) }
}

/// 128 bits of an artifact key. Two keys with the same digest would only wait for each other.
struct KeyDigest: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    init(_ key: ArtifactKey) {
        high = 0
        low = 0
        let text = key.text.utf8
        var digits = 0
        for byte in text.prefix(32) {
            guard let digit = KeyDigest.digit(byte) else { break }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
            digits += 1
        }
        guard digits < 32 || text.count != 64 else { return }
        // A name that is no sha256: FNV-1a, twice.
        high = 0xcbf2_9ce4_8422_2325
        low = 0x9ae1_6a3b_2f90_404f
        for byte in text {
            high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
            low = (low ^ UInt64(byte)) &* 0x100_0000_01b3
            low ^= low >> 29
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A tenant's artifact.
struct TenantKey: Hashable, Sendable {
    var tenant: Int32
    var key: KeyDigest
}

/// What is in flight for one artifact, and who waits for it.
struct KeyInFlight: Sendable {
    var count: Int32
    /// The first of the jobs that are held.
    var held = none
}

struct TenantRecord: Sendable {
    var id: Int64
    var share: Int
    var priorityCap: Int
    /// By pool.
    var accounts: [Int32: Int32] = [:]
}

/// A tenant's use of a pool.
struct AccountRecord: Sendable {
    var tenant: Int32
    var pool: Int32
    /// Slot-seconds for each unit of the share: what the tenant has been charged for.
    var virtualTime = 0.0
    var inFlight = 0
    /// How many of its jobs compete for slots: due jobs of exports that are not urgent, in open lanes.
    var competing = 0
    /// Its queues, in all lanes of the pool.
    var queues: [Int32] = []
}

struct ExportRecord: Sendable {
    var id: ExportID
    var account: Int32
    var tenant: Int32
    var pool: Int32
    var number: Int64
    var priority: Int
    /// The minute of acceptance.
    var minute: Int
    /// Predicted work in flight, in microseconds.
    var load: Int64 = 0
    var inFlight = 0
    var isUrgent: Bool
    var isRemoved = false
    /// The first of its jobs.
    var jobs = none
    /// Its queues, one for each queue of a lane in which it has jobs.
    var queues: [Int32] = []
}

/// The jobs of one export in one queue of a lane.
struct ExportQueue: Sendable {
    var export: Int32
    /// The queue of the tenant, or of the urgent exports, that it is in.
    var parent: Int32
    /// Jobs queued and held.
    var count = 0
    var isListed = false
    var jobs = CountedHeap<JobEntry>()
}

/// The exports of one tenant, or all urgent exports, in one queue of a lane.
struct TenantQueue: Sendable {
    var lane: Int32
    /// The queue of the lane that it is in.
    var parent: Int32
    /// `none` for the urgent exports.
    var account: Int32
    /// Jobs queued and held.
    var count = 0
    /// How many of its exports are in the heap with a live entry.
    var listed = 0
    var isListed = false
    var exports = CountedHeap<ExportEntry>()
}

/// Jobs that may go to the same workers: those of a lane, apart by whether they are long, by their size and by their
/// excluded workers.
struct LaneQueue: Sendable {
    var lane: Int32
    var isLong: Bool
    var size: Int32
    var excludedWorkers: [String]
    /// Jobs queued and held.
    var count = 0
    var urgent = none
    var listed = 0
    /// By account.
    var queues: [Int32: Int32] = [:]
    var tenants = CountedHeap<TenantEntry>()
    /// The lane's `workersVersion` at which it was known that some worker may take these jobs; -1 when nobody looked.
    var checkedAt = -1
    /// The scheduler's `freeVersion` at which no worker that may take these jobs had a free slot.
    var fullAt = -1
    /// Whether the jobs take one slot at every worker of the lane, and the lane's `workersVersion` at which that was so.
    var isNarrow = true
    var narrowAt = -1
}

/// A lane: a role in a pool.
struct LaneRecord: Sendable {
    var pool: Int32
    var role: WorkerRole
    /// Workers that serve it, also paused and draining ones.
    var workers: [Int32] = []
    /// Grows when `workers` changes.
    var workersVersion = 0
    /// The groups of the workers that take jobs.
    var groups: [Int32] = []
    /// Slots of the workers that take jobs.
    var slots = 0
    var load = SlotLoad()
    /// Jobs in flight of which no worker is known yet: their tickets are in the lane's queue.
    var unclaimed = 0
    /// How many of its workers do not read its express queue, because they are of an earlier version.
    var workersWithoutExpress = 0
    /// How long its attempts take.
    var typical = TypicalTime()
    /// Due jobs of exports that are not urgent.
    var competing = 0
    /// The virtual time at which the last job of the lane began.
    var start = 0.0
    /// Queues of jobs without excluded workers.
    var queues: [SizeKey: Int32] = [:]

    var isServed: Bool { slots > 0 }
}

/// Jobs of one size that are long, or that are not.
struct SizeKey: Hashable, Sendable {
    var size: Int32
    var isLong: Bool
}

/// The jobs in flight on some set of slots.
struct SlotLoad: Sendable {
    var jobs = 0
    /// How many slots they take.
    var slots = 0
    /// How many of these are taken by long jobs.
    var long = 0

    static func + (left: SlotLoad, right: SlotLoad) -> SlotLoad {
        SlotLoad(jobs: left.jobs + right.jobs, slots: left.slots + right.slots, long: left.long + right.long)
    }

    static func - (left: SlotLoad, right: SlotLoad) -> SlotLoad {
        SlotLoad(jobs: left.jobs - right.jobs, slots: left.slots - right.slots, long: left.long - right.long)
    }
}

struct PoolRecord: Sendable {
    var name: String
    /// By the role's position.
    var lanes: [Int32]
    /// Slots of the workers that take jobs and serve it in any role.
    var slots = 0
    /// Slots that jobs in flight take.
    var inFlight = 0
    /// The virtual time at which the last job of the pool began.
    var start = 0.0
}

struct WorkerRecord: Sendable {
    var id: String
    /// False for a worker of which only running jobs are known.
    var isKnown = false
    var takesJobs = false
    var readsExpress = false
    var capacity = WorkerCapacity(slots: 0)
    var roles: Set<WorkerRole> = []
    var pools: Set<String> = []
    /// Lanes that it serves.
    var lanes: [Int32] = []
    /// Slots of the jobs that it has, or that were sent to it by name.
    var taken = 0
    /// The part of `taken` that jobs of two slots and more take.
    var takenByWide = 0
    /// Sources that it has read, the latest last.
    var sources: [HeldSource] = []
    /// How many jobs were sent to it only because it has their sources, and have not begun.
    var waitingByChoice = 0
    /// Its group while it takes jobs.
    var group = none
    /// Whether its entries in the group's heaps are out of date.
    var isChanged = false

    var slots: Int { capacity.slots }
}

/// Workers that take jobs, and that are the same but for what they have: they serve the same lanes and have the same
/// capacity, so that a job has the same width at each.
struct WorkerGroup: Sendable {
    var key: WorkerGroupKey
    var members = 0
    /// Workers whose entries are out of date. They are entered again when somebody looks, because many changes come
    /// while nobody does.
    var changed: [Int32] = []
    /// The worker with the most free slots first.
    var byFree = CountedHeap<WorkerEntry>()
    /// The worker with the fewest slots of wide jobs first, then the one with the most free slots.
    var byWide = CountedHeap<WorkerEntry>()
}

struct WorkerGroupKey: Hashable, Sendable {
    /// In ascending order.
    var lanes: [Int32]
    var capacity: WorkerCapacity
}

extension JobKind {
    /// Whether the rest of the export waits for jobs of this kind.
    var blocksExport: Bool { self == .probe || self == .allocation || self == .stitch }

    /// Whether it reads the artifacts of other jobs of its export.
    var readsArtifacts: Bool { self == .allocation || self == .soundtrack || self == .stitch }

    /// Whether it works on pictures: such jobs are the most numerous and cost the most.
    var isOfPictures: Bool { self == .video || self == .measure || self == .picture }
}

extension WorkerRole {
    /// Its place in tables by role.
    var position: Int {
        switch self {
        case .video: 0
        case .audio: 1
        case .stitch: 2
        }
    }
}
