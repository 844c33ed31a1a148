import FarmAPI
import ExportPlan
import Scheduling
import FoundationEssentials

/// The order of choice of docs/scheduling.md, written down once more, slowly: it keeps all ready jobs in one list and
/// looks at every one of them for each choice. `Scheduler` has to decide the same after every event.
struct ReferenceScheduler {
    struct Tenant {
        var share = 1
        var cap = Int.max
    }

    struct Account: Hashable {
        var tenant: Int64
        var pool: String
    }

    struct Lane: Hashable, Comparable {
        var role: WorkerRole
        var pool: String

        static func < (left: Lane, right: Lane) -> Bool {
            let order = WorkerRole.allCases
            return (left.pool, order.firstIndex(of: left.role) ?? 0) < (right.pool, order.firstIndex(of: right.role) ?? 0)
        }
    }

    struct Waiting {
        var job: ReadyJob
        /// Whether it has been due at the time of some call.
        var isDue: Bool
    }

    struct Flying {
        var job: ReadyJob
        var worker: String?
        /// How many slots it is counted with.
        var width = 1
    }

    var tenants: [Int64: Tenant] = [:]
    var workers: [String: WorkerStatus] = [:]
    var pausedRoles: Set<WorkerRole> = []
    var exports: [ExportID: QueuedExport] = [:]
    var removed: Set<ExportID> = []
    var ready: [Int64: Waiting] = [:]
    var flying: [Int64: Flying] = [:]
    var virtualTimes: [Account: Double] = [:]
    var laneStarts: [Lane: Double] = [:]
    var poolStarts: [String: Double] = [:]
    /// What each worker has at hand, and the workers that have it, the latest last.
    var sources: [String: [String]] = [:]
    var holders: [String: [String]] = [:]
    /// The slot that is kept for the tenant of a probe that has ended, and until when.
    var kept: (account: Account, lane: Lane, until: Double?)?
    var now = -Double.infinity
    /// The seconds of all attempts that used their slots, with their lanes, in order.
    var taken: [(lane: Lane, seconds: Double)] = []

    // MARK: Events

    mutating func handle(_ event: SchedulerEvent) {
        switch event {
        case .tenant(let id, let share, let cap): competing { $0.tenants[id] = Tenant(share: share, cap: cap) }
        case .worker(let status): opening { $0.workers[status.id] = status }
        case .workerGone(let id):
            opening { $0.workers[id] = nil }
            sources[id] = nil
            for source in holders.keys { holders[source]?.removeAll { $0 == id } }
        case .pausedRoles(let roles): opening { $0.pausedRoles = roles }
        case .export(let export):
            var export = export
            if let known = exports[export.id] { (export.number, export.since) = (known.number, known.since) }
            competing { $0.exports[export.id] = export }
            removed.remove(export.id)
        case .priority(let id, let priority): competing { $0.exports[id]?.priority = priority }
        case .exportRemoved(let id):
            ready = ready.filter { $0.value.job.export != id }
            removed.insert(id)
            forgetExports()
        case .ready(let job):
            ready[job.id] = nil
            if kept?.account == account(job) { kept = nil }
            let isDue = job.notBefore.timeIntervalSince1970 <= now
            competing { $0.ready[job.id] = Waiting(job: job, isDue: isDue) }
        case .notReady(let id): ready[id] = nil
        case .inFlight(let job, let worker):
            flying[job.id] = Flying(job: job)
            if kept?.account == account(job) { kept = nil }
            virtualTimes[account(job), default: 0] += seconds(job) / share(job)
            if let worker { start(job.id, on: worker) }
        case .started(let id, let worker): start(id, on: worker)
        case .ended(let id, let spent):
            guard let ended = flying.removeValue(forKey: id) else { return }
            if let spent {
                if spent > 0, ended.job.kind != .probe { taken.append((lane(ended.job), spent)) }
                let seconds = (spent - seconds(ended.job)) * Double(ended.width)
                virtualTimes[account(ended.job), default: 0] += seconds / share(ended.job)
                if ended.job.kind == .probe { keepSlot(of: ended.job) }
            }
            forgetExports()
        }
    }

