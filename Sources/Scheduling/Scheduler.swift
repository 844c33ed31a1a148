package import FarmAPI
import ExportPlan
package import FoundationEssentials

/// Decides which job is sent to the workers next: events go in (`SchedulerEvent`), dispatches come out. It knows no
/// database, no queue and no clock, so the leader and the simulator run the same code, and whoever doubts it builds it
/// again from the events that describe the farm.
///
/// docs/scheduling.md has the order of choice, with the reason of each key. What an event or a dispatch costs grows with
/// the logarithm of the number of ready jobs. It grows linearly with the number of lanes that have ready jobs, and of
/// different sets of excluded workers among these jobs. A new worker, role or cap costs more, and is rare.
///
/// Jobs stand in heaps within heaps. Each queue of a lane has a heap of tenants by virtual time, each tenant there a heap
/// of exports, each export a heap of jobs. The keys do not change while time passes. Where an event changes the key of a
/// tenant or an export, a new entry is added and the old one becomes stale (`CountedHeap`, `DenseTable`).
package struct Scheduler: Sendable {
    var tenants = DenseTable<TenantRecord>()
    var accounts = DenseTable<AccountRecord>()
    var pools = DenseTable<PoolRecord>()
    var lanes = DenseTable<LaneRecord>()
    var workers = DenseTable<WorkerRecord>()
    var exports = DenseTable<ExportRecord>()
    var jobs = DenseTable<JobRecord>()
    var groups = DenseTable<WorkerGroup>()
    var laneQueues = DenseTable<LaneQueue>()
    var tenantQueues = DenseTable<TenantQueue>()
    var exportQueues = DenseTable<ExportQueue>()

    var tenantIndex: [Int64: Int32] = [:]
    var poolIndex: [String: Int32] = [:]
    var workerIndex: [String: Int32] = [:]
    var groupIndex: [WorkerGroupKey: Int32] = [:]
    /// The demands that jobs have had, which are few (`JobDemand`), and the places of them.
    var sizes: [JobDemand] = []
    var sizeIndex: [JobDemand: Int32] = [:]
    /// The workers that have a source, the latest last.
    var holders: [HeldSource: [Int32]] = [:]
    var exportIndex: [ExportID: Int32] = [:]
    var jobIndex: [Int64: Int32] = [:]
    var keysInFlight: [TenantKey: KeyInFlight] = [:]
    /// The excluded workers of the few jobs that have any, in ascending order.
    var restrictions: [Int32: [String]] = [:]
    var restrictedQueues: [Restriction: Int32] = [:]
    /// The queues of lanes that have jobs.
    var active: [Int32] = []
    var due = CountedHeap<DueEntry>()
    var early = 0

    var pausedRoles: Set<WorkerRole> = []
    /// What is in flight in lanes that are served, by the role's position and in all.
    var roleLoads = [SlotLoad](repeating: SlotLoad(), count: WorkerRole.allCases.count)
    var farmLoad = SlotLoad()
    /// How long attempts take, of each role and of all.
    var roleTypicals = [TypicalTime](repeating: TypicalTime(), count: WorkerRole.allCases.count)
    var farmTypical = TypicalTime()
    var roleSlots = [Int](repeating: 0, count: WorkerRole.allCases.count)
    var farmSlots = 0
    /// The slot that waits for the segments of a film that was probed.
    var kept: KeptSlot?
    /// Grows when a slot of some worker becomes free, or a worker changes.
    var freeVersion = 0
    /// The time of the last call, in seconds since 1970.
    var now: Double

    /// Levels of heaps walked, entries of heaps rebuilt, and queues and workers looked at, since the beginning. It
    /// measures what the scheduler's work costs on any machine.
    package internal(set) var steps = 0

    /// - Parameter now: jobs that are due at this time are queued at once.
    package init(at now: Date) {
        self.now = now.timeIntervalSince1970
    }

    /// How many jobs are ready, those that are not due yet included.
    package var readyCount: Int { jobs.count - inFlightCount }

    package private(set) var inFlightCount = 0

    /// For how many seconds the farm's slots have work beyond their present jobs.
    package var secondsAhead: Double { farmTypical.secondsAhead(jobs: farmLoad.jobs, slots: farmSlots) }

    /// The jobs that are ready and those in flight, for a comparison with the database. It looks at every job.
    package var knownJobs: (ready: Set<Int64>, inFlight: Set<Int64>) {
        var known: (ready: Set<Int64>, inFlight: Set<Int64>) = ([], [])
        for (id, index) in jobIndex {
            if jobs[index].state == .inFlight { known.inFlight.insert(id) } else { known.ready.insert(id) }
        }
        return known
    }

    /// The jobs of one export that are ready and those in flight.
    package func jobs(of export: ExportID) -> (ready: Set<Int64>, inFlight: Set<Int64>) {
        var known: (ready: Set<Int64>, inFlight: Set<Int64>) = ([], [])
        var job = exportIndex[export].map { exports[$0].jobs } ?? none
        while job != none {
            if jobs[job].state == .inFlight { known.inFlight.insert(jobs[job].id) } else { known.ready.insert(jobs[job].id) }
            job = jobs[job].nextInExport
        }
        return known
    }

    /// How many entries all heaps have, live and stale. It looks at every export.
    package var entryCount: Int {
        let tenantQueueIndexes = active.flatMap { queue in
            Array(laneQueues[queue].queues.values) + (laneQueues[queue].urgent == none ? [] : [laneQueues[queue].urgent])
        }
        return due.count + groupIndex.values.reduce(0) { $0 + groups[$1].byFree.count + groups[$1].changed.count }
            + active.reduce(0) { $0 + laneQueues[$1].tenants.count }
            + tenantQueueIndexes.reduce(0) { $0 + tenantQueues[$1].exports.count }
            + exportIndex.values.flatMap { exports[$0].queues }.reduce(0) { $0 + exportQueues[$1].jobs.count }
    }

    /// The lanes that have due jobs or jobs in flight, and that no worker serves which takes jobs.
    package var lanesWithoutWorkers: [LaneWithoutWorkers] {
        poolIndex.values.flatMap { pools[$0].lanes }.filter { !lanes[$0].isServed }.compactMap { lane in
            let due = active.filter { laneQueues[$0].lane == lane }.reduce(0) { $0 + laneQueues[$1].count }
            guard due + lanes[lane].load.jobs > 0 else { return nil }
            return LaneWithoutWorkers(
                role: lanes[lane].role, pool: pools[lanes[lane].pool].name, due: due, inFlight: lanes[lane].load.jobs)
        }.sorted { ($0.pool, $0.role.position) < ($1.pool, $1.role.position) }
    }

    /// Applies an event.
    /// - Returns: false when the event contradicts what the scheduler knows, such as a job of an export that it has never
    ///   heard of. The event has no effect then, and the caller builds the scheduler again.
    @discardableResult
    package mutating func handle(_ event: SchedulerEvent) -> Bool {
        switch event {
        case .tenant(let id, let share, let cap): setTenant(id, share: max(1, share), priorityCap: cap)
        case .worker(let status): setWorker(status)
        case .workerGone(let id): removeWorker(id)
        case .pausedRoles(let roles): setPausedRoles(roles)
        case .export(let export): return addExport(export)
        case .priority(let id, let priority): return setPriority(of: id, priority)
        case .exportRemoved(let id): return removeExport(id)
        case .ready(let job): return addReady(job)
        case .notReady(let id): return removeReady(id)
        case .inFlight(let job, let worker): return addInFlight(job, worker: worker)
        case .started(let id, let worker): return start(id, worker: worker)
        case .ended(let id, let seconds): return end(id, seconds: seconds)
        }
        return true
    }

    // MARK: Jobs in flight

    private mutating func addInFlight(_ job: ReadyJob, worker: String?) -> Bool {
        guard let index = insert(job) else { return false }
        charge(index)
        depart(index)
        return worker.map { start(job.id, worker: $0) } ?? true
    }

    /// Counts a job, which belongs to no queue, as in flight.
    mutating func depart(_ job: Int32) {
        let (export, kind) = (jobs[job].export, jobs[job].kind)
        jobs[job].state = .inFlight
        inFlightCount += 1
        keysInFlight[tenantKey(job), default: KeyInFlight(count: 0)].count += 1
        exports[export].inFlight += 1
        accounts[exports[export].account].inFlight += 1
        exports[export].load += jobs[job].load
        listAgain(export: export)
        count(lane(of: export, kind), jobs[job].slotLoad)
        lanes[lane(of: export, kind)].unclaimed += 1
    }

    private mutating func start(_ id: Int64, worker: String) -> Bool {
        guard let job = jobIndex[id], jobs[job].state == .inFlight else { return false }
        let index = workerIndex[worker] ?? addWorker(worker)
        noteSources(of: job, at: index)
        endChoice(job)
        guard jobs[job].worker != index else { return true }
        leaveWorker(job)
        if workers[index].isKnown { setWidth(of: job, width(of: jobs[job].size, at: index)) }
        join(job, worker: index)
        return true
    }

    /// Gives a job to a worker.
    mutating func join(_ job: Int32, worker: Int32) {
        jobs[job].worker = worker
        lanes[lane(of: jobs[job].export, jobs[job].kind)].unclaimed -= 1
        workers[worker].taken += Int(jobs[job].width)
        if jobs[job].width > 1 { workers[worker].takenByWide += Int(jobs[job].width) }
        noteChange(of: worker)
    }

    /// Takes a job from the worker that has it.
    private mutating func leaveWorker(_ job: Int32) {
        let worker = jobs[job].worker
        guard worker != none else { return }
        endChoice(job)
        jobs[job].worker = none
        lanes[lane(of: jobs[job].export, jobs[job].kind)].unclaimed += 1
        workers[worker].taken -= Int(jobs[job].width)
        if jobs[job].width > 1 { workers[worker].takenByWide -= Int(jobs[job].width) }
        noteChange(of: worker)
        freeVersion += 1
        forgetWorkerIfGone(worker)
    }

    /// Changes how many slots a job in flight that no worker has is counted with, and charges its tenant the difference.
    private mutating func setWidth(of job: Int32, _ width: Int) {
        guard Int(jobs[job].width) != width else { return }
        let export = jobs[job].export
        let (before, load) = (jobs[job].slotLoad, jobs[job].load)
        correct(exports[export].account, by: Double(jobs[job].cost) / 1e6 * Double(width - Int(jobs[job].width)))
        jobs[job].width = Int32(width)
        count(lane(of: export, jobs[job].kind), jobs[job].slotLoad - before)
        exports[export].load += jobs[job].load - load
        listAgain(export: export)
    }

    private mutating func end(_ id: Int64, seconds: Double?) -> Bool {
        guard let job = jobIndex[id], jobs[job].state == .inFlight else { return false }
        let (export, kind, record) = (jobs[job].export, jobs[job].kind, jobs[job])
        inFlightCount -= 1
        leaveWorker(job)
        lanes[lane(of: export, kind)].unclaimed -= 1
        count(lane(of: export, kind), SlotLoad() - record.slotLoad)
        if let seconds {
            correct(exports[export].account, by: (seconds - Double(record.cost) / 1e6) * Double(record.width))
            if kind != .probe {
                // Probes take far less than the segments after them, and would let many of these be sent ahead.
                lanes[lane(of: export, kind)].typical.add(seconds)
                roleTypicals[kind.role.position].add(seconds)
                farmTypical.add(seconds)
            }
        }
        exports[export].inFlight -= 1
        accounts[exports[export].account].inFlight -= 1
        exports[export].load -= record.load
        listAgain(export: export)
        if kind == .probe, seconds != nil { keepSlot(ofProbe: job) }
        release(tenantKey(job))
        forget(job)
        forgetExportIfOver(export)
        return true
    }

    /// Lets go of an artifact key: the jobs that it held are queued again, unless another job for it is in flight.
    private mutating func release(_ key: TenantKey) {
        guard var entry = keysInFlight[key] else { return }
        entry.count -= 1
        guard entry.count == 0 else {
            keysInFlight[key] = entry
            return
        }
        keysInFlight[key] = nil
        while entry.held != none {
            let job = entry.held
            entry.held = jobs[job].nextHeld
            jobs[job].previousHeld = none
            jobs[job].nextHeld = none
            queueAgain(job)
        }
    }

    // MARK: Room

    /// Adds to, or takes from, what is in flight in a lane.
    mutating func count(_ lane: Int32, _ change: SlotLoad) {
        lanes[lane].load = lanes[lane].load + change
        pools[lanes[lane].pool].inFlight += change.slots
        if lanes[lane].isServed { countServed(lanes[lane].role, change) }
    }

    /// Adds to what is in flight in lanes that are served.
    mutating func countServed(_ role: WorkerRole, _ change: SlotLoad) {
        roleLoads[role.position] = roleLoads[role.position] + change
        farmLoad = farmLoad + change
    }

    /// Whether a job of a lane may be sent: the lane, its role and the farm all have room. See `SlotRoom`. Room for one
    /// slot is enough for a job of any width: wide jobs would otherwise wait for as long as narrow ones take each slot that
    /// becomes free.
    /// - Parameter isFirstUrgent: whether it is the first job of an urgent export.
    func hasRoom(_ lane: LaneRecord, isLong: Bool, isFirstUrgent: Bool) -> Bool {
        guard lane.isServed else { return false }
        let isLarge = farmSlots >= SlotRoom.largeFarm
        let role = lane.role.position
        let rooms = (
            SlotRoom(slots: farmSlots, isLarge: isLarge, farmTypical, isFirstUrgent: isFirstUrgent),
            SlotRoom(slots: roleSlots[role], isLarge: isLarge, roleTypicals[role], isFirstUrgent: isFirstUrgent),
            SlotRoom(slots: lane.slots, isLarge: isLarge, lane.typical, isFirstUrgent: isFirstUrgent)
        )
        guard farmLoad.slots < rooms.0.slots, roleLoads[role].slots < rooms.1.slots, lane.load.slots < rooms.2.slots else {
            return false
        }
        return !isLong || farmLoad.long < rooms.0.long && roleLoads[role].long < rooms.1.long && lane.load.long < rooms.2.long
    }
}

