import FarmAPI
import ExportPlan
import HeapModule
import Scheduling
import TestSupport
import FoundationEssentials

/// A farm on a virtual clock, with the real scheduler: workers take tickets from their own streams first, then from the
/// express stream, then from the common one, and hold a slot for as long as each job takes. Predictions are wrong by up to 30 percent, and one
/// attempt in a thousand crashes and excludes its worker. Every export ends with a stitch.
struct LargeFarm {
    struct Tenant {
        var id: Int64
        var share: Int
        /// Whether it submits an urgent export of ten segments each minute.
        var isUrgent = false
    }

    static let tenants = [Tenant(id: 1, share: 1), Tenant(id: 2, share: 2, isUrgent: true), Tenant(id: 3, share: 5)]
    static let slotsPerWorker = 4
    static let segments = 50
    static let segmentLength = 5.0...40.0
    static let urgentPriority = 50

    struct Job {
        var export: Int
        var kind: JobKind
        var ordinal: Int
        var length: Double
        var predicted: Double
        var readyAt = 0.0
        var startedAt = 0.0
        var worker = -1
    }

    struct Export {
        var id: ExportID
        var tenant: Int
        var priority: Int
        var submittedAt: Double
        /// Segments that are not done.
        var left: Int
        var hasStarted = false
    }

    enum Happening {
        case ended(Int)
        case minute
        /// Jobs become due.
        case due
    }