    /// A job may be found at another worker than it was sent to, or one where it has another width.
    private mutating func start(_ id: Int64, on worker: String) {
        noteSources(of: id, at: worker)
        guard let started = flying[id], started.worker != worker else { return }
        flying[id]?.worker = worker
        guard let status = workers[worker] else { return }
        let width = width(started.job, status)
        let seconds = seconds(started.job) * Double(width - started.width)
        virtualTimes[account(started.job), default: 0] += seconds / share(started.job)
        flying[id]?.width = width
    }

    /// A worker is remembered to have the last 64 things that its jobs read, and a thing is remembered to be with the last
    /// 16 workers.
    private mutating func noteSources(of id: Int64, at worker: String) {
        guard let job = flying[id]?.job, workers[worker] != nil else { return }
        for source in (job.source == 0 ? [] : ["source \(job.source)"]) + ["export \(job.export.text)"] {
            var own = sources[worker, default: []].filter { $0 != source } + [source]
            if own.count > 64 { holders[own.removeFirst(), default: []].removeAll { $0 == worker } }
            sources[worker] = own
            var all = holders[source, default: []].filter { $0 != worker } + [worker]
            if all.count > 16 { sources[all.removeFirst(), default: []].removeAll { $0 == source } }
            holders[source] = all
        }
    }

    /// The worker that has what a job reads, and loses nothing by taking it.
    private func workerWithSource(for job: ReadyJob) -> WorkerStatus? {
        let readsArtifacts = [.allocation, .soundtrack, .stitch].contains(job.kind)
        guard !isUrgent(job), job.source != 0 || readsArtifacts else { return nil }
        let lane = lane(job)
        let ready = ready.values.filter { $0.isDue && self.lane($0.job) == lane && $0.job.excludedWorkers.isEmpty }
        let isBacklog = ready.count > slots { serves($0, lane) }
        let unclaimed = flying.values.contains { $0.worker == nil && self.lane($0.job) == lane }
        let wanted = job.source != 0 ? "source \(job.source)" : "export \(job.export.text)"
        let able = holders[wanted, default: []].compactMap { workers[$0] }.filter { takesJobs($0) && serves($0, lane) }
        func free(_ worker: WorkerStatus) -> Int {
            worker.slots - flying.values.filter { $0.worker == worker.id }.reduce(0) { $0 + $1.width }
        }
        return able.filter { isBacklog ? free($0) + $0.slots / 4 > 0 : free($0) > 0 && !unclaimed }
            .min { (-free($0), $0.id) < (-free($1), $1.id) }
    }

    private mutating func forgetExports() {
        let busy = Set(flying.values.map(\.job.export))
        exports = exports.filter { !removed.contains($0.key) || busy.contains($0.key) }
        removed.formIntersection(exports.keys)
    }

    /// Performs a change after which jobs may compete that did not before.
    private mutating func competing(_ change: (inout ReferenceScheduler) -> Void) {
        let (before, lanesBefore) = (competitors(), backloggedLanes())
        change(&self)
        for lane in backloggedLanes() where !lanesBefore.contains(lane) { laneStarts[lane] = poolStarts[lane.pool, default: 0] }
        arrive(besides: before)
    }

    /// Performs a change that may open or close lanes.
    private mutating func opening(_ change: (inout ReferenceScheduler) -> Void) {
        let before = competitors()
        let open = backloggedLanes().filter { isOpen($0) }
        change(&self)
        for lane in backloggedLanes() where isOpen(lane) && !open.contains(lane) {
            laneStarts[lane] = poolStarts[lane.pool, default: 0]
        }
        arrive(besides: before)
    }

    private mutating func arrive(besides before: [Account: Set<Lane>]) {
        for (account, lanes) in competitors() where before[account] == nil {
            // A tenant that arrives in several lanes at once begins at the start of the first, in the order of the roles.
            guard let lane = lanes.min() else { continue }
            virtualTimes[account] = max(virtualTimes[account, default: 0], laneStarts[lane, default: 0])
        }
    }

