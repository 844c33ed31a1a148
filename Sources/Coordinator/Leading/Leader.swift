import FarmAPI
import ExportPlan
package import JobQueue
package import Logging
import FoundationEssentials

/// The work of the one leading coordinator: it compiles accepted exports, sends ready jobs to the queue, applies
/// workers' reports, and reclaims jobs whose lease has expired.
///
/// It keeps no state of its own: everything it knows is in the store, and everything it sent is in the queue, so it may
/// die between any two steps. It leads for one term (`LeadTerm`): when the store says that another coordinator leads, it
/// ends. Times are those of the database's clock, which the term tells. It wakes for reports, for `wake`, and once a second; every five seconds where there is
/// nothing to do.
///
/// One item never stops the others. A report, an export or a worker's status that fails three times is set aside
/// (`FailedSteps`), its export fails with the reason, and everything else goes on.
package struct Leader: Sendable {
    /// How long a worker may be silent about a job before others get it.
    package static let lease = Duration.seconds(15)

    let store: any FarmStore
    let queue: any CoordinatorQueue
    let planner: ExportPlanner
    let term: LeadTerm
    private let wake: WakeSignal
    /// Wakes the dispatch when there may be jobs to send.
    let dispatching = WakeSignal()
    let watch: QueueWatch
    /// Is called when the store says that another coordinator leads.
    private let lostLead = WakeSignal()
    private let failed = FailedSteps()
    let logger: Logger

    /// - Parameters:
    ///   - store: the store of the term (`PostgresFarmStore.leading`).
    ///   - term: the term; without it the only leader that there ever is leads, by the clock of this machine.
    ///   - watch: since when the queue has been watched; it begins with the leader.
    package init(
        store: any FarmStore, queue: any CoordinatorQueue, planner: ExportPlanner, wake: WakeSignal, logger: Logger,
        term: LeadTerm = LeadTerm(epoch: 0, databaseTime: Date()), watch: QueueWatch = QueueWatch()
    ) {
        self.store = store
        self.term = term
        self.watch = watch
        self.queue = queue
        self.planner = planner
        self.wake = wake
        self.logger = logger
    }

    /// Leads until the task is cancelled or the lead is lost. Steps that fail are retried.
    package func run() async {
        let compiling = WakeSignal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    // A missed call does little harm: compiling looks every 5 s and dispatch every 15 s without a call.
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
                var state = LoopState()
                while !Task.isCancelled { await retrying("dispatch") { try await work(&state) } }
            }
            group.addTask { await watchQueue() }
            group.addTask {
                while !Task.isCancelled {
                    if await lostLead.wait(atMost: .seconds(60)) { return }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Faults

    /// Runs one step. Where the step fails, because the database or the queue is away, logs the error and waits for a
    /// second.
    func retrying(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch is CancellationError {
        } catch let error as FarmError where error.code == .lostLead {
            if !Task.isCancelled { logger.warning("\(what): \(error)") }
            lostLead.wake()
            try? await Task.sleep(for: .seconds(1))  // the leader's tasks are cancelled meanwhile
        } catch {
            logger.warning("\(what): \(error); retrying")
            try? await Task.sleep(for: .seconds(1))  // cancelled: the callers' loops end then
        }
    }

    /// Runs a step that is about one item. The error of an unavailable database or a lost lead is rethrown, because
    /// nothing can be done then. Any other error concerns only this item, which is set aside after three failures.
    /// - Parameter setAside: ends what the step was about, given the reason. Where that fails, too, it is only logged.
    /// - Returns: the step's result; nil when the step failed.
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
        } catch let error as FarmError where error.concernsAll {
            throw error
        } catch {
            guard failed.countFailure(of: subject) else {
                logger.warning("\(subject): \(error); retrying")
                return nil
            }
            logger.error("\(subject) is set aside after \(FailedSteps.tries) tries: \(error)")
            do {
                try await setAside("\(error)")
            } catch let error as FarmError where error.concernsAll {
                throw error
            } catch {
                logger.error("\(subject) cannot be set aside either: \(error)")
            }
            failed.forget(subject)
            return nil
        }
    }

    // MARK: Reports

    /// Takes reports from the queue, applies them and acknowledges them.
    /// - Returns: whether anything may be dispatched or compiled now that could not before.
    private func applyReports() async throws -> Bool {
        let deliveries = try await queue.reports(limit: 100, wait: .seconds(5))
        guard !deliveries.isEmpty else { return false }
        let effects: JobEffects
        if let applied = try await together({
            try await store.apply(deliveries.map(\.report), at: term.now(), jitter: Double.random(in: 0...1))
        }) {
            effects = applied
            try await queue.acknowledge(deliveries)
        } else {
            effects = try await applyOneByOne(deliveries)
        }
        try await queue.cancel(effects.toCancel)
        if effects.hasNews { dispatching.wake() }
        return effects.hasNews
    }

    /// Applies each report in a transaction of its own, so that one that cannot be stored does not hold up the others.
    private func applyOneByOne(_ deliveries: [ReportDelivery]) async throws -> JobEffects {
        var effects = JobEffects()
        for delivery in deliveries {
            let applied = try await isolated(.report(delivery.entry)) {
                try await store.apply(delivery.report, at: term.now(), jitter: Double.random(in: 0...1))
            } setAside: { reason in
                let (worker, job) = (delivery.report.worker, delivery.report.id.job)
                try await setAside(job, "the report of worker '\(worker)' on job \(job) could not be stored: \(reason)")
                try await queue.acknowledge([delivery])
            }
            guard let applied else { continue }
            effects.merge(applied)
            try await queue.acknowledge([delivery])
        }
        return effects
    }

    /// Runs a step that is about many items.
    /// - Returns: nil where one of the items is at fault, or may be: then each has to be tried alone.
    func together(_ step: () async throws -> JobEffects) async throws -> JobEffects? {
        do {
            return try await step()
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as FarmError where error.concernsAll {
            throw error
        } catch {
            logger.warning("a batch cannot be stored as one: \(error)")
            return nil
        }
    }

    /// Fails the export of a job of which something cannot be stored.
    func setAside(_ job: Int64, _ message: String) async throws {
        guard let export = try await store.exports(ofJobs: [job], tenant: nil)[job] else { return }
        try await queue.cancel(try await store.fail(export, ExportFailure(.crash, message: message, job: job)))
    }

    // MARK: Dispatch

    /// What the dispatch loop remembers from one pass to the next.
    private struct LoopState {
        var count = 0
        /// Whether anything was ready or in flight in the last pass.
        var isBusy = true
        /// The farm's id, once it is known.
        var farm: String?
        /// When the list of workers was last stored.
        var notedAt: ContinuousClock.Instant?

        /// When a worker last took no jobs because of its store.
        var pausedAt: ContinuousClock.Instant?

        /// Workers do not call when they take jobs again, and jobs that storage made fail are due within a fraction of a second.
        private var expectsChange: Bool { pausedAt.map { $0.duration(to: .now) < .seconds(10) } ?? false }

        var pause: Duration { !isBusy ? .seconds(5) : expectsChange ? .milliseconds(250) : .seconds(1) }
    }

    private func work(_ state: inout LoopState) async throws {
        let isCalled = await dispatching.wait(atMost: state.pause)
        try Task.checkCancellation()
        term.noteProgress()
        state.count += 1
        // A leader that was stopped must not touch the queue either.
        try await store.confirmLead()
        if try await queue.prepare(pools: ["default"]) {
            logger.info("the queue is new or was lost: comparing it with the database")
            try await reconcile(olderThan: .zero)
            state.isBusy = true
        }
        if state.isBusy, state.count % 5 == 0 {
            try await reclaimExpired()
            try await withdrawUnread()
        }
        if state.isBusy, state.count % 30 == 0 { try await reconcile(olderThan: .seconds(10)) }
        // An idle loop looks at the database only every third pass, because every change in the database wakes it.
        guard isCalled || state.isBusy || state.count % 3 == 0 else { return }
        let workers = try await queue.workers()
        if state.notedAt.map({ $0.duration(to: .now) > .seconds(5) }) ?? true {
            try await note(workers)
            state.notedAt = .now
        }
        if workers.contains(where: { $0.pausedFor != nil }) { state.pausedAt = .now }
        if state.farm == nil { state.farm = try await store.farm() }
        state.isBusy = try await dispatch(to: workers, of: state.farm)
    }

    /// Stores which workers there are. Where the database refuses the status of one worker, the others are stored all
    /// the same.
    private func note(_ workers: [WorkerStatus]) async throws {
        do {
            try await store.note(workers)
        } catch let error as FarmError where !error.concernsAll {
            for worker in workers {
                try await isolated(.worker(worker.id)) {
                    try await store.note([worker])
                } setAside: { _ in
                }
            }
        }
    }

    /// How many candidates of one export and role are considered in a pass.
    private static let perExport = 4

    /// Sends ready jobs as far as there is room. The jobs of all roles are ranked together, because roles may share
    /// slots.
    /// - Returns: whether anything is ready or in flight.
    private func dispatch(to workers: [WorkerStatus], of farm: String?) async throws -> Bool {
        let inFlight = try await store.laneLoads()
        let ready = try await store.readyRoles()
        guard !ready.isEmpty else { return inFlight.values.contains { $0.jobs > 0 } }
        var room = DispatchRoom(workers, inFlight: inFlight)
        let now = term.now()
        var candidates: [DispatchCandidate] = []
        let roles = ready.subtracting(try await store.pausedRoles())
        for role in roles where room.room(role) > 0 {
            candidates += try await store.candidates(role: role, perExport: min(Leader.perExport, room.room(role)), at: now)
        }
        guard !candidates.isEmpty else { return true }
        let (able, excluding) = DispatchRoom.split(candidates, by: workers)
        let readmitted = try await readmit(excluding)
        term.noteProgress()
        let loads = try await store.loads()
        let admitted = DispatchPolicy.choose(
            able + readmitted, loads: loads.tenants, exportLoads: loads.exports, room: room, at: now)
        let (chosen, named) = try await address(admitted, besides: Set(readmitted.map(\.job)), to: workers)
        var tickets = try await store.dispatch(chosen.map(\.job), at: now)
        for index in tickets.indices {
            tickets[index].farm = farm
            tickets[index].worker = named[tickets[index].job]
        }
        try await queue.send(tickets)
        let long = Set(chosen.filter(\.isLong).map(\.job))
        for ticket in tickets {
            room.take(JobLane(ticket.kind.role, pool: ticket.pool), isLong: long.contains(ticket.job))
        }
        // An export may have more ready jobs than were considered.
        if !tickets.isEmpty, roles.contains(where: { room.room($0) > 0 }) { dispatching.wake() }
        return true
    }

    /// Names a worker for each job with excluded workers. A job for which no worker has a free slot waits for the next
    /// pass.
    /// - Parameter readmitted: re-admitted jobs, which any worker may take again.
    private func address(
        _ candidates: [DispatchCandidate], besides readmitted: Set<Int64>, to workers: [WorkerStatus]
    ) async throws -> (chosen: [DispatchCandidate], workers: [Int64: String]) {
        let bound = Set(candidates.filter { !$0.excludedWorkers.isEmpty && !readmitted.contains($0.job) }.map(\.job))
        guard !bound.isEmpty else { return (candidates, [:]) }
        var slots = FreeSlots(workers, running: try await store.runningJobs())
        var chosen: [DispatchCandidate] = []
        var named: [Int64: String] = [:]
        for candidate in candidates {
            if bound.contains(candidate.job) {
                guard let worker = slots.take(for: candidate) else { continue }
                named[candidate.job] = worker
            }
            chosen.append(candidate)
        }
        return (chosen, named)
    }

    /// Handles jobs for which every worker is excluded. A job that took workers down may go to any worker again. Where
    /// a worker lacked what the job needs (class `environment`), no worker can do it, and its export fails.
    /// - Returns: the jobs that any worker may take again.
    private func readmit(_ excluding: [DispatchCandidate]) async throws -> [DispatchCandidate] {
        var readmitted: [DispatchCandidate] = []
        for candidate in excluding {
            term.noteProgress()
            let attempts = try await store.job(candidate.job, tenant: nil)?.attempts ?? []
            guard let lack = attempts.compactMap(\.failure).last(where: { $0.failureClass == .environment }) else {
                readmitted.append(candidate)
                continue
            }
            let failure = ExportFailure(
                .environment, message: "no worker can do the job: \(lack.description)", job: candidate.job)
            try await queue.cancel(try await store.fail(candidate.export, failure))
        }
        return readmitted
    }
}
