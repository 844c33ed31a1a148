import FarmAPI
import ExportPlan
package import JobQueue
package import Logging
import FoundationEssentials

/// The work of the one leading coordinator: it compiles accepted exports, sends ready jobs to the queue, applies
/// workers' reports, and reclaims jobs whose lease has expired.
///
/// It keeps no state of its own: everything it knows is in the store, and everything it sent is in the queue, so it may
/// die between any two steps. It wakes for reports, for `wake`, and once a second; every five seconds where there is
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
    private let wake: WakeSignal
    /// Wakes the dispatch when there may be jobs to send.
    let dispatching = WakeSignal()
    private let failed = FailedSteps()
    private let logger: Logger

    package init(
        store: any FarmStore, queue: any CoordinatorQueue, planner: ExportPlanner, wake: WakeSignal, logger: Logger
    ) {
        self.store = store
        self.queue = queue
        self.planner = planner
        self.wake = wake
        self.logger = logger
    }

    /// Leads until the task is cancelled. Steps that fail are retried.
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
        }
    }

    // MARK: Faults

    /// Runs one step. Where the step fails, because the database or the queue is away, logs the error and waits for a
    /// second.
    func retrying(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch is CancellationError {
        } catch {
            logger.warning("\(what): \(error); retrying")
            try? await Task.sleep(for: .seconds(1))  // cancelled: the callers' loops end then
        }
    }

    /// Runs a step that is about one item. The error of an unavailable database is rethrown, because nothing can be
    /// done then. Any other error concerns only this item, which is set aside after three failures.
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
        } catch let error as FarmError where error.code == .unavailable {
            throw error
        } catch {
            guard failed.countFailure(of: subject) else {
                logger.warning("\(subject): \(error); retrying")
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

    /// Takes reports from the queue, applies them and acknowledges them.
    /// - Returns: whether anything may be dispatched or compiled now that could not before.
    private func applyReports() async throws -> Bool {
        let deliveries = try await queue.reports(limit: 100, wait: .seconds(5))
        guard !deliveries.isEmpty else { return false }
        let effects: JobEffects
        if let applied = try await together({
            try await store.apply(deliveries.map(\.report), at: Date(), jitter: Double.random(in: 0...1))
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
                try await store.apply(delivery.report, at: Date(), jitter: Double.random(in: 0...1))
            } setAside: { reason in
                try await setAside(delivery.report, reason)
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
    private func together(_ step: () async throws -> JobEffects) async throws -> JobEffects? {
        do {
            return try await step()
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as FarmError where error.code == .unavailable {
            throw error
        } catch {
            logger.warning("a batch cannot be stored as one: \(error)")
            return nil
        }
    }

    /// Fails the export of a report that cannot be applied.
    private func setAside(_ report: JobReport, _ reason: String) async throws {
        let job = report.id.job
        guard let export = try await store.exports(ofJobs: [job], tenant: nil)[job] else { return }
        let message = "what worker '\(report.worker)' reported of job \(job) could not be stored: \(reason)"
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
        state.count += 1
        if try await queue.prepare(pools: ["default"]) {
            logger.info("the queue is new or was lost: comparing it with the database")
            try await reconcile(olderThan: .zero)
            state.isBusy = true
        }
        if state.isBusy, state.count % 5 == 0 { try await reclaimExpired() }
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
        } catch let error as FarmError where error.code != .unavailable {
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
        let now = Date()
        var candidates: [DispatchCandidate] = []
        let roles = ready.subtracting(try await store.pausedRoles())
        for role in roles where room.room(role) > 0 {
            candidates += try await store.candidates(role: role, perExport: min(Leader.perExport, room.room(role)), at: now)
        }
        guard !candidates.isEmpty else { return true }
        let (able, excluding) = DispatchRoom.split(candidates, by: workers)
        let readmitted = try await readmit(excluding)
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
            let attempts = try await store.job(candidate.job, tenant: nil)?.attempts ?? []
            guard let lack = attempts.compactMap(\.failure).last(where: { $0.failureClass == .environment }) else {
                readmitted.append(candidate)
                continue
            }
            let failure = ExportFailure(
                .environment, message: "no worker can do it: \(lack.description)", job: candidate.job)
            try await queue.cancel(try await store.fail(candidate.export, failure))
        }
        return readmitted
    }

    // MARK: Expired leases

    /// Reclaims jobs whose lease has expired.
    private func reclaimExpired() async throws {
        let expired = try await queue.reclaimExpired(idle: Leader.lease)
        guard !expired.isEmpty else { return }
        logger.warning("taking back \(expired.count) jobs whose workers are silent")
        let now = Date()
        if let effects = try await together({
            try await store.expireLeases(expired.map(\.identity), at: now, jitter: Double.random(in: 0...1))
        }) {
            try await queue.cancel(effects.toCancel)
            return dispatching.wake()
        }
        for ticket in expired {
            let effects = try await isolated(.attempt(ticket.job)) {
                try await store.expireLeases([ticket.identity], at: Date(), jitter: Double.random(in: 0...1))
            } setAside: { reason in
                try await setAside(JobReport(ticket.identity, worker: "a silent worker", .returned), reason)
            }
            try await queue.cancel(effects?.toCancel ?? [])
        }
        dispatching.wake()
    }

    /// Makes ready again the jobs that the database believes in flight and the queue does not hold. That is no failure
    /// of these jobs, so it does not count against the retry limits. A worker that has such a job all the same reports
    /// it done, and then it is done.
    /// - Parameter age: jobs that were dispatched less than this ago are left out, because their tickets may still be
    ///   on their way into the queue.
    private func reconcile(olderThan age: Duration) async throws {
        let inFlight = try await store.inFlight()
        guard !inFlight.isEmpty else { return }
        let held = try await queue.held()
        let now = Date()
        let lost = inFlight.filter { !held.contains($0.id) && now.timeIntervalSince($0.dispatchedAt) >= age.seconds }
        guard !lost.isEmpty else { return }
        let reports = lost.map { JobReport($0.id, worker: "nobody", .returned) }
        let isStored = try await together { try await store.apply(reports, at: now, jitter: 0) } != nil
        for (attempt, report) in zip(lost, reports) where !isStored {
            try await isolated(.attempt(attempt.id.job)) {
                _ = try await store.apply(report, at: now, jitter: 0)
            } setAside: { reason in
                try await setAside(report, reason)
            }
        }
        logger.warning("\(lost.count) jobs were no longer in the queue and are ready again")
        dispatching.wake()
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