    /// The tenants with due jobs of exports that are not urgent, in open lanes.
    func competitors() -> [Account: Set<Lane>] {
        var found: [Account: Set<Lane>] = [:]
        for waiting in ready.values where waiting.isDue && !isUrgent(waiting.job) && isOpen(lane(waiting.job)) {
            found[account(waiting.job), default: []].insert(lane(waiting.job))
        }
        return found
    }

    private func backloggedLanes() -> Set<Lane> {
        Set(ready.values.filter { $0.isDue && !isUrgent($0.job) }.map { lane($0.job) })
    }

    // MARK: Choice

    mutating func dispatch(at time: Date) -> SchedulerDecisions {
        now = max(now, time.timeIntervalSince1970)
        let due = ready.values.filter { !$0.isDue && $0.job.notBefore.timeIntervalSince1970 <= now }
        for waiting in due.sorted(by: { ($0.job.notBefore, $0.job.id) < ($1.job.notBefore, $1.job.id) }) {
            competing { $0.ready[waiting.job.id]?.isDue = true }
        }
        if let slot = kept {
            kept?.until = slot.until ?? now + 0.2
            if let until = slot.until, until <= now { kept = nil }
        }
        var decisions = SchedulerDecisions()
        for job in candidates() where isWithoutWorker(job) {
            decisions.withoutWorker.append(job.id)
            ready[job.id] = nil
        }
        while let (job, worker) = best() {
            if !isUrgent(job) {
                let lane = lane(job)
                let limit = laneStarts[lane, default: 0] - Scheduler.creditLimit * Double(slots { serves($0, lane) }) / share(job)
                let start = max(virtualTimes[account(job), default: 0], limit)
                virtualTimes[account(job)] = start
                laneStarts[lane] = start
                poolStarts[lane.pool] = start
            }
            let width = worker.map { self.width(job, $0) } ?? 1
            let isExpress = worker == nil && isExpress(job)
            virtualTimes[account(job), default: 0] += seconds(job) * Double(width) / share(job)
            ready[job.id] = nil
            flying[job.id] = Flying(job: job, worker: worker?.id, width: width)
            decisions.dispatches.append(
                SchedulerDecisions.Dispatch(job: job.id, worker: worker?.id, isExpress: isExpress))
        }
        return decisions
    }

    /// The next job, with the worker that it is sent to by name. A wide job without a worker is sent ahead, to one where
    /// no job waits like this, before a later wide job passes it at the same workers.
    private func best() -> (job: ReadyJob, worker: WorkerStatus?)? {
        func first(_ jobs: [ReadyJob]) -> ReadyJob? {
            jobs.map { (keys($0), $0) }.min { isBefore($0.0, $1.0) }?.1
        }
        let all = candidates()
        let roomy = all.filter { job in
            if hasRoom(job) { return true }
            // The first job of an urgent export has more room, where no other urgent job goes before it to the same workers.
            return isUrgent(job) && !flying.values.contains { $0.job.export == job.export } && hasRoom(job, isFirst: true)
                && !all.contains { isUrgent($0) && goesWith(job, $0) && isBefore(keys($0), keys(job)) }
        }
        guard let next = first(roomy.filter(hasWorker)) else { return nil }
        let wide = roomy.filter { !isForAnyWorker($0) }
        if let passing = first(wide.filter(hasWorker)), let passed = first(wide.filter { !hasWorker($0) }),
            isBefore(keys(passed), keys(passing)), !isBefore(keys(next), keys(passed)),
            workers.values.contains(where: {
                takesJobs($0) && $0.slots > 0 && serves($0, lane(passed)) && serves($0, lane(passing))
            })
        {
            let found = workers.values.compactMap { worker -> (keys: [Int], worker: WorkerStatus)? in
                let widths = flying.values.filter { $0.worker == worker.id }.map(\.width)
                let (width, wide) = (width(passed, worker), widths.filter { $0 > 1 }.reduce(0, +))
                guard takesJobs(worker), serves(worker, lane(passed)), !passed.excludedWorkers.contains(worker.id),
                    worker.slots > 0, width > 1, wide <= worker.slots
                else {
                    return nil
                }
                return ([width, wide, widths.reduce(0, +) - worker.slots], worker)
            }.min { $0.keys == $1.keys ? $0.worker.id < $1.worker.id : $0.keys.lexicographicallyPrecedes($1.keys) }
            if let found { return (passed, found.worker) }
        }
        if isForAnyWorker(next) { return (next, isExpress(next) ? nil : workerWithSource(for: next)) }
        return (next, possibleWorkers(next).first)
    }

