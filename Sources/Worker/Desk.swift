import ArtifactStore
import ExportPlan
import JobQueue
import Logging
import RenderMessages
import RenderingProcesses

/// Between the queue and the slots: deliveries wait here for a slot, running jobs are watched here, and every end is reported
/// from here.
actor Desk: JobFeed {
    private let configuration: WorkerConfiguration
    private let queue: any WorkerQueue
    private let logger: Logger
    private let locator: SourceLocator
    private let shelf: ArtifactShelf
    private var waiting: [JobDelivery] = []
    private var running: [AttemptID: RunningJob] = [:]
    private var idleSlots: [CheckedContinuation<Void, Never>] = []
    private var freeWaiters: [CheckedContinuation<Void, Never>] = []
    private(set) var isDraining = false
    /// Whether it is too late even for running jobs.
    private var isClosed = false

    init(_ configuration: WorkerConfiguration, _ queue: any WorkerQueue, _ logger: Logger) {
        self.configuration = configuration
        self.queue = queue
        self.logger = logger
        locator = SourceLocator(
            directory: configuration.directory, allowedDirectories: configuration.allowedDirectories)
        shelf = ArtifactShelf(configuration.directory)
    }

    // MARK: From the queue

    /// Slots without a job; waits until there is one.
    /// - Returns: 0 when no more jobs are wanted.
    func freeSlots() async -> Int {
        while !isDraining, waiting.count + running.count >= configuration.slots {
            await withCheckedContinuation { freeWaiters.append($0) }
        }
        return isDraining ? 0 : configuration.slots - waiting.count - running.count
    }

    func accept(_ deliveries: [JobDelivery]) async {
        for delivery in deliveries {
            if isDraining {
                await report(.returned, of: delivery, finishing: true)
            } else {
                waiting.append(delivery)
            }
        }
        wakeSlots()
    }

    // MARK: JobFeed

    func next() async -> Assignment<JobDelivery>? {
        while !Task.isCancelled, !isClosed {
            while !waiting.isEmpty {
                let delivery = waiting.removeFirst()
                running[delivery.ticket.identity] = RunningJob(delivery)
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
            if ticket.kind != .probe, let warnings = try await shelf.warnings(ofStored: ticket.key, tenant: ticket.tenant) {
                await report(.finished(result: JobResult(warnings: warnings), reused: true), of: delivery, finishing: true)
                return nil
            }
            let work = try ticket.work.resolvingPaths { try locator.path(of: $0, tenant: ticket.tenant) }
            let store = configuration.directory.artifacts(ofTenant: ticket.tenant)
            return Assignment(delivery, RenderOrder(work, store: store, renderer: ticket.renderer))
        } catch let error as any ClassifiedError {
            await report(.failed(failure: JobFailure(error)), of: delivery, finishing: true)
        } catch {
            let failure = JobFailure(.crash, subject: "", message: "unexpected error: \(error)")
            await report(.failed(failure: failure), of: delivery, finishing: true)
        }
        return nil
    }

    func started(_ delivery: JobDelivery, stop: @escaping @Sendable () -> Void) {
        running[delivery.ticket.identity]?.kill = stop
        // Stopped before the process had it.
        if running[delivery.ticket.identity]?.stopReason != nil || isClosed { stop() }
    }

    func progress(_ delivery: JobDelivery, done: Int) {
        running[delivery.ticket.identity]?.progress(done)
    }

    func ended(_ delivery: JobDelivery, _ outcome: JobOutcome, log: String) async {
        let job = running[delivery.ticket.identity]
        let report: JobReport.Outcome =
            switch outcome {
            case .finished(let result): .finished(result: result, reused: false)
            case .failed(let failure): .failed(failure: failure)
            case .died(let reason): job?.outcome(ofDeath: reason) ?? .returned
            }
        if case .failed(let failure) = report {
            logger.warning("job \(delivery.ticket.job), attempt \(delivery.ticket.attempt): \(failure.description)")
        }
        await self.report(report, of: delivery, finishing: true, log: log)
        finish(delivery)
    }

    private func finish(_ delivery: JobDelivery) {
        running[delivery.ticket.identity] = nil
        let waiters = freeWaiters
        freeWaiters = []
        for waiter in waiters { waiter.resume() }
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
        let waiters = freeWaiters
        freeWaiters = []
        for waiter in waiters { waiter.resume() }
        for delivery in returned { await report(.returned, of: delivery, finishing: true) }
    }

    /// Stops what still runs and hands it back.
    func giveBack() {
        for id in running.keys { running[id]?.stop(.drained) }
    }

    /// Nothing is reported any more.
    func close() {
        isClosed = true
        for id in running.keys { running[id]?.stop(.drained) }
        wakeSlots()
    }

    var isIdle: Bool { running.isEmpty && waiting.isEmpty }

    private func wakeSlots() {
        let sleepers = idleSlots
        idleSlots = []
        for sleeper in sleepers { sleeper.resume() }
    }
}
