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
///
/// One thing never stops the others: a report, an export or a worker that cannot be dealt with is set aside after three tries
/// (`FailedSteps`), its export fails with the reason, and everything else goes on.
public struct Leader: Sendable {
    /// How long a worker may be silent about a job.
    public static let lease = Duration.seconds(15)

    let store: any FarmStore
    let queue: any CoordinatorQueue
    let planner: ExportPlanner
    private let wake: WakeSignal
    /// Tells the dispatch that there may be jobs to send.
    let dispatching = WakeSignal()
    private let failed = FailedSteps()
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
        let compiling = WakeSignal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    // A call that was missed costs no more than the pause.
                    guard await wake.wait(atMost: .seconds(60)) else { continue }
                    compiling.wake()
                    dispatching.wake()
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await retrying("reports") {
                        if try await applyReports() { compiling.wake() }
                    }
                }
            }
            group.addTask { await compileExports(compiling) }
            group.addTask {
                var round = Round()
                while !Task.isCancelled { await retrying("dispatch") { try await work(&round) } }
            }
        }
    }

    // MARK: Faults

    /// Runs one step. Where it fails, because the database or the queue is away, waits for a second.
    func retrying(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch is CancellationError {
        } catch {
            logger.warning("\(what): \(error); trying again")
            try? await Task.sleep(for: .seconds(1))  // cut short: the callers' loops end by it
        }
    }

    /// Runs a step that is about one thing. A database that is away is thrown on, for then nothing can be done at all; whatever
    /// else goes wrong concerns this one, and after three tries it is set aside.
    /// - Parameter setAside: ends what the step was about, given the reason. Where that fails, too, it is only logged.
    /// - Returns: nil when the step failed.
    @discardableResult
    func isolated<Result>(
        _ subject: FailedSteps.Subject, _ step: () async throws -> Result, setAside: (String) async throws -> Void
    ) async throws -> Result? {
        do {
            let result = try await step()
            failed.forget(subject)
            return result
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as FarmError where error.code == .unavailable {
            throw error
        } catch {
            guard failed.countFailure(of: subject) else {
                logger.warning("\(subject): \(error); trying again")
                return nil
            }
            logger.error("\(subject) is set aside after \(FailedSteps.tries) tries: \(error)")
            do {
                try await setAside("\(error)")
            } catch let error as FarmError where error.code == .unavailable {
                throw error
            } catch {
                logger.error("\(subject) cannot be ended either: \(error)")
            }
            failed.forget(subject)
            return nil
        }
    }

    // MARK: Reports

    /// - Returns: whether there is anything new.
    private func applyReports() async throws -> Bool {
        let deliveries = try await queue.reports(limit: 100, wait: .seconds(5))
        guard !deliveries.isEmpty else { return false }
        var effects = JobEffects()
        for delivery in deliveries {
            let applied = try await isolated(.report(delivery.entry)) {
                try await store.apply(delivery.report, at: Date(), luck: Double.random(in: 0...1))
            } setAside: { reason in
                try await setAside(delivery.report, reason)
                try await queue.acknowledge([delivery])
            }
            guard let applied else { continue }
            effects.merge(applied)
            try await queue.acknowledge([delivery])
        }
        try await queue.cancel(effects.toCancel)
        if effects.hasNews { dispatching.wake() }
        return effects.hasNews
    }

    /// Ends the export of a report that cannot be applied.
    private func setAside(_ report: JobReport, _ reason: String) async throws {
        let job = report.id.job
        guard let export = try await store.exports(ofJobs: [job], tenant: nil)[job] else { return }
        let message = "what worker '\(report.worker)' reported of job \(job) could not be stored: \(reason)"
        try await queue.cancel(try await store.fail(export, ExportFailure(.crash, message: message, job: job)))
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
        let isCalled = await dispatching.wait(atMost: round.pause)
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
        let workers = try await queue.workers()
        if round.notedAt.map({ $0.duration(to: .now) > .seconds(5) }) ?? true {
            try await note(workers)
            round.notedAt = .now
        }
        round.isBusy = try await dispatch(to: workers)
    }

    /// Writes down which workers there are. What one of them says of itself may be refused; the others are noted all the same.
    private func note(_ workers: [WorkerStatus]) async throws {
        do {
            try await store.note(workers)
        } catch let error as FarmError where error.code != .unavailable {
            for worker in workers {
                try await isolated(.worker(worker.id)) {
                    try await store.note([worker])
                } setAside: { _ in
                }
            }
        }
    }

    /// Candidates of one export and role that are looked at in a round.
    private static let perExport = 4

    /// Sends ready jobs as far as there is room, those of all roles ranked together: roles may share the same slots.
    /// - Returns: whether anything is ready or in flight.
    private func dispatch(to workers: [WorkerStatus]) async throws -> Bool {
        let inFlight = try await store.laneLoads()
        let ready = try await store.readyRoles()
        guard !ready.isEmpty else { return inFlight.values.contains { $0.jobs > 0 } }
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
        let long = Set(chosen.filter(\.isLong).map(\.job))
        for ticket in tickets {
            room.take(JobLane(ticket.kind.role, pool: ticket.pool), isLong: long.contains(ticket.job))
        }
        // An export may have more jobs than were looked at.
        if !tickets.isEmpty, roles.contains(where: { room.room($0) > 0 }) { dispatching.wake() }
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
        for ticket in abandoned {
            let effects = try await isolated(.attempt(ticket.job)) {
                try await store.lose([ticket.identity], at: Date(), luck: Double.random(in: 0...1))
            } setAside: { reason in
                try await setAside(JobReport(ticket.identity, worker: "a silent worker", .returned), reason)
            }
            try await queue.cancel(effects?.toCancel ?? [])
        }
        dispatching.wake()
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
            try await isolated(.attempt(attempt.id.job)) {
                _ = try await store.apply(report, at: now, luck: 0)
            } setAside: { reason in
                try await setAside(report, reason)
            }
        }
        if !lost.isEmpty {
            logger.warning("\(lost.count) jobs were no longer in the queue and are ready again")
            dispatching.wake()
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