    /// Whether a ticket overtakes those that wait in its lane: those of urgent exports, and the first of a tenant that has
    /// nothing in flight in the pool.
    private func isExpress(_ job: ReadyJob) -> Bool {
        let lane = lane(job)
        let ofTenant = flying.values.filter { account($0.job) == account(job) }
        return flying.values.contains { self.lane($0.job) == lane && $0.worker == nil }
            && workers.values.allSatisfy { !serves($0, lane) || $0.readsExpress == true } && (isUrgent(job) || ofTenant.isEmpty)
    }

    /// Due jobs in open lanes whose artifact nobody makes.
    private func candidates() -> [ReadyJob] {
        let keys = Set(flying.values.map { [String(tenant($0.job)), $0.job.key.text] })
        return ready.values.filter {
            $0.isDue && !pausedRoles.contains($0.job.kind.role) && !keys.contains([String(tenant($0.job)), $0.job.key.text])
        }.map(\.job)
    }

    private func isWithoutWorker(_ job: ReadyJob) -> Bool {
        let serving = workers.values.filter { serves($0, lane(job)) }
        return !job.excludedWorkers.isEmpty && !serving.isEmpty && serving.allSatisfy { job.excludedWorkers.contains($0.id) }
    }

    private func hasWorker(_ job: ReadyJob) -> Bool { isForAnyWorker(job) || !possibleWorkers(job).isEmpty }

    func width(_ job: ReadyJob, _ worker: WorkerStatus) -> Int { worker.capacity.width(of: job.demand) }

    /// Whether a job goes to its lane, because no worker is excluded and all have the same width for it: one slot.
    func isForAnyWorker(_ job: ReadyJob) -> Bool {
        job.excludedWorkers.isEmpty
            && workers.values.allSatisfy { !serves($0, lane(job)) || width(job, $0) == 1 }
    }

    /// The workers that a job may be sent to by name, the best first: where it fits now, then where it takes the fewest
    /// slots, then where it may have to wait for the fewest slots of wide jobs, then the one with the most free slots.
    private func possibleWorkers(_ job: ReadyJob) -> [WorkerStatus] {
        let isLarge = slots { _ in true } >= 5
        let able = workers.values.filter {
            takesJobs($0) && serves($0, lane(job)) && !job.excludedWorkers.contains($0.id) && $0.slots > 0
        }
        let found = able.compactMap { worker -> (keys: [Int], worker: WorkerStatus)? in
            let widths = flying.values.filter { $0.worker == worker.id }.map(\.width)
            let (width, free) = (width(job, worker), worker.slots - widths.reduce(0, +))
            let wide = widths.filter { $0 > 1 }.reduce(0, +)
            if width <= free { return ([0, width, 0, -free], worker) }
            let isPossible =
                width == 1 ? free + (isLarge ? max(1, worker.slots / 4) : 0) > 0 : wide + width <= worker.slots
            return isPossible ? ([1, width, wide, -free], worker) : nil
        }
        return found.sorted { left, right in
            left.keys == right.keys ? left.worker.id < right.worker.id : left.keys.lexicographicallyPrecedes(right.keys)
        }.map(\.worker)
    }

    /// Whether two jobs may go to the same workers for the same reasons.
    private func goesWith(_ job: ReadyJob, _ other: ReadyJob) -> Bool {
        lane(job) == lane(other) && job.demand == other.demand && isLong(job) == isLong(other)
            && Set(job.excludedWorkers) == Set(other.excludedWorkers)
    }

