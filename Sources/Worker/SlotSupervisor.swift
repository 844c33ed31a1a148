import FarmAPI
import ArtifactStore
import ContentHashing
import ExportPlan
import JobQueue
import Logging
import RenderingProcesses

/// Supervises a worker's slots, between them and the queue: deliveries wait here for a slot, running jobs are watched
/// here, and the end of every job is reported from here.
///
/// While the store is away, no jobs are taken: `pausedFor` says why, and waiting deliveries are returned to the queue.
actor SlotSupervisor: JobFeed {
    private let configuration: WorkerConfiguration
    private let queue: any WorkerQueue
    private let logger: Logger
    private let assets = AssetVerifier()
    /// Nil where the store's files are this machine's own.
    private let files: JobFiles?
    /// Artifact lookups that no job uses, and those of running jobs.
    private var freeLookups: [ArtifactLookup] = []
    private var lookups: [AttemptID: ArtifactLookup] = [:]
    /// The reason to pause before the store has been checked for the first time.
    private static let notChecked = "it has not checked its store yet"
    private var slots: SlotAllocation
    private var running: [AttemptID: RunningJob] = [:]
    /// How many artifacts are published while their slots do other jobs.
    private var uploading = 0
    /// How many deliveries are on their way back to the queue.
    private var returning = 0
    private var idleSlots: [CheckedContinuation<Void, Never>] = []
    private var freeWaiters: [CheckedContinuation<Void, Never>] = []
    private(set) var isDraining = false
    /// Whether the worker ends at once, without waiting for running jobs.
    private var isClosed = false
    private var closeWaiters: [CheckedContinuation<Void, Never>] = []
    /// Why no jobs are taken; nil while jobs are taken.
    private(set) var pausedFor: String?
    /// The id of the farm that the jobs belong to; nil before the first job.
    private(set) var farm: String?
    /// Whether a job has succeeded since storage last made one fail, and whether one had succeeded before that failure.
    private var storageHasServed = true
    private(set) var storageServedBefore = true
    /// Called when the worker begins or ceases to take jobs.
    nonisolated let statusChange = WakeSignal()
    /// Called when storage has made a job fail.
    nonisolated let storageFailed = WakeSignal()

    init(_ configuration: WorkerConfiguration, _ queue: any WorkerQueue, _ logger: Logger) {
        self.configuration = configuration
        self.queue = queue
        self.logger = logger
        files = configuration.mirror.map { JobFiles($0) }
        slots = SlotAllocation(configuration.capacity)
        pausedFor = SlotSupervisor.notChecked
    }

    // MARK: From the queue

    /// The number of slots without a job. Waits until there is one and jobs are taken.
    /// - Returns: 0 when no more jobs are wanted.
    func freeSlots() async -> Int {
        while !isDraining, !isClosed, pausedFor != nil || slots.free == 0 {
            await withCheckedContinuation { freeWaiters.append($0) }
        }
        return isDraining || isClosed ? 0 : slots.free
    }

    func accept(_ deliveries: [JobDelivery]) async {
        if isDraining || isClosed || pausedFor != nil { return await finish(deliveries, .returned) }
        slots.wait(deliveries)
        wakeSlots()
    }

    /// Ends deliveries whose jobs have not begun.
    private func finish(_ deliveries: [JobDelivery], _ outcome: JobReport.Outcome) async {
        returning += deliveries.count
        for delivery in deliveries {
            await report(outcome, of: delivery)
            returning -= 1
        }
    }

    // MARK: JobFeed

    func next() async -> Assignment<JobDelivery>? {
        while !Task.isCancelled, !isClosed {
            while let delivery = slots.begin() {
                running[delivery.ticket.identity] = RunningJob(
                    delivery, width: delivery.ticket.width(at: slots.capacity), timeout: configuration.progressTimeout)
                if let assignment = await begin(delivery, lookup(for: delivery)) { return assignment }
                finish(delivery)
            }
            // The worker ends when its slots do, and what is uploaded still has to be reported.
            if isDraining, uploading == 0 { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { idleSlots.append($0) }
            } onCancel: {
                Task { await self.wakeSlots() }  // only wakes the waiting slots, which check for cancellation
            }
        }
        return nil
    }

    /// Settles what needs no rendering process: an artifact that exists, a source that does not, a store that is away or
    /// belongs to another farm, or a no-op job.
    /// - Returns: nil when that settled the job.
    private func begin(_ delivery: JobDelivery, _ lookup: ArtifactLookup) async -> Assignment<JobDelivery>? {
        let ticket = delivery.ticket
        if let named = ticket.farm { farm = named }
        let reason: String?
        do {
            let trouble = try await wait(for: lookup) { [farm] in await lookup.trouble(ofFarm: farm) }.reason
            if trouble == nil { try await files?.check(farm: farm) }
            reason = trouble
        } catch let error as any ClassifiedError {
            reason = JobFailure(error).description
        } catch {
            return nil  // the worker ends; its lease expires and others get the job
        }
        if let reason {
            await pause(reason)
            await report(.returned, of: delivery)
            storageFailed.wake()
            return nil
        }
        reportStartLater(of: delivery)
        // The only job that makes no artifact: there is nothing to look up, to render or to confirm.
        guard ticket.work != .noOp else {
            await report(.finished(result: JobResult(), reused: false), of: delivery)
            return nil
        }
        do {
            try await wait(for: lookup) { try await lookup.prepare(tenant: ticket.tenant) }
            if ticket.kind != .probe, let warnings = try await warnings(ofStored: ticket, lookup) {
                await report(.finished(result: JobResult(warnings: warnings), reused: true), of: delivery)
                return nil
            }
            if let files {
                try await waitUnlessCancelled { try await files.fetch(for: ticket) }
                // No process has the job yet that could be killed.
                if let reason = running[ticket.identity]?.stopReason {
                    await report(reason == .cancelled ? .cancelled : .returned, of: delivery)
                    return nil
                }
            }
            let directory = configuration.directory
            let order = RenderOrder(
                try await work(of: ticket, lookup),
                store: directory.artifacts(ofTenant: ticket.tenant),
                renderer: ticket.renderer, marker: directory.marker.file)
            return Assignment(delivery, order)
        } catch let error as any ClassifiedError {
            await fail(delivery, JobFailure(error), isOfStore: error is BlobError)
        } catch is CancellationError {
            // The worker ends; its lease expires and others get the job.
        } catch {
            await fail(delivery, JobFailure(.crash, subject: "", message: "unexpected error: \(error)"))
        }
        return nil
    }

    private func work(of ticket: JobTicket, _ lookup: ArtifactLookup) async throws -> RenderJob {
        do {
            return try await wait(for: lookup) { try await lookup.work(of: ticket) }
        } catch let failure as JobFailure {
            guard let files, let hash = failure.damagedAsset else { throw failure }
            // The store's own bytes were compared when they were fetched, so only this machine's copy is damaged.
            await files.discard(asset: hash, tenant: ticket.tenant)
            throw JobFailure(
                .transient, subject: failure.subject, message: "is damaged in the worker's copies and is fetched again")
        }
    }

    private func warnings(ofStored ticket: JobTicket, _ lookup: ArtifactLookup) async throws -> [SourceWarning]? {
        if let files { return try await files.warnings(ofStored: ticket) }
        return try await wait(for: lookup) { try await lookup.warnings(ofStored: ticket.key, tenant: ticket.tenant) }
    }

    /// Waits for an artifact lookup, but not for storage that never answers.
    /// - Throws: what `call` throws, `JobFailure` of class `storage`, or `CancellationError`.
    private func wait<Answer: Sendable>(
        for lookup: ArtifactLookup, _ call: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await waitWhileAnswered(lookup.watch, configuration.readTime, call)
    }

    /// The artifact lookup of a running job. Each job has its own, so that comparing a large asset with its hash delays
    /// no other job.
    private func lookup(for delivery: JobDelivery) -> ArtifactLookup {
        if let lookup = lookups[delivery.ticket.identity] { return lookup }
        let lookup =
            freeLookups.popLast()
            ?? ArtifactLookup(
                configuration.directory, isMirror: files != nil, allowedDirectories: configuration.allowedDirectories,
                owner: configuration.renderUser,
                assets: assets)
        lookups[delivery.ticket.identity] = lookup
        return lookup
    }

    func started(_ delivery: JobDelivery, stop: @escaping @Sendable () -> Void) {
        running[delivery.ticket.identity]?.start(kill: stop)
        // The job was stopped before the process had it.
        if running[delivery.ticket.identity]?.stopReason != nil || isClosed { stop() }
    }

    func progress(_ delivery: JobDelivery, done: Int) {
        running[delivery.ticket.identity]?.progress(done)
    }

    func ended(_ delivery: JobDelivery, _ outcome: JobOutcome, log: String) async {
        let job = running[delivery.ticket.identity]
        let lookup = lookup(for: delivery)
        running[delivery.ticket.identity]?.end()
        switch outcome {
        case .finished(let result):
            let fault: JobFailure?
            do {
                fault = try await wait(for: lookup) { await lookup.fault(of: result, delivery.ticket) }
            } catch {
                fault = error as? JobFailure  // cancelled: nothing is reported in any case
            }
            if let fault {
                await fail(delivery, fault, log: log)
                break
            }
            let finished = Finished(delivery: delivery, result: result, log: log, measured: job?.measurement())
            guard files != nil, delivery.ticket.kind != .probe else {
                await confirm(finished)
                break
            }
            guard uploading < slots.capacity.slots else {
                await publish(finished)
                break
            }
            // The slot goes on with the next job meanwhile.
            freeSlot(of: delivery)
            uploading += 1
            Task {
                await publish(finished)
                uploading -= 1
                forget(delivery)
                if isDraining { wakeSlots() }
            }
            return
        case .failed(let failure):
            let judged: JobFailure
            do {
                judged = try await wait(for: lookup) { await lookup.judged(failure, of: delivery.ticket) }
            } catch {
                judged = error as? JobFailure ?? failure  // cancelled: the failure is not reported in any case
            }
            await fail(delivery, judged, log: log)
        case .died(let death):
            let outcome = job?.outcome(ofDeath: death) ?? .returned
            if case .failed(let failure) = outcome {
                await fail(delivery, failure, log: log)
            } else {
                await report(outcome, of: delivery, log: log)
            }
        }
        finish(delivery)
    }

    /// A job whose artifact this machine has.
    private struct Finished: Sendable {
        var delivery: JobDelivery
        var result: JobResult
        var log: String
        var measured: JobMeasurement?
    }

    private func confirm(_ job: Finished) async {
        storageHasServed = true
        await report(
            .finished(result: job.result, reused: false), of: job.delivery, log: job.log, measured: job.measured)
    }

    /// Publishes an artifact in the farm's store. Only then is the job done.
    private func publish(_ job: Finished) async {
        do {
            try await files?.publish(job.delivery.ticket)
            await confirm(job)
        } catch let error as any ClassifiedError {
            await fail(job.delivery, JobFailure(error), log: job.log, isOfStore: true)
        } catch {
            // The worker ends; its lease expires and others get the job.
        }
    }

    /// - Parameter isOfStore: whether the failure is known to be the store's; otherwise that is seen from the file that it
    ///   names.
    private func fail(_ delivery: JobDelivery, _ failure: JobFailure, log: String = "", isOfStore: Bool = false) async {
        let ticket = delivery.ticket
        logger.warning("job \(ticket.job), attempt \(ticket.attempt): \(failure.description)")
        // A file outside the store says nothing about the store: only the job that needs the file waits for it.
        let isOfStore =
            failure.failureClass == .storage && (isOfStore || configuration.directory.contains(failure.subject))
        if isOfStore { await pause(failure.description) }
        await report(.failed(failure: failure), of: delivery, log: log)
        if isOfStore { storageFailed.wake() }
    }

    private func finish(_ delivery: JobDelivery) {
        freeSlot(of: delivery)
        forget(delivery)
    }

    private func forget(_ delivery: JobDelivery) {
        running[delivery.ticket.identity] = nil
        if let files { Task { await files.release(delivery.ticket.identity) } }
    }

    private func freeSlot(of delivery: JobDelivery) {
        slots.end(delivery)
        // A lookup whose thread still waits for storage is of no use to another job.
        if let lookup = lookups.removeValue(forKey: delivery.ticket.identity), lookup.watch.isIdle { freeLookups.append(lookup) }
        wakeFreeWaiters()
        // A wide job may fit now, in the slots of jobs that ended before this one, too.
        if !slots.waiting.isEmpty { wakeSlots() }
    }

    /// Reports the start of a job that is not over soon. The report of an early end says that the job began, too, which
    /// halves the reports of short jobs.
    private func reportStartLater(of delivery: JobDelivery) {
        let id = delivery.ticket.identity
        running[id]?.startReport = Task {
            do {
                try await Task.sleep(for: JobReport.startDelay)
                guard !isClosed else { return }
                try await queue.report(JobReport(id, worker: configuration.id, .started), finishing: nil)
                running[id]?.startIsReported = true
            } catch {
                // Cancelled, or the queue is away: the report of the end says it.
            }
        }
    }

    /// Sends the report of a job's end, again and again until the queue has it: a job whose result is not reported would be
    /// rendered again.
    private func report(
        _ outcome: JobReport.Outcome, of delivery: JobDelivery, log: String = "", measured: JobMeasurement? = nil
    ) async {
        let job = running[delivery.ticket.identity]
        job?.startReport?.cancel()
        while !isClosed, !Task.isCancelled {
            let report = JobReport(
                delivery.ticket.identity, worker: configuration.id, outcome, log: log, measured: measured,
                startedAgo: job.flatMap { $0.startReport == nil || $0.startIsReported ? nil : $0.seconds() })
            do {
                return try await queue.report(report, finishing: delivery)
            } catch {
                guard !isClosed, !Task.isCancelled else { return }
                logger.warning("cannot report job \(delivery.ticket.job): \(error); retrying")
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop ends
            }
        }
    }

    // MARK: The store

    /// Takes no jobs until `resume`. Waiting deliveries are returned, which does not count as a failed attempt.
    func pause(_ reason: String) async {
        if pausedFor != reason { logger.warning("taking no jobs: \(reason)") }
        if pausedFor == nil {
            storageServedBefore = storageHasServed
            storageHasServed = false
        }
        pausedFor = reason
        statusChange.wake()
        await finish(slots.removeWaiting(), .returned)
    }

    /// Takes jobs again.
    func resume() {
        guard pausedFor != nil else { return }
        if pausedFor != SlotSupervisor.notChecked { logger.info("taking jobs again: the store is there and can be written") }
        pausedFor = nil
        statusChange.wake()
        wakeFreeWaiters()
    }

    // MARK: Watching

    /// The state of the running jobs. Jobs that hang are stopped on the way.
    func look(at now: ContinuousClock.Instant = .now) -> [WorkerStatus.Running] {
        for (id, job) in running where job.isHung(at: now) { running[id]?.stop(.hung) }
        return running.values.map(\.status).sorted { $0.job < $1.job }
    }

    /// The deliveries whose leases are renewed: those that wait for a slot, and running jobs that do not hang.
    func alive(at now: ContinuousClock.Instant = .now) -> [JobDelivery] {
        slots.waiting + running.values.filter { !$0.isHung(at: now) }.map(\.delivery)
    }

    /// The attempts that wait for free slots.
    var waiting: [AttemptID] { slots.waiting.map(\.ticket.identity) }

    /// Stops attempts that are cancelled. Slots are not kept free any longer for those that wait.
    func stop(_ attempts: Set<AttemptID>) async {
        guard !attempts.isEmpty else { return }
        for id in attempts { running[id]?.stop(.cancelled) }
        let cancelled = slots.removeWaiting(among: attempts)
        guard !cancelled.isEmpty else { return }
        wakeSlots()
        wakeFreeWaiters()
        await finish(cancelled, .cancelled)
    }

    // MARK: The end

    /// Takes no new jobs; waiting deliveries are returned.
    func drain() async {
        isDraining = true
        let returned = slots.removeWaiting()
        wakeSlots()
        wakeFreeWaiters()
        await finish(returned, .returned)
    }

    /// Stops the running jobs, which are then returned.
    func stopRunning() {
        for id in running.keys { running[id]?.stop(.drained) }
    }

    /// Ends the worker at once. Nothing is reported any more; jobs that the queue was not told of go to others when
    /// their leases expire.
    func close() {
        isClosed = true
        if !isIdle {
            logger.warning(
                "ending with \(running.count) jobs that could not be returned to the queue; other workers get them when their leases expire"
            )
        }
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
                Task { await self.wakeCloseWaiters() }  // only wakes the waiting tasks, which check for cancellation
            }
        }
    }

    var isOver: Bool { isClosed }

    var isIdle: Bool { running.isEmpty && slots.waiting.isEmpty && returning == 0 }

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