/// Jobs that may go to the same workers because the same workers are excluded.
struct Restriction: Hashable, Sendable {
    var lane: Int32
    var size: SizeKey
    var excludedWorkers: [String]
}

/// How many jobs of one slot a number of slots is sent; a wide job counts as its width.
///
/// A large farm is sent a quarter more than it has slots, so that no slot waits between its report and its next
/// job. A small farm is not, because an urgent job would then wait for a whole segment. Where jobs take less than half a
/// second, farms of any size are sent jobs for half a second ahead.
///
/// The first job of an urgent export has room for a quarter of the slots more, and for one at least, so that it is at the
/// workers when the next slot becomes free.
///
/// A soundtrack or a stitch is one job however long its film is, and may last for minutes. Such jobs never hold all
/// slots: a quarter of the slots, and at least one where there are two or more, is left to short jobs.
struct SlotRoom {
    /// From this many slots on, a farm is large.
    static let largeFarm = 5

    var slots: Int
    var long: Int

    init(slots: Int, isLarge: Bool, _ typical: TypicalTime, isFirstUrgent: Bool = false) {
        let ahead = max(isLarge ? slots / 4 : 0, typical.jobsAhead(slots: slots))
        self.slots = slots + ahead + (isFirstUrgent ? max(1, slots / 4) : 0)
        // A farm with one slot cannot keep one free.
        long = min(slots, max(1, slots - max(1, slots / 4)))
    }
}
