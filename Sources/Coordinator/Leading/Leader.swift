import FarmAPI
import ExportPlan
package import JobQueue
package import Logging
package import FoundationEssentials

/// The work of the one leading coordinator: it compiles accepted exports, sends ready jobs to the queue, applies
/// workers' reports, and reclaims jobs whose lease has expired.
///
/// Everything that counts is in the store, and everything it sent is in the queue, so it may die between any two steps.
/// Its scheduler is an index of what the store holds (`DispatchState`), and is built again at any doubt. It leads for one
/// term (`LeadTerm`): when the store says that another coordinator leads, it ends. Times are those of the database's
/// clock, which the term tells. It wakes for reports, for news, and once a second; every five seconds where there is
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
    /// How many seconds a job waits for a worker that has what the workers lacked that tried it.
    let capableWorkerWait: TimeInterval
    let term: LeadTerm
    /// What the scheduler has not been told of yet.
    let news: LeaderNews
    /// Wakes the dispatch when there may be jobs to send.
    let dispatching = WakeSignal()
    let watch: QueueWatch
    let pace = ReportPace()
    /// Is called when the store says that another coordinator leads.
    private let lostLead = WakeSignal()
    let failed = FailedSteps()
    /// What was learned of the times that jobs take.
    let costs = LeaderCosts()
    let logger: Logger

    /// - Parameters:
    ///   - store: the store of the term (`PostgresFarmStore.leading`).
    ///   - capableWorkerWait: how many seconds a job waits for a worker that has the codec, font or plug-in that the workers
    ///     lacked that tried it, before its export fails.
    ///   - term: the term; without it the only leader that there ever is leads, by the clock of this machine.
    ///   - watch: since when the queue has been watched; it begins with the leader.
    package init(
        store: any FarmStore, queue: any CoordinatorQueue, planner: ExportPlanner, news: LeaderNews, logger: Logger,
        capableWorkerWait: TimeInterval = 600,
        term: LeadTerm = LeadTerm(epoch: 0, databaseTime: Date()), watch: QueueWatch = QueueWatch()
    ) {
        self.store = store
        self.term = term
        self.watch = watch
        self.queue = queue
        self.planner = planner
        self.capableWorkerWait = capableWorkerWait
        self.news = news
        self.logger = logger
    }

    /// Leads until the task is cancelled or the lead is lost. Steps that fail are retried.
    package func run() async {
        guard await compareNumbers() else { return }
        let compiling = WakeSignal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    // A missed call does little harm: compiling looks every 5 s and dispatch every 15 s without a call.
                    guard await news.signal.wait(atMost: .seconds(60)) else { continue }
                    compiling.wake()
                    // While all slots have work ahead, the dispatch waits for the next reports.
                    if !pace.isRelaxed { dispatching.wake() }
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await retrying("reports") {
                        if try await applyReports() { compiling.wake() }
                    }
                    try? await Task.sleep(for: pace.current)  // cancelled: the loop's condition ends the loop
                }
            }
            group.addTask { await compileExports(compiling) }
            group.addTask {
                var loop = DispatchLoop()
                while !Task.isCancelled { await retrying("dispatch") { try await work(&loop) } }
            }
            group.addTask { await releaseBatches(compiling) }
            group.addTask { await watchQueue() }
            group.addTask { await keepCosts() }
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
            noteLostAnswer()
            throw error
        } catch {
            guard failed.countFailure(of: subject) else {
                logger.warning("\(subject): \(error); retrying", metadata: subject.ids)
                return nil
            }
            logger.error("\(subject) is set aside after \(FailedSteps.tries) tries: \(error)", metadata: subject.ids)
            do {
                try await setAside("\(error)")
            } catch let error as FarmError where error.concernsAll {
                throw error
            } catch {
                logger.error("\(subject) cannot be set aside either: \(error)", metadata: subject.ids)
            }
            failed.forget(subject)
            return nil
        }
    }

    /// A transaction may have been committed although its answer is lost. What follows from it is not told a second time,
    /// so the scheduler is built again.
    private func noteLostAnswer() { news.noteGap() }

    // MARK: Reports

    /// Takes reports from the queue, applies them and acknowledges them.
    /// - Parameter wait: how long to wait for the first.
    /// - Returns: whether anything may be compiled now that could not before.
    package func applyReports(wait: Duration = .seconds(5)) async throws -> Bool {
        let deliveries = try await queue.reports(limit: Leader.reportsAtOnce, wait: wait)
        pace.noteBatch(isFull: deliveries.count >= Leader.reportsAtOnce)
        guard !deliveries.isEmpty else { return false }
        return try await news.storing {
            let effects: JobEffects
            if let applied = try await together({
                try await store.apply(deliveries.map(\.report), at: term.now(), jitter: Double.random(in: 0...1))
            }) {
                effects = applied
                try await follow(effects)
                try await queue.acknowledge(deliveries)
                // Last of all: what comes once more, because a step failed, is not learned from twice.
                costs.learn(deliveries.map(\.report), at: term.now())
                try await noteLacks(in: deliveries.map(\.report))
            } else {
                effects = try await applyOneByOne(deliveries)
            }
            return effects.hasNews
        }
    }

    /// How many reports are applied in one transaction.
    private static let reportsAtOnce = 500

    /// Does what follows from effects that are stored.
    func follow(_ effects: JobEffects) async throws {
        // First of all, because the queue may be away, and what is stored is not told a second time.
        news.add(effects.changes)
        effects.record()
        for (export, state) in effects.endedExports {
            logger.info(
                "the export has \(state == .cancelled ? "been cancelled" : state.rawValue)", metadata: .ids(export: export))
        }
        if effects.hasNews || !effects.changes.isEmpty { dispatching.wake() }
        try await queue.cancel(effects.toCancel)
    }

    /// Fails an export, and tells the workers that have its jobs.
    func fail(_ export: ExportID, _ failure: ExportFailure) async throws {
        var effects = JobEffects()
        effects.toCancel = try await store.fail(export, failure)
        effects.endedExports[export] = .failed
        logger.warning("the export fails: \(failure.message)", metadata: .ids(export: export, job: failure.job))
        effects.changes.exports = [export]
        try await follow(effects)
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
            try await follow(applied)
            try await queue.acknowledge([delivery])
            costs.learn([delivery.report], at: term.now())
            try await noteLacks(in: [delivery.report])
        }
        return effects
    }

    /// Runs a step that is about many items.
    /// - Returns: nil where one of the items is at fault, or may be: then each has to be tried alone.
    func together<Result>(_ step: () async throws -> Result) async throws -> Result? {
        do {
            return try await step()
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as FarmError where error.concernsAll {
            noteLostAnswer()
            throw error
        } catch {
            logger.warning("a batch cannot be stored as one: \(error)")
            return nil
        }
    }

    /// Fails the export of a job of which something cannot be stored.
    func setAside(_ job: Int64, _ message: String) async throws {
        guard let export = try await store.exports(ofJobs: [job], tenant: nil)[job] else { return }
        try await fail(export, ExportFailure(.crash, message: message, job: job))
    }
}
