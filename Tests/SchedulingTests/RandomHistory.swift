import FarmAPI
import ExportPlan
import Scheduling
import TestSupport
import FoundationEssentials

/// A random history of a small farm, told to the scheduler and to the slow reference. It has all events, in any order
/// that can happen.
struct RandomHistory {
    private var random: RandomNumbers
    private(set) var scheduler: Scheduler
    private var reference = ReferenceScheduler()
    private var time = Date(timeIntervalSince1970: 1_000_020)
    private var jobCount: Int64 = 0
    private var exportCount: Int64 = 0
    private var exports: [ExportID] = []
    private(set) var log: [String] = []
    /// What is wrong; nil while nothing is.
    private(set) var fault: String?
    private(set) var dispatched = 0
    private(set) var reported = 0
    /// How many wide jobs were dispatched.
    private(set) var wide = 0

    /// Whether attempts are so short that slots are sent jobs ahead.
    private let areJobsShort: Bool

    private static let workerIDs = ["w1", "w2", "w3", "w4"]

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
        areJobsShort = seed.isMultiple(of: 3)
        scheduler = Scheduler(at: time)
        _ = reference.dispatch(at: time)
    }

    /// Runs so many random steps, and after them lets all end: everything has to be dispatched or reported then.
    mutating func run(steps: Int) {
        for _ in 0..<Int.random(in: 1...3, using: &random) { addWorker() }
        for _ in 0..<steps where fault == nil { step() }
        finish()
    }

    private mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4:
            tell(
                .tenant(
                    tenant(), share: Int.random(in: 1...4, using: &random), priorityCap: pick([0, 2, 5, SchedulerEvent.openCap])))
        case 4..<9: addWorker()
        case 9..<11: tell(.workerGone(pick(RandomHistory.workerIDs)))
        case 11..<14: tell(.pausedRoles(Set(WorkerRole.allCases.filter { _ in pick([true, false, false, false]) })))
        case 14..<20: addExport()
        case 20..<25: if let id = exports.randomElement(using: &random) { tell(.priority(id, pick([-3, 0, 1, 3, 6]))) }
        case 25..<28: removeExport()
        case 28..<52: for _ in 0..<Int.random(in: 1...5, using: &random) { addJob() }
        case 52..<55: if let job = reference.ready.keys.sorted().randomElement(using: &random) { tell(.notReady(job)) }
        case 55..<57: addInFlight()
        case 57..<63:
            guard let job = reference.flying.keys.sorted().randomElement(using: &random) else { return }
            tell(.started(job, worker: pick(RandomHistory.workerIDs)))
        case 63..<80: end()
        default:
            time += pick([0, 0.1, 1, 10, 70])
            dispatch()
        }
    }

    // MARK: Events

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

    private mutating func tenant() -> Int64 { Int64.random(in: 1...4, using: &random) }

    private static let memories: [Int64?] = [nil, nil, nil, 1 << 30, 2 << 30, 8 << 30]
    private static let demands = [
        JobDemand(), JobDemand(), JobDemand(), JobDemand(memory: 200 << 20), JobDemand(memory: 600 << 20),
        JobDemand(memory: 3 << 30), JobDemand(memory: 64 << 20, processors: 2), .wholeMachine,
    ]

    private mutating func addWorker() {
        let memory = pick(RandomHistory.memories)
        let processors: Double? = pick([nil, nil, 2])
        var worker = WorkerStatus(
            id: pick(RandomHistory.workerIDs), host: "h", version: "1",
            roles: pick([[.video], [.audio, .stitch], WorkerRole.allCases, WorkerRole.allCases]),
            pools: pick([["default"], ["default"], ["gpu"], ["default", "gpu"]]), slots: pick([0, 1, 1, 2, 4]),
            memory: memory, processors: processors, startedAt: time, seenAt: time,
            isDraining: pick([true, false, false, false, false, false]),
            pausedFor: pick(["its store is away", nil, nil, nil, nil, nil]), running: [])
        worker.readsExpress = pick([true, true, true, true, true, nil])
        tell(.worker(worker))
    }

    private mutating func addExport() {
        exportCount += 1
        // Its UUID tells its number.
        let digits = String(exportCount)
        let text = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
        guard let id = ExportID(text) else { return }
        exports.append(id)
        tell(
            .export(
                QueuedExport(
                    id: id, tenant: tenant(), pool: pick(["default", "default", "gpu"]), number: exportCount,
                    priority: pick([-2, 0, 0, 0, 1, 3, 6]), since: time - pick([0, 5, 30, 130]))))
    }

    private mutating func removeExport() {
        guard let index = exports.indices.randomElement(using: &random) else { return }
        tell(.exportRemoved(exports.remove(at: index)))
    }

    private mutating func job() -> ReadyJob? {
        guard let export = exports.randomElement(using: &random) else { return nil }
        jobCount += 1
        let key = pick(["sea", "hills", "sky", "\(jobCount)", "\(jobCount)", "\(jobCount)", "\(jobCount)"])
        return ReadyJob(
            id: jobCount, export: export, kind: pick(JobKind.allCases + [.video, .video, .video, .audio]),
            ordinal: Int.random(in: 0...3, using: &random), key: ArtifactKey(key), predicted: pick([0.3, 1, 1, 2, 8, 12.5]),
            notBefore: pick([.distantPast, .distantPast, time, time + 0.05, time + 20]),
            excludedWorkers: pick([[], [], [], [], ["w1"], ["w2", "w1"], ["w1", "w2", "w3"]]),
            demand: pick(RandomHistory.demands), source: pick([0, 0, 1, 1, 2, 3]))
    }

    private mutating func addJob() {
        guard var new = job() else { return }
        if pick([true, false, false, false, false, false, false, false]),
            let known = reference.ready.values.map(\.job.id).sorted().randomElement(using: &random)
        {
            new.id = known
        }
        tell(.ready(new))
    }

    private mutating func addInFlight() {
        guard let new = job() else { return }
        tell(.inFlight(new, worker: pick(["w1", "w3", nil])))
    }

    private mutating func end() {
        guard let id = reference.flying.keys.sorted().randomElement(using: &random) else { return }
        guard var job = reference.flying[id]?.job else { return }
        tell(.ended(id, seconds: pick(areJobsShort ? [0, 0.02, 0.1, 0.4, nil] : [0, 0.5, 3, 9, nil])))
        guard pick([true, false, false, false]), exports.contains(job.export) else { return }
        job.excludedWorkers = pick([[], ["w1"], ["w3"], ["w1", "w2", "w3", "w4"]])
        job.notBefore = time + pick([0, 1, 15])
        if pick([true, false, false]) { job.demand = .wholeMachine }
        tell(.ready(job))
    }

    private mutating func tell(_ event: SchedulerEvent) {
        guard fault == nil else { return }
        log.append("\(event)")
        reference.handle(event)
        let isKnown = scheduler.handle(event)
        compareCounts()
        if !isKnown { fault = "the scheduler does not know what \(event) is about" }
    }

    private mutating func compareCounts() {
        if scheduler.readyCount != reference.ready.count || scheduler.inFlightCount != reference.flying.count {
            fault =
                "\(scheduler.readyCount) ready and \(scheduler.inFlightCount) in flight instead of \(reference.ready.count) and \(reference.flying.count)"
        }
    }

    // MARK: Dispatches

    private mutating func dispatch() {
        guard fault == nil else { return }
        let before = reference
        let expected = reference.dispatch(at: time)
        let found = scheduler.dispatch(at: time)
        log.append("dispatch at \(time.timeIntervalSince1970): \(expected)")
        dispatched += expected.dispatches.count
        reported += expected.withoutWorker.count
        if found.dispatches != expected.dispatches || found.withoutWorker.sorted() != expected.withoutWorker.sorted() {
            fault = "decided \(found), instead of \(expected)"
            return
        }
        let known = scheduler.knownJobs
        if known.ready != Set(reference.ready.keys) || known.inFlight != Set(reference.flying.keys) {
            fault = "knows \(known) instead of \(reference.ready.keys.sorted()) and \(reference.flying.keys.sorted())"
        }
        check(found, before)
        let times = reference.ready.values.filter { !$0.isDue }.map { $0.job.notBefore.timeIntervalSince1970 }
        let early = (times + [reference.kept?.until].compactMap(\.self)).min()
        let next = scheduler.nextDue()?.timeIntervalSince1970
        // Dates are rounded.
        if abs((next ?? 0) - (early ?? 0)) > 1e-6 { fault = "looks again at \(next ?? 0) instead of \(early ?? 0)" }
    }

    /// What holds whatever the order is.
    private mutating func check(_ decisions: SchedulerDecisions, _ before: ReferenceScheduler) {
        var inFlight = before.flying.mapValues(\.job)
        for dispatch in decisions.dispatches {
            guard let job = before.ready[dispatch.job]?.job else {
                fault = "dispatched \(dispatch.job), which is not ready"
                return
            }
            let tenant = reference.exports[job.export]?.tenant
            if tenant == nil { fault = "dispatched \(dispatch.job) of an export that was removed" }
            if inFlight.values.contains(where: { $0.key == job.key && reference.exports[$0.export]?.tenant == tenant }) {
                fault = "dispatched a second job for \(job.key)"
            }
            if job.notBefore > time { fault = "dispatched \(dispatch.job) before its time" }
            if before.pausedRoles.contains(job.kind.role) { fault = "dispatched \(dispatch.job) of a paused role" }
            if !before.isForAnyWorker(job) && dispatch.worker == nil || job.excludedWorkers.contains(dispatch.worker ?? "") {
                fault = "sent \(dispatch.job) to \(dispatch.worker ?? "any worker")"
            }
            inFlight[job.id] = job
            checkWideJobs(of: dispatch, job)
        }
        let takers = before.workers.values.filter { !$0.isDraining && $0.pausedFor == nil }
        let slots = takers.reduce(0) { $0 + $1.slots }
        let counted = inFlight.values.count { before.isServed(before.lane($0)) }
        // Attempts of half a second let each slot have one job ahead, shorter ones 32 at most. An urgent export's first job
        // is sent beyond that.
        if !decisions.dispatches.isEmpty, counted > slots * (areJobsShort ? 33 : 2) + max(1, slots / 4) {
            fault = "\(counted) jobs are in flight on \(slots) slots"
        }
    }

    /// No worker is sent more wide jobs than it can do at a time, and one more at most, which later ones must not pass.
    private mutating func checkWideJobs(of dispatch: SchedulerDecisions.Dispatch, _ job: ReadyJob) {
        guard let worker = dispatch.worker.flatMap({ reference.workers[$0] }), reference.width(job, worker) > 1 else { return }
        wide += 1
        let widths = reference.flying.values.filter { $0.worker == worker.id }.map(\.width).filter { $0 > 1 }
        if widths.reduce(0, +) - (widths.max() ?? 0) > worker.slots {
            fault = "sent wide jobs of \(widths) slots to \(worker.id), which has \(worker.slots)"
        }
    }

    /// A farm with every worker, on which all that is ready has to be dispatched.
    private mutating func finish() {
        tell(.pausedRoles([]))
        for id in RandomHistory.workerIDs + ["w5"] {
            tell(
                .worker(
                    WorkerStatus(
                        id: id, host: "h", version: "1", roles: WorkerRole.allCases, pools: ["default", "gpu"], slots: 2,
                        startedAt: time, seenAt: time, isDraining: false, running: [])))
        }
        for _ in 0..<400 where fault == nil && !(reference.ready.isEmpty && reference.flying.isEmpty) {
            time += 5
            dispatch()
            for id in reference.flying.keys.sorted() where pick([true, false]) { tell(.ended(id, seconds: 1)) }
        }
        if fault == nil, scheduler.readyCount + scheduler.inFlightCount > 0 {
            fault = "\(scheduler.readyCount) jobs were never dispatched"
        }
    }
}
