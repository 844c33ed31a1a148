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
    let configuration: WorkerConfiguration
    let queue: any WorkerQueue
    let logger: Logger
    /// Nil where the store's files are this machine's own.
    let files: JobFiles?
    let sources: ProbeSources
    var lookups: ArtifactLookups
    /// The reason to pause before the store has been checked for the first time.
    private static let notChecked = "it has not checked its store yet"
    var slots: SlotAllocation
    var running: [AttemptID: RunningJob] = [:]
    /// Attempts whose sources are fetched while their slots do other jobs, and what came of it until the jobs end.
    var fetching: Set<AttemptID> = []
    var fetched: [AttemptID: [String: FetchedSource]] = [:]
    /// How many artifacts are published while their slots do other jobs.
    var uploading = 0
    /// How many deliveries are on their way back to the queue.
    private var returning = 0
    /// Slots that wait for a delivery, and the fetching of tickets, which waits for a free slot.
    var idleSlots = Waiters()
    var freeWaiters = Waiters()
    var isDraining = false
    /// Whether a worker that drains can take jobs again.
    var canResume = false
    /// How often draining has begun or was taken back.
    var drains = 0
    /// Whether the worker ends at once, without waiting for running jobs.
    var isClosed = false
    private var closeWaiters = Waiters()
    /// Why no jobs are taken; nil while jobs are taken.
    private(set) var pausedFor: String?
    /// Codecs, fonts and plug-ins that jobs needed and this worker does not have, in the words of the jobs' failures, the
    /// latest last.
    private(set) var lacks: [String] = []
    /// The id of the farm that the jobs belong to; nil before the first job.
    private(set) var farm: String?
    /// Whether a job has succeeded since storage last made one fail, and whether one had succeeded before that failure.
    var storageHasServed = true
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
        sources = ProbeSources(configuration)
        lookups = ArtifactLookups(configuration)
        slots = SlotAllocation(configuration.capacity)
        pausedFor = SlotSupervisor.notChecked
    }

    // MARK: From the queue

    /// The number of slots without a job. Waits until there is one and jobs are taken.
    /// - Returns: 0 when no more jobs are wanted.
    func freeSlots() async -> Int {
        while !isDraining, !isClosed, pausedFor != nil || slots.free == 0 {
            await withCheckedContinuation { freeWaiters.add($0) }
        }
        return isDraining || isClosed ? 0 : slots.free
    }

    func accept(_ deliveries: [JobDelivery]) async {
        if isDraining || isClosed || pausedFor != nil { return await finish(deliveries, .returned) }
        slots.wait(deliveries)
        wakeSlots()
    }

    /// Ends deliveries whose jobs have not begun.
    func finish(_ deliveries: [JobDelivery], _ outcome: JobReport.Outcome) async {
        returning += deliveries.count
        for delivery in deliveries {
            await report(outcome, of: delivery)
            returning -= 1
        }
        if isDraining { wakeSlots() }
    }

    // MARK: JobFeed

    func next() async -> Assignment<JobDelivery>? {
        while !Task.isCancelled, !isClosed {
            while let delivery = slots.begin() {
                running[delivery.ticket.identity] = RunningJob(
                    delivery, width: delivery.ticket.width(at: slots.capacity), timeout: configuration.progressTimeout,
                    worker: configuration.id)
                if let assignment = await begin(delivery, lookups.lookup(for: delivery.ticket.identity)) { return assignment }
                if fetching.contains(delivery.ticket.identity) { freeSlot(of: delivery) } else { finish(delivery) }
            }
            // The worker ends when its slots do, and what is uploaded still has to be reported.
            if isDraining, uploading == 0, fetching.isEmpty, isSlotToEnd() { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { idleSlots.add($0) }
            } onCancel: {
                Task { await self.wakeSlots() }  // only wakes the waiting slots, which check for cancellation
            }
        }
        return nil
    }

    /// Settles what needs no rendering process: an artifact that exists, a source that does not, a store that is away or
    /// belongs to another farm, or a no-op job.
    /// - Returns: nil when that settled the job, or when its sources are fetched first.
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
            guard ticket.work.remoteLocations.isEmpty else {
                fetchSources(of: delivery)
                return nil
            }
            var stream: Task<Void, any Error>?
            if let files { stream = try await waitUnlessCancelled { try await files.fetch(for: ticket) } }
            // No process has the job yet that could be killed.
            if await reportStop(of: delivery) { return nil }
            let directory = configuration.directory
            let order = RenderOrder(
                try await work(of: ticket, lookup),
                store: directory.artifacts(ofTenant: ticket.tenant),
                renderer: ticket.renderer, marker: directory.marker.file, awaitsArtifacts: stream != nil,
                readable: try await wait(for: lookup) { await lookup.readable(ofTenant: ticket.tenant) },
                fileSystem: try await wait(for: lookup) { await lookup.fileSystem(ofTenant: ticket.tenant) })
            if let stream { follow(stream, of: delivery) }
            return Assignment(delivery, order)
        } catch let error as any ClassifiedError {
            await fail(delivery, JobFailure(error), isOfStore: error is BlobError)
        } catch is CancellationError {
            // Where the job was not stopped, the worker ends; its lease expires and others get the job.
            _ = await reportStop(of: delivery)
        } catch {
            await fail(delivery, JobFailure(.crash, subject: "", message: "unexpected error: \(error)"))
        }
        return nil
    }

    /// Reports that a job was stopped that no process has.
    /// - Returns: false where it was not stopped.
    func reportStop(of delivery: JobDelivery) async -> Bool {
        guard let reason = running[delivery.ticket.identity]?.stopReason else { return false }
        await report(reason == .cancelled ? .cancelled : .returned, of: delivery)
        return true
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
    func wait<Answer: Sendable>(
        for lookup: ArtifactLookup, _ call: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await waitWhileAnswered(lookup.watch, configuration.readTime, call)
    }

    func started(_ delivery: JobDelivery, stop: @escaping @Sendable () -> Void) {
        running[delivery.ticket.identity]?.start(kill: stop)
        // The job was stopped before the process had it.
        let job = running[delivery.ticket.identity]
        if job?.stopReason != nil || job?.loss != nil || isClosed { stop() }
    }

    func progress(_ delivery: JobDelivery, done: Int) {
        running[delivery.ticket.identity]?.progress(done)
    }

    /// How many lacks the status of a worker has at most.
    private static let mostLacks = 20

    /// Notes for the worker's status what a job needed and this worker does not have.
    func noteLack(_ failure: JobFailure) {
        let words = String(failure.description.prefix(200))
        lacks = (lacks.filter { $0 != words } + [words]).suffix(SlotSupervisor.mostLacks)
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
        freeWaiters.wakeAll()
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
        freeWaiters.wakeAll()
        await finish(cancelled, .cancelled)
    }

    // MARK: The end

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
        freeWaiters.wakeAll()
        wakeCloseWaiters()
    }

    /// Waits for `close`, or for the task to be cancelled.
    func untilClosed() async {
        while !isClosed, !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { closeWaiters.add($0) }
            } onCancel: {
                Task { await self.wakeCloseWaiters() }  // only wakes the waiting tasks, which check for cancellation
            }
        }
    }

    var isOver: Bool { isClosed }

    var isIdle: Bool { running.isEmpty && slots.waiting.isEmpty && returning == 0 }

    func wakeSlots() { idleSlots.wakeAll() }

    private func wakeCloseWaiters() { closeWaiters.wakeAll() }
}
