import ArtifactStore
import ExportPlan
import JobQueue
import Logging
import RenderMessages
import RenderingProcesses

/// Between the queue and the slots: deliveries wait here for a slot, running jobs are watched here, and every end is reported
/// from here.
///
/// While the store is away nothing is taken: `pausedFor` says why, and what waits goes back.
actor Desk: JobFeed {
    private let configuration: WorkerConfiguration
    private let queue: any WorkerQueue
    private let logger: Logger
    private let shelf: ArtifactShelf
    /// Nobody has said yet whether the store is there.
    private static let notLooked = "it has not looked at its store yet"
    private var waiting: [JobDelivery] = []
    private var running: [AttemptID: RunningJob] = [:]
    /// Deliveries on their way back to the queue.
    private var returning = 0
    private var idleSlots: [CheckedContinuation<Void, Never>] = []
    private var freeWaiters: [CheckedContinuation<Void, Never>] = []
    private(set) var isDraining = false
    /// Whether it is too late even for running jobs.
    private var isClosed = false
    private var closeWaiters: [CheckedContinuation<Void, Never>] = []
    /// Why no jobs are taken; nil while they are.
    private(set) var pausedFor: String?
    /// Whether a job has ended well since storage last made one fail, and whether one had before that.
    private var storageHasServed = true
    private(set) var storageServedBefore = true
    /// Called when storage has made a job fail.
    nonisolated let storageTrouble = WakeSignal()

    init(_ configuration: WorkerConfiguration, _ queue: any WorkerQueue, _ logger: Logger) {
        self.configuration = configuration
        self.queue = queue
        self.logger = logger
        shelf = ArtifactShelf(
            configuration.directory, allowedDirectories: configuration.allowedDirectories,
            owner: configuration.renderUser)
        pausedFor = Desk.notLooked
    }

    // MARK: From the queue

    /// Slots without a job; waits until there is one and jobs are taken.
    /// - Returns: 0 when no more jobs are wanted.
    func freeSlots() async -> Int {
        while !isDraining, !isClosed, pausedFor != nil || waiting.count + running.count >= configuration.slots {
            await withCheckedContinuation { freeWaiters.append($0) }
        }
        return isDraining || isClosed ? 0 : configuration.slots - waiting.count - running.count
    }

    func accept(_ deliveries: [JobDelivery]) async {
        if isDraining || isClosed || pausedFor != nil { return await giveBack(deliveries) }
        waiting += deliveries
        wakeSlots()
    }

    private func giveBack(_ deliveries: [JobDelivery]) async {
        returning += deliveries.count
        for delivery in deliveries {
            await report(.returned, of: delivery, finishing: true)
            returning -= 1
        }
    }

    // MARK: JobFeed

    func next() async -> Assignment<JobDelivery>? {
        while !Task.isCancelled, !isClosed {
            while !waiting.isEmpty {
                let delivery = waiting.removeFirst()
                running[delivery.ticket.identity] = RunningJob(delivery, patience: configuration.patience)
                if let assignment = await begin(delivery) { return assignment }
                finish(delivery)
            }
            if isDraining { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { idleSlots.append($0) }
            } onCancel: {
                Task { await self.wakeSlots() }  // only wakes the sleepers, who look at their own cancellation
            }
        }
        return nil
    }

    /// Whatever can be settled without a process is: an artifact that is there, a source that is not, a shunned worker.
    /// - Returns: nil when that was all.
    private func begin(_ delivery: JobDelivery) async -> Assignment<JobDelivery>? {
        let ticket = delivery.ticket
        if ticket.shunned.contains(configuration.id) {
            // Not at once, or this worker would get it again before another one looks.
            try? await Task.sleep(for: .milliseconds(500))  // cut short: it goes back sooner
            await report(.returned, of: delivery, finishing: true)
            return nil
        }
        await report(.started, of: delivery, finishing: false)
        do {
            let warnings = try await orAbandon { [shelf] () -> [SourceWarning]? in
                try await shelf.prepare(tenant: ticket.tenant)
                guard ticket.kind != .probe else { return nil }
                return try await shelf.warnings(ofStored: ticket.key, tenant: ticket.tenant)
            }
            if let warnings {
                await report(.finished(result: JobResult(warnings: warnings), reused: true), of: delivery, finishing: true)
                return nil
            }
            let directory = configuration.directory
            let order = RenderOrder(
                try await orAbandon { [shelf] in try await shelf.work(of: ticket) },
                store: directory.artifacts(ofTenant: ticket.tenant),
                renderer: ticket.renderer, marker: directory.marker.file)
            return Assignment(delivery, order)
        } catch let error as any ClassifiedError {
            await fail(delivery, JobFailure(error))
        } catch is CancellationError {
            // The worker ends; the job's lease brings it back.
        } catch {
            await fail(delivery, JobFailure(.crash, subject: "", message: "unexpected error: \(error)"))
        }
        return nil
    }

    func started(_ delivery: JobDelivery, stop: @escaping @Sendable () -> Void) {
        running[delivery.ticket.identity]?.start(kill: stop)
        // Stopped before the process had it.
        if running[delivery.ticket.identity]?.stopReason != nil || isClosed { stop() }
    }

    func progress(_ delivery: JobDelivery, done: Int) {
        running[delivery.ticket.identity]?.progress(done)
    }

    func ended(_ delivery: JobDelivery, _ outcome: JobOutcome, log: String) async {
        let job = running[delivery.ticket.identity]
        running[delivery.ticket.identity]?.end()
        switch outcome {
        case .finished(let result):
            let missing = try? await orAbandon { [shelf] in await shelf.fault(of: result, delivery.ticket) }
            if let failure = missing ?? nil {
                await fail(delivery, failure, log: log)
                break
            }
            storageHasServed = true
            await report(.finished(result: result, reused: false), of: delivery, finishing: true, log: log)
        case .failed(let failure):
            let judged = try? await orAbandon { [shelf] in await shelf.judged(failure, of: delivery.ticket) }
            await fail(delivery, judged ?? failure, log: log)  // cancelled: nobody is told in any case
        case .died(let reason):
            let outcome = job?.outcome(ofDeath: reason) ?? .returned
            if case .failed(let failure) = outcome {
                await fail(delivery, failure, log: log)
            } else {
                await report(outcome, of: delivery, finishing: true, log: log)
            }
        }
        finish(delivery)
    }

    private func fail(_ delivery: JobDelivery, _ failure: JobFailure, log: String = "") async {
        let ticket = delivery.ticket
        logger.warning("job \(ticket.job), attempt \(ticket.attempt): \(failure.description)")
        if failure.failureClass == .storage { await pause(failure.description) }
        await report(.failed(failure: failure), of: delivery, finishing: true, log: log)
        if failure.failureClass == .storage { storageTrouble.wake() }
    }

    private func finish(_ delivery: JobDelivery) {
        running[delivery.ticket.identity] = nil
        wakeFreeWaiters()
    }

    /// Says it until it is heard: a result that is not reported would be rendered again.
    private func report(
        _ outcome: JobReport.Outcome, of delivery: JobDelivery, finishing: Bool, log: String = ""
    ) async {
        let report = JobReport(delivery.ticket.identity, worker: configuration.id, outcome, log: log)
        while true {
            do {
                return try await queue.report(report, finishing: finishing ? delivery : nil)
            } catch {
                // The start is only news; the end matters.
                guard finishing, !isClosed, !Task.isCancelled else { return }
                logger.warning("cannot report job \(delivery.ticket.job): \(error); trying again")
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    // MARK: The store

    /// Takes no jobs until `resume`; what waits goes back and counts for nothing.
    func pause(_ reason: String) async {
        if pausedFor != reason { logger.warning("taking no jobs: \(reason)") }
        if pausedFor == nil {
            storageServedBefore = storageHasServed
            storageHasServed = false
        }
        pausedFor = reason
        let returned = waiting
        waiting = []
        await giveBack(returned)
    }

    /// Takes jobs again.
    func resume() {
        guard pausedFor != nil else { return }
        if pausedFor != Desk.notLooked { logger.info("taking jobs again: the store is there and can be written") }
        pausedFor = nil
        wakeFreeWaiters()
    }

    // MARK: Watching

    /// What the slots do; jobs that hang are stopped on the way.
    func look(at now: ContinuousClock.Instant = .now) -> [WorkerStatus.Running] {
        for (id, job) in running where job.isHung(at: now) { running[id]?.stop(.hung) }
        return running.values.map(\.status).sorted { $0.job < $1.job }
    }

    /// Deliveries whose lease goes on: those that wait, and those that get on.
    func alive(at now: ContinuousClock.Instant = .now) -> [JobDelivery] {
        waiting + running.values.filter { !$0.isHung(at: now) }.map(\.delivery)
    }

    func stop(_ attempts: Set<AttemptID>) {
        for id in attempts { running[id]?.stop(.cancelled) }
    }

    // MARK: The end

    /// Takes nothing new; what waits goes back.
    func drain() async {
        isDraining = true
        let returned = waiting
        waiting = []
        wakeSlots()
        wakeFreeWaiters()
        await giveBack(returned)
    }

    /// Stops what still runs and hands it back.
    func stopRunning() {
        for id in running.keys { running[id]?.stop(.drained) }
    }

    /// Nothing is reported any more: what the queue has not heard, the leases bring back.
    func close() {
        isClosed = true
        if !isIdle { logger.warning("ending with \(running.count) jobs that the queue was not told of; others get them") }
        stopRunning()
        wakeSlots()
        wakeFreeWaiters()
        wakeCloseWaiters()
    }

    /// Waits for `close`, or for the task to be cancelled.
    func untilClosed() async {
        while !isClosed, !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { closeWaiters.append($0) }
            } onCancel: {
                Task { await self.wakeCloseWaiters() }  // only wakes the sleepers, who look at their own cancellation
            }
        }
    }

    var isOver: Bool { isClosed }

    var isIdle: Bool { running.isEmpty && waiting.isEmpty && returning == 0 }

    private func wakeSlots() {
        let sleepers = idleSlots
        idleSlots = []
        for sleeper in sleepers { sleeper.resume() }
    }

    private func wakeFreeWaiters() {
        let waiters = freeWaiters
        freeWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func wakeCloseWaiters() {
        let waiters = closeWaiters
        closeWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