    struct Entry: Comparable {
        var time: Double
        var number: Int
        var happening: Happening

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.number) < (right.time, right.number) }
        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    var report = LargeFarmReport()
    private var scheduler: Scheduler
    private var random: RandomNumbers
    private var happenings = Heap<Entry>()
    private var happeningCount = 0
    private var now = 0.0
    private var exports: [Export] = []
    private var jobs: [Job] = []
    private var stream = FirstInFirstOut()
    private var express = FirstInFirstOut()
    private var ownStreams: [Int: [Int]] = [:]
    private var idleSlots: [Int]
    private var idleWorkers: [Int] = []
    private var running = 0
    private var runningSince = 0.0
    /// Ready jobs of each tenant that are not dispatched.
    private var backlog: [Int]
    private let workerCount: Int
    /// Whether the scheduler is told which jobs have the same source: the segments of an export have one.
    private let tellsSources: Bool
    /// The exports whose source each worker has read.
    private var sources: [Set<Int>]

    init(workers: Int, exports: Int, seed: UInt64, tellsSources: Bool = true) {
        workerCount = workers
        self.tellsSources = tellsSources
        sources = Array(repeating: [], count: workers)
        random = RandomNumbers(seed: seed)
        scheduler = Scheduler(at: LargeFarm.date(0))
        idleSlots = Array(repeating: LargeFarm.slotsPerWorker, count: workers)
        backlog = Array(repeating: 0, count: LargeFarm.tenants.count)
        report.slots = workers * LargeFarm.slotsPerWorker
        for tenant in LargeFarm.tenants { tell(.tenant(tenant.id, share: tenant.share, priorityCap: 10)) }
        for worker in 0..<workers {
            idleWorkers += Array(repeating: worker, count: LargeFarm.slotsPerWorker)
            var status = WorkerStatus(
                id: "w\(worker)", host: "h", version: "1", roles: WorkerRole.allCases, pools: ["default"],
                slots: LargeFarm.slotsPerWorker, startedAt: LargeFarm.date(0), seenAt: LargeFarm.date(0),
                isDraining: false, running: [])
            status.readsExpress = true
            tell(.worker(status))
        }
        // Each tenant has work in proportion to its share, so that all have a backlog to the end.
        let shares = LargeFarm.tenants.flatMap { tenant in Array(repeating: Int(tenant.id) - 1, count: tenant.share) }
        let before = LargeFarmReport.residentBytes
        for number in 0..<exports {
            submit(
                tenant: shares[number % shares.count], priority: [0, 0, 1, 5][number / shares.count % 4],
                segments: LargeFarm.segments)
        }
        report.queued = scheduler.readyCount
        report.bytesPerJob = Double(LargeFarmReport.residentBytes - before) / Double(max(1, report.queued))
        at(60, .minute)
    }

    static func date(_ time: Double) -> Date { Date(timeIntervalSince1970: 1_000_020 + time) }

    // MARK: Running

    /// Runs until everything is rendered.
    mutating func run() {
        dispatch()
        while let entry = happenings.popMin() {
            report.add(running: running, since: now, until: entry.time, hasBacklog: backlog.reduce(0, +) > 0)
            now = entry.time
            switch entry.happening {
            case .ended(let job): end(job)
            case .minute:
                // The last urgent exports are submitted while there is still a backlog.
                guard backlog.reduce(0, +) > 0 else { continue }
                for index in LargeFarm.tenants.indices where LargeFarm.tenants[index].isUrgent {
                    submit(tenant: index, priority: LargeFarm.urgentPriority, segments: 10)
                }
                at(now + 60, .minute)
            case .due: break
            }
            dispatch()
        }
        report.unfinished = scheduler.readyCount + scheduler.inFlightCount
        report.steps = scheduler.steps
    }

    private mutating func at(_ time: Double, _ happening: Happening) {
        happeningCount += 1
        happenings.insert(Entry(time: time, number: happeningCount, happening: happening))
    }

    private mutating func tell(_ event: SchedulerEvent) {
        let start = LargeFarmReport.processorTime
        let isKnown = scheduler.handle(event)
        report.scheduling += LargeFarmReport.processorTime - start
        if !isKnown { report.refused += 1 }
    }

    private mutating func submit(tenant: Int, priority: Int, segments: Int) {
        let number = exports.count
        exports.append(Export(id: ExportID(), tenant: tenant, priority: priority, submittedAt: now, left: segments))
        tell(
            .export(
                QueuedExport(
                    id: exports[number].id, tenant: LargeFarm.tenants[tenant].id, pool: "default", number: Int64(number),
                    priority: priority, since: LargeFarm.date(now))))
        for ordinal in 0..<segments {
            let length = Double.random(in: LargeFarm.segmentLength, using: &random)
            add(export: number, .video, ordinal, length)
        }
    }

    private mutating func add(export: Int, _ kind: JobKind, _ ordinal: Int, _ length: Double) {
        let predicted = length * Double.random(in: 0.7...1.3, using: &random)
        jobs.append(Job(export: export, kind: kind, ordinal: ordinal, length: length, predicted: predicted))
        ready(jobs.count - 1, notBefore: now, excluded: [])
    }

    private mutating func ready(_ number: Int, notBefore: Double, excluded: [String]) {
        jobs[number].readyAt = notBefore
        let job = jobs[number]
        backlog[exports[job.export].tenant] += 1
        tell(
            .ready(
                ReadyJob(
                    id: Int64(number), export: exports[job.export].id, kind: job.kind, ordinal: job.ordinal,
                    key: ArtifactKey(LargeFarm.digest(number)), predicted: job.predicted, notBefore: LargeFarm.date(notBefore),
                    excludedWorkers: excluded, source: tellsSources && job.kind == .video ? Int64(job.export) + 1 : 0)))
    }

    /// 64 hexadecimal digits.
    private static func digest(_ number: Int) -> String {
        var mixed = RandomNumbers(seed: UInt64(number))
        return (0..<4).map { _ in
            let digits = String(mixed.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private mutating func dispatch() {
        let start = LargeFarmReport.processorTime
        let decisions = scheduler.dispatch(at: LargeFarm.date(now))
        report.scheduling += LargeFarmReport.processorTime - start
        report.decisions += decisions.dispatches.count
        report.refused += decisions.withoutWorker.count
        for dispatch in decisions.dispatches {
            let job = Int(dispatch.job)
            let tenant = exports[jobs[job].export].tenant
            backlog[tenant] -= 1
            if backlog[tenant] == 0 { report.noteBacklogEnd(at: now) }
            if let name = dispatch.worker, let worker = Int(name.dropFirst()) {
                if idleSlots[worker] > 0 { take(job, worker) } else { ownStreams[worker, default: []].append(job) }
            } else if let worker = idleWorker() {
                take(job, worker)
            } else if dispatch.isExpress {
                express.append(job)
            } else {
                stream.append(job)
            }
        }
    }

    private mutating func idleWorker() -> Int? {
        while let worker = idleWorkers.popLast() {
            if idleSlots[worker] > 0 { return worker }
        }
        return nil
    }

    private mutating func take(_ number: Int, _ worker: Int) {
        idleSlots[worker] -= 1
        running += 1
        jobs[number].worker = worker
        jobs[number].startedAt = now
        let export = jobs[number].export
        if jobs[number].kind == .video, sources[worker].insert(export).inserted { report.sourcesRead += 1 }
        report.waited(now - jobs[number].readyAt, priority: exports[export].priority)
        if !exports[export].hasStarted {
            exports[export].hasStarted = true
            if exports[export].priority == LargeFarm.urgentPriority {
                report.urgentWaits.append(now - exports[export].submittedAt)
            }
        }
        tell(.started(Int64(number), worker: "w\(worker)"))
        at(now + jobs[number].length, .ended(number))
    }

    private mutating func end(_ number: Int) {
        let job = jobs[number]
        let worker = job.worker
        running -= 1
        idleSlots[worker] += 1
        report.served(exports[job.export].tenant, from: job.startedAt, to: now)
        tell(.ended(Int64(number), seconds: job.length))
        if Int.random(in: 0..<1000, using: &random) == 0 {
            report.crashes += 1
            ready(number, notBefore: now + 1, excluded: ["w\(worker)"])
            at(now + 1, .due)
        } else {
            exports[job.export].left -= 1
            if exports[job.export].left == 0, job.kind == .video {
                add(export: job.export, .stitch, 0, Double.random(in: 0.5...2, using: &random))
                exports[job.export].left = 1
            } else if job.kind == .stitch {
                tell(.exportRemoved(exports[job.export].id))
            }
        }
        if var own = ownStreams[worker], !own.isEmpty {
            let next = own.removeFirst()
            ownStreams[worker] = own.isEmpty ? nil : own
            take(next, worker)
        } else if let next = express.popFirst() ?? stream.popFirst() {
            take(next, worker)
        } else {
            idleWorkers.append(worker)
        }
    }
}

/// The tickets of a stream.
struct FirstInFirstOut {
    private var tickets: [Int] = []
    private var first = 0

    mutating func append(_ ticket: Int) { tickets.append(ticket) }

    mutating func popFirst() -> Int? {
        guard first < tickets.count else { return nil }
        first += 1
        if first > 4096 {
            let ticket = tickets[first - 1]
            tickets.removeFirst(first)
            first = 0
            return ticket
        }
        return tickets[first - 1]
    }
}
