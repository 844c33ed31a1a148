import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Logging
import Scheduling
import FoundationEssentials

/// One coordinator's term as the simulation drives it, step by step.
protocol LeaderSteps {
    var epoch: Int64 { get }
    /// What happens each second.
    mutating func second() async throws
    /// What happens at a call: reports are applied, exports compiled, jobs sent.
    mutating func call() async throws
    /// Another coordinator, or the API, has changed an export.
    func note(_ export: ExportID)
    /// The paused roles have changed.
    func noteSettings()
    /// Whether its scheduler believes any job ready or in flight.
    var isBusy: Bool { get }
}

/// The real leader, with its real scheduler.
///
/// Its loops, which wait, are not run; their steps are called in the same order. What a loop does on its own and no
/// step offers is here: it compiles with artificial plans, and looks at the queue.
struct RealLeaderSteps: LeaderSteps {
    let epoch: Int64
    private let store: FaultyStore
    private let queue: FaultyQueue
    private let clock: SimulatedClock
    private let exports: [ExportID: ExportModel]
    private let watch: QueueWatch
    private let news = LeaderNews()
    private let leader: Leader
    private let logger: Logger
    /// Whether the scheduler is compared with the store each second, as the leader does. Without that a job of which the
    /// scheduler was not told is found to be forgotten; it is then told of steps that failed.
    private let isComparing: Bool
    private var state = DispatchState()
    private var count = 0

    init(
        epoch: Int64, store: FaultyStore, queue: FaultyQueue, clock: SimulatedClock, exports: [ExportID: ExportModel],
        isComparing: Bool
    ) {
        self.epoch = epoch
        self.isComparing = isComparing
        self.store = store
        self.queue = queue
        self.clock = clock
        self.exports = exports
        watch = QueueWatch(at: clock.instant)
        var logger = Logger(label: "leader") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        self.logger = logger
        leader = Leader(
            store: store, queue: queue, planner: ExportPlanner(), news: news, logger: logger,
            term: LeadTerm(epoch: epoch, databaseTime: clock.date), watch: watch)
    }

    var isBusy: Bool { state.isBusy }

    func note(_ export: ExportID) { news.note(payload: WorkNotice.export(export).payload) }

    func noteSettings() { news.note(payload: WorkNotice.settings.payload) }

    mutating func second() async throws {
        count += 1
        do {
            try await queue.ping()
            watch.look(at: clock.instant)
        } catch {
            watch.fail(at: clock.instant)
        }
        try await attempt { try await $0.look() }
        try await call()
        try await attempt { try await $0.leader.copyStragglers($0.state, $0.queue.workers()) }
    }

    /// Does one step. One that fails stops none of the others, as in the leader, whose loops are apart.
    private mutating func attempt(_ step: (inout RealLeaderSteps) async throws -> Void) async throws {
        do {
            try await step(&self)
        } catch let error as FarmError where error.code == .unavailable {
            if !isComparing { news.noteGap() }
        }
    }

    private mutating func look() async throws {
        try await store.confirmLead()
        if try await queue.prepare(pools: ["default"]) { try await reconcile(olderThan: .zero) }
        if count % 5 == 0 {
            try await leader.reclaimExpired(at: clock.instant)
            try await leader.withdrawUnread(at: clock.instant)
            try await leader.withdrawWaiting(state)
        }
        if count % 30 == 0 { try await reconcile(olderThan: .seconds(10)) }
        if isComparing { try await leader.compareSome(&state) }
    }

    /// A term that begins now tells the virtual time.
    private func reconcile(olderThan age: Duration) async throws {
        let now = Leader(
            store: store, queue: queue, planner: ExportPlanner(), news: news, logger: logger,
            term: LeadTerm(epoch: epoch, databaseTime: clock.date), watch: watch)
        try await now.reconcile(olderThan: age)
    }

    mutating func call() async throws {
        try await attempt { _ = try await $0.leader.applyReports(wait: .zero) }
        try await attempt { while try await $0.compile() {} }
        try await attempt { steps in
            let workers = try await steps.queue.workers()
            if steps.count % 5 == 0 { try await steps.store.note(workers) }
            try await steps.leader.dispatch(&steps.state, to: workers, at: steps.clock.date)
        }
    }

    /// Takes one export as far as its probes allow, as `Leader.compile` does, with the plan of the scenario.
    private func compile() async throws -> Bool {
        guard let next = try await store.exportsToCompile(ofEachTenant: 1, besides: []).first,
            let model = exports[next.id]
        else { return false }
        defer { note(next.id) }
        if next.state == .submitted {
            let probes = model.probes.map { (location: $0.key.text, job: $0) }
            guard try await store.startProbing(next.id, jobs: probes) else { return true }
        }
        let faults = try await store.probeResults(of: next.id).values.contains { result in
            if case .fault = result { true } else { false }
        }
        if faults {
            try await queue.cancel(try await store.fail(next.id, ExportFailure(.input, message: "a source cannot be probed")))
        } else {
            try await store.startRendering(next.id, model.plan)
        }
        return true
    }
}
