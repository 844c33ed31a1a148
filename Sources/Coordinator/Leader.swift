import ExportPlan
public import JobQueue
public import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the one leading coordinator does: compiles accepted exports, hands ready jobs to the queue, applies what workers
/// report, and takes back what silent workers held.
///
/// It keeps nothing: everything it knows is in the store, everything it sent is in the queue, and it may die between any two
/// steps. It wakes for reports, for `wake`, and once a second, every five seconds where there is nothing to do.
public struct Leader: Sendable {
    /// How long a worker may be silent about a job.
    public static let lease = Duration.seconds(15)

    private let store: any FarmStore
    private let queue: any CoordinatorQueue
    private let planner: ExportPlanner
    private let wake: WakeSignal
    private let logger: Logger

    public init(
        store: any FarmStore, queue: any CoordinatorQueue, planner: ExportPlanner, wake: WakeSignal, logger: Logger
    ) {
        self.store = store
        self.queue = queue
        self.planner = planner
        self.wake = wake
        self.logger = logger
    }

    /// Leads until the task is cancelled. What fails is tried again.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keepTrying("reports") { try await self.applyReports() } }
            group.addTask {
                var round = Round()
                await keepTrying("dispatch") { try await self.work(&round) }
            }
        }
    }

    private func keepTrying(_ what: String, _ step: () async throws -> Void) async {
        while !Task.isCancelled {
            do {
                try await step()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("\(what): \(error); trying again")
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    // MARK: Reports

    private func applyReports() async throws {
        let deliveries = try await queue.reports(limit: 100, wait: .seconds(5))
        guard !deliveries.isEmpty else { return }
        var effects = JobEffects()
        for delivery in deliveries {
            effects.merge(
                try await store.apply(delivery.report, at: Date(), luck: Double.random(in: 0...1)))
            try await queue.acknowledge([delivery])
        }
        try await queue.cancel(effects.toCancel)
        if effects.hasNews { wake.wake() }
    }

    // MARK: Work

    /// What the loop remembers from one round to the next.
    private struct Round {
        var count = 0
        /// Whether there was anything to do when it last looked.
        var isBusy = true
        /// When it last wrote down which workers there are.
        var notedAt: ContinuousClock.Instant?

        var pause: Duration { isBusy ? .seconds(1) : .seconds(5) }
    }

    private func work(_ round: inout Round) async throws {
        let isCalled = await wake.wait(atMost: round.pause)
        try Task.checkCancellation()
        round.count += 1
        if try await queue.prepare(pools: ["default"]) {
            logger.info("the queue is new or was lost: comparing it with the database")
            try await reconcile(olderThan: .zero)
            round.isBusy = true
        }
        if round.isBusy, round.count % 5 == 0 { try await reap() }
        if round.isBusy, round.count % 30 == 0 { try await reconcile(olderThan: .seconds(10)) }
        // Idle, it looks at the database only now and then: whoever changes something calls.
        guard isCalled || round.isBusy || round.count % 3 == 0 else { return }
        try await compile()
        let workers = try await queue.workers()
        if round.notedAt.map({ $0.duration(to: .now) > .seconds(5) }) ?? true {
            try await store.note(workers)
            round.notedAt = .now
        }
        round.isBusy = try await dispatch(to: workers)
    }

    /// Exports that are taken further before jobs are sent again: slots must not wait for a thousand drafts to be compiled.
    private static let compileBatch = 4

    /// Takes the most urgent exports as far as what is known of their sources allows; each leaves the list by that. Where there
    /// may be more, the next round begins at once.
    private func compile() async throws {
        let exports = try await store.exportsToCompile(limit: Leader.compileBatch)
        for (source, state) in exports {
            do {
                try await advance(source, state)
            } catch let failure as ExportFailure {
                try await queue.cancel(try await store.fail(source.id, failure))
            }
        }
        if !exports.isEmpty { wake.wake() }
    }

    private func advance(_ source: ExportSource, _ state: ExportState) async throws {
        if state == .submitted {
            let isKnown = try await store.startProbing(source.id, jobs: try planner.probes(of: source))
            guard isKnown else { return }
        }
        let plan = try planner.plan(source, findings: try await store.findings(of: source.id))
        try await store.startRendering(source.id, jobs: plan.jobs, filmKey: plan.filmKey, frameCount: plan.frameCount)
    }

    /// Candidates of one export and role that are looked at in a round.
    private static let perExport = 4

    /// Sends ready jobs as far as there is room, those of all roles ranked together: roles may share the same slots.
    /// - Returns: whether anything is ready or in flight.
    private func dispatch(to workers: [WorkerStatus]) async throws -> Bool {
        let inFlight = try await store.inFlightCounts()
        let ready = try await store.readyRoles()
        guard !ready.isEmpty else { return inFlight.values.contains { $0 > 0 } }
        var room = DispatchRoom(workers, inFlight: inFlight)
        let now = Date()
        var candidates: [DispatchCandidate] = []
        let roles = ready.subtracting(try await store.pausedRoles())
        for role in roles where room.room(role) > 0 {
            candidates += try await store.candidates(role: role, perExport: min(Leader.perExport, room.room(role)), at: now)
        }
        guard !candidates.isEmpty else { return true }
        let (able, shunning) = DispatchRoom.split(candidates, by: workers)
        let forgiven = try await forgive(shunning)
        let loads = try await store.loads()
        let chosen = DispatchPolicy.choose(
            able + forgiven, loads: loads.tenants, exportLoads: loads.exports, room: room, at: now)
        var tickets = try await store.dispatch(chosen.map(\.job), at: now)
        let anyWorker = Set(forgiven.map(\.job))
        for index in tickets.indices where anyWorker.contains(tickets[index].job) { tickets[index].shunned = [] }
        try await queue.send(tickets)
        for ticket in tickets { room.take(JobLane(ticket.kind.role, pool: ticket.pool)) }
        // An export may have more jobs than were looked at.
        if !tickets.isEmpty, roles.contains(where: { room.room($0) > 0 }) { wake.wake() }
        return true
    }

    /// Jobs that every worker has shunned: one that took workers down may try any again; one that no worker has the means for
    /// is the end of its export.
    private func forgive(_ shunning: [DispatchCandidate]) async throws -> [DispatchCandidate] {
        var forgiven: [DispatchCandidate] = []
        for candidate in shunning {
            let attempts = try await store.job(candidate.job, tenant: nil)?.attempts ?? []
            guard let lack = attempts.compactMap(\.failure).last(where: { $0.failureClass == .environment }) else {
                forgiven.append(candidate)
                continue
            }
            let failure = ExportFailure(
                .environment, message: "no worker can do it: \(lack.description)", job: candidate.job)
            try await queue.cancel(try await store.fail(candidate.export, failure))
        }
        return forgiven
    }

    // MARK: Losses

    /// Takes back what workers have been silent about for a lease.
    private func reap() async throws {
        let abandoned = try await queue.takeAbandoned(idle: Leader.lease)
        guard !abandoned.isEmpty else { return }
        logger.warning("taking back \(abandoned.count) jobs whose workers are silent")
        let effects = try await store.lose(abandoned.map(\.identity), at: Date(), luck: Double.random(in: 0...1))
        try await queue.cancel(effects.toCancel)
        wake.wake()
    }

    /// Makes ready again what the database believes in flight and the queue knows nothing of: that is nobody's fault and
    /// counts for nothing. A worker that has it all the same reports it done, and it is done.
    /// - Parameter age: jobs dispatched later than that may still be on their way into the queue.
    private func reconcile(olderThan age: Duration) async throws {
        let inFlight = try await store.inFlight()
        guard !inFlight.isEmpty else { return }
        let held = try await queue.held()
        let now = Date()
        let lost = inFlight.filter { !held.contains($0.id) && now.timeIntervalSince($0.dispatchedAt) >= age.seconds }
        for attempt in lost {
            let report = JobReport(attempt.id, worker: "nobody", .returned)
            _ = try await store.apply(report, at: now, luck: 0)
        }
        if !lost.isEmpty {
            logger.warning("\(lost.count) jobs were no longer in the queue and are ready again")
            wake.wake()
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
