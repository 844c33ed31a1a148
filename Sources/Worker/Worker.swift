import ArtifactStore
import BlockingWork
import ExportPlan
import FarmAPI
package import JobQueue
package import Logging
import RenderingProcesses
import FoundationEssentials

/// Takes jobs from the queue, renders them in child processes, and reports their outcomes. It keeps no state and does
/// not use the database.
///
/// `run` ends when the worker has drained. Cancelling its task ends the worker at once, and others get its jobs when
/// the leases expire.
package struct Worker: Sendable {
    /// How long a heartbeat is valid, and the time between two heartbeats.
    static let heartbeatLifetime = Duration.seconds(10)
    static let heartbeatInterval = Duration.seconds(1)
    /// Leases are renewed once in so many heartbeats.
    static let heartbeatsPerRenewal = 4

    private let configuration: WorkerConfiguration
    private let queue: CancellableQueue
    private let logger: Logger
    private let slots: SlotSupervisor
    private let startedAt = Date()

    package init(_ configuration: WorkerConfiguration, queue: any WorkerQueue, logger: Logger) {
        self.configuration = configuration
        self.queue = CancellableQueue(queue: queue)
        self.logger = logger
        slots = SlotSupervisor(configuration, self.queue, logger)
    }

    /// Works until it has drained.
    package func run() async throws {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await work() }
                group.addTask { await slots.untilClosed() }
                // The next two tasks run until they are cancelled.
                group.addTask { await watch() }
                group.addTask { await watchStore() }
                await group.next()
                group.cancelAll()
            }
        } onCancel: {
            Task { await slots.close() }  // short; it ends the slots
        }
        await deregister()
        try Task.checkCancellation()
    }

    /// Takes no new jobs. Running jobs have `grace` to end; then they are returned. For `reportTimeout`, the queue is tried
    /// for reports that have not arrived. Then the worker ends in any case, and jobs that the queue was not told of go
    /// to others when their leases expire.
    package func drain() async { await drain(canResume: false) }

    private func drain(canResume: Bool) async {
        logger.info("draining")
        await withTaskGroup(of: Void.self) { group in
            let number = await slots.beginDraining(canResume: canResume)
            group.addTask { await slots.returnWaiting() }
            group.addTask {
                await untilIdle(for: configuration.grace)
                guard !Task.isCancelled, await slots.beginEnd(ofDrain: number) else { return }
                await slots.stopRunning()
                await untilIdle(for: configuration.reportTimeout)
                await slots.close()
            }
            // The first task may end long before the second.
            while await group.next() != nil, await !slots.isOver {}
            group.cancelAll()
        }
    }

    private func untilIdle(for time: Duration) async {
        let deadline = ContinuousClock.now + time
        while await !slots.isIdle, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(50))  // cancelled: the loop's condition ends the loop
        }
    }

    /// Deregisters the worker, where the queue answers within a second. Otherwise the last heartbeat expires.
    private func deregister() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await queue.deregister(worker: configuration.id) }  // fails where the queue is away
            group.addTask { try? await Task.sleep(for: .seconds(1)) }  // cancelled: the worker is deregistered
            await group.next()
            group.cancelAll()
        }
    }

    /// Runs the slots, and fetches jobs for them.
    private func work() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<configuration.slots {
                group.addTask { await serve() }
            }
            group.addTask { await fetch() }
        }
    }

    private func serve() async {
        while !Task.isCancelled {
            do {
                return try await configuration.process.serve(slots)
            } catch is CancellationError {
                return
            } catch {
                logger.error("a slot failed: \(error)")
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop's condition ends the loop
            }
        }
    }

    private func fetch() async {
        while !Task.isCancelled {
            let free = await slots.freeSlots()
            guard free > 0 else {
                await returnUnread()
                guard await slots.isResumed() else { return }
                continue
            }
            do {
                let deliveries = try await queue.take(
                    roles: configuration.roles, pools: configuration.pools, worker: configuration.id, limit: free,
                    wait: .seconds(2))
                await slots.accept(deliveries)
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot take jobs: \(error); retrying")
                try? await Task.sleep(for: .seconds(1))  // cancelled: the loop's condition ends the loop
            }
        }
    }

    /// Gives back the jobs that were sent to this worker by name and that it has not taken, when it drains. Others would
    /// get them only after a lease.
    private func returnUnread() async {
        guard await slots.isDraining, await !slots.isOver else { return }
        do {
            let unread = try await queue.take(
                roles: [], pools: [], worker: configuration.id, limit: 1000, wait: .milliseconds(1))
            await slots.accept(unread)
        } catch {
            logger.warning("cannot return the jobs that were sent to this worker by name: \(error)")
        }
    }

    private func watch() async {
        var count = 0
        var queueTime: Duration?
        /// The draining that the coordinator has asked for.
        var draining: Task<Void, Never>?
        while !Task.isCancelled {
            let running = await slots.look()
            var status = WorkerStatus(
                id: configuration.id, host: configuration.host, version: configuration.version, roles: configuration.roles,
                pools: configuration.pools, slots: await slots.advertisedSlots, memory: configuration.memory,
                processors: configuration.processors, startedAt: startedAt, seenAt: Date(), isDraining: await slots.isDraining,
                pausedFor: await slots.pausedFor, running: running, machine: configuration.machine,
                waiting: await slots.waiting)
            status.queueSeconds = queueTime.map { $0 / .seconds(1) }
            status.droppedSpans = configuration.droppedSpans()
            status.missingLayers = configuration.missingLayers
            status.lacks = await slots.lacks
            status.canResume = await slots.canResume
            status.readsExpress = true
            status.load = MachineLoad.now
            do {
                let began = ContinuousClock.now
                let answer = try await queue.heartbeat(status, lifetime: Worker.heartbeatLifetime)
                queueTime = began.duration(to: .now)
                await slots.stop(answer.cancelled)
                if answer.isToDrain, draining == nil {
                    logger.info("the coordinator asks this worker to drain")
                    configuration.willDrain()
                    draining = Task { await drain(canResume: true) }  // ends `run`, which waits for it
                }
                if answer.isToResume, draining != nil, await slots.endDraining() {
                    logger.info("the coordinator takes its request to drain back, and this worker takes jobs again")
                    draining?.cancel()
                    draining = nil
                    configuration.didResume()
                }
                if count % Worker.heartbeatsPerRenewal == 0 {
                    try await queue.renew(await slots.alive(), worker: configuration.id)
                }
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot reach the queue: \(error)")
            }
            count += 1
            // When it takes jobs again, the coordinator hears so at once.
            _ = await slots.statusChange.wait(atMost: Worker.heartbeatInterval)
        }
    }

    /// Takes jobs only while the store is there, and checks again after growing pauses while it is not.
    private func watchStore() async {
        let store = StoreWatch(configuration.directory, mirror: configuration.mirror, worker: configuration.id)
        let pauses = configuration.storePauses
        let backoff = Backoff(first: pauses.lowerBound, growth: 1.05, limit: pauses.upperBound, jitter: 0)
        var retry = 1
        while !Task.isCancelled {
            // It throws only when the task is cancelled.
            guard let look = try? await look(at: store) else { return }
            if let trouble = look.trouble {
                await slots.pause(trouble)
                try? await Task.sleep(for: backoff.pause(before: retry))  // cancelled: the loop's condition ends the loop
                retry += 1
                continue
            }
            await slots.resume()
            // Only the failure of a job wakes this loop.
            while !Task.isCancelled, await !slots.storageFailed.wait(atMost: .seconds(3600)) {}
            // A store that passes the check but makes one job after the other fail gets a longer pause each time.
            if await slots.storageServedBefore { retry = 1 }
            try? await Task.sleep(for: backoff.pause(before: retry))  // as above
            retry += 1
        }
    }

    /// Looks at the store, and says so where it does not answer.
    /// - Throws: `CancellationError`.
    private func look(at store: StoreWatch) async throws -> StoreWatch.Look {
        try await withThrowingTaskGroup(of: StoreWatch.Look?.self) { group in
            group.addTask { try await waitUnlessCancelled { await store.look(forFarm: slots.farm) } }
            group.addTask {
                let time = configuration.readTime
                // When the store has answered, this is cancelled.
                guard (try? await Task.sleep(for: time)) != nil else { return nil }
                await slots.pause(JobFailure(unanswered: configuration.directory.root, for: time).description)
                return nil
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let look = ended { return look }
            }
            throw CancellationError()
        }
    }
}