    func hasRoom(_ job: ReadyJob, isFirst: Bool = false) -> Bool {
        let lane = lane(job)
        guard isOpen(lane) else { return false }
        let counted = Array(flying.values.filter { isServed(self.lane($0.job)) })
        let keptIn = kept.map(\.lane).flatMap { isServed($0) ? $0 : nil }
        let sets: [(slots: Int, jobs: [Flying], ahead: Int, kept: Int)] = [
            (slots { _ in true }, counted, ahead { _ in true }, keptIn == nil ? 0 : 1),
            (
                slots { $0.roles.contains(lane.role) }, counted.filter { $0.job.kind.role == lane.role },
                ahead { $0.role == lane.role }, keptIn?.role == lane.role ? 1 : 0
            ),
            (
                slots { serves($0, lane) }, counted.filter { self.lane($0.job) == lane }, ahead { $0 == lane },
                keptIn == lane ? 1 : 0
            ),
        ]
        let isLarge = sets[0].slots >= 5
        return sets.allSatisfy { slots, jobs, ahead, kept in
            let longRoom = slots == 0 ? 0 : slots == 1 ? 1 : slots - max(1, slots / 4)
            let taken = jobs.reduce(kept) { $0 + $1.width }
            let long = jobs.filter { isLong($0.job) }.reduce(0) { $0 + $1.width }
            let room = slots + max(isLarge ? slots / 4 : 0, slots * ahead) + (isFirst ? max(1, slots / 4) : 0)
            return taken < room && (!isLong(job) || long < longRoom)
        }
    }

    /// How many jobs each slot is sent ahead: those of half a second, at most 32, by what attempts in lanes took.
    private func ahead(_ counts: (Lane) -> Bool) -> Int {
        let seconds = taken.filter { counts($0.lane) }.map(\.seconds)
        guard let first = seconds.first else { return 0 }
        let typical = seconds.dropFirst().reduce(first) { $0 + ($1 - $0) / 10 }
        return min(32, Int(0.5 / typical))
    }

    /// The sort keys of docs/scheduling.md, as numbers and texts of which the least goes first.
    private enum Key: Comparable {
        case number(Double)
        case text(String)
    }

    private func keys(_ job: ReadyJob) -> [Key] {
        guard let export = exports[job.export] else { return [] }
        let isUrgent = isUrgent(job)
        let minute = (export.since.timeIntervalSince1970 / 60).rounded(.down)
        let ofExport = flying.values.filter { $0.job.export == job.export }
        let load = ofExport.reduce(0) { $0 + (seconds($1.job) * 1e6).rounded() * Double($1.width) }
        let kept = kept?.lane.pool == export.pool ? 1 : 0
        let pool = flying.values.filter { lane($0.job).pool == export.pool }.reduce(kept) { $0 + $1.width }
        let poolSlots = slots { $0.pools.contains(export.pool) && !$0.roles.isEmpty }
        let part = Double((job.ordinal + 1).bitWidth - (job.ordinal + 1).leadingZeroBitCount)
        let turn: Double =
            switch job.kind {
            case .probe, .allocation, .stitch: 0
            case .video, .measure, .picture: job.ordinal == 0 ? 1 : 3
            default: 2
            }
        let shares: [Key] = [
            .number(Double(pool) / Double(poolSlots)), .text(export.pool), .number(virtualTimes[account(job), default: 0]),
            .number(Double(export.tenant)),
        ]
        return [.number(isUrgent ? 0 : 1), .number(isUrgent ? -Double(export.priority) : 0)] + (isUrgent ? [] : shares) + [
            .number(minute - Double(export.priority)), .number(load), .number(Double(export.number)),
            .number(turn), .number(part), .number(-seconds(job)), .number(Double(job.ordinal)), .number(Double(job.id)),
        ]
    }

    private func isBefore(_ left: [Key], _ right: [Key]) -> Bool { left.lexicographicallyPrecedes(right) }
}
