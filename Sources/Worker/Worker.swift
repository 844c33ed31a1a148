public import JobQueue
public import Logging
import RenderingProcesses

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes jobs from the queue, renders them in child processes, and reports how they went. It keeps nothing, and needs nothing
/// of the database.
///
/// `run` ends when it has drained; cancelling its task ends it at once, and what it held goes to others after the lease.
public struct Worker: Sendable {
    /// How long a sign of life lasts, and how often one is given.
    static let lifetime = Duration.seconds(10)
    static let pulse = Duration.seconds(1)
    /// How often leases are renewed, in pulses.
    static let renewal = 4

    private let configuration: WorkerConfiguration
    private let queue: AbandoningQueue
    private let logger: Logger
    private let desk: Desk
    private let startedAt = Date()

    public init(_ configuration: WorkerConfiguration, queue: any WorkerQueue, logger: Logger) {
        self.configuration = configuration
        self.queue = AbandoningQueue(queue: queue)
        self.logger = logger
        desk = Desk(configuration, self.queue, logger)
    }

    /// Works until it has drained.
    public func run() async throws {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await work() }
                group.addTask { await desk.untilClosed() }
                // Both of these go on until they are cancelled.
                group.addTask { await watch() }
                group.addTask { await watchStore() }
                await group.next()
                group.cancelAll()
            }
        } onCancel: {
            Task { await desk.close() }  // the slots end by it
        }
        await leave()
        try Task.checkCancellation()
    }

    /// Takes nothing new; running jobs get `grace` to end, then they go back. What the queue has not been told by the end of
    /// `farewell`, because it is away, the leases bring back: the worker ends all the same.
    public func drain() async {
        logger.info("draining")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await desk.drain() }
            group.addTask {
                await untilIdle(for: configuration.grace)
                await desk.stopRunning()
                await untilIdle(for: configuration.farewell)
                await desk.close()
            }
            // The first may have ended long before the second.
            while await group.next() != nil, await !desk.isOver {}
            group.cancelAll()
        }
    }

    private func untilIdle(for time: Duration) async {
        let deadline = ContinuousClock.now + time
        while await !desk.isIdle, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(50))  // cut short: the loop's condition ends it
        }
    }

    /// Takes the worker off the list, where the queue hears it at once; otherwise its sign of life fades by itself.
    private func leave() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await queue.leave(worker: configuration.id) }  // see above
            group.addTask { try? await Task.sleep(for: .seconds(1)) }  // cut short: it has left
            await group.next()
            group.cancelAll()
        }
    }

    /// The slots and what fills them.
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
                return try await configuration.process.serve(desk)
            } catch is CancellationError {
                return
            } catch {
                logger.error("a slot failed: \(error)")
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    private func fetch() async {
        while !Task.isCancelled {
            let free = await desk.freeSlots()
            guard free > 0 else { return }
            do {
                let deliveries = try await queue.take(
                    roles: configuration.roles, pools: configuration.pools, worker: configuration.id, limit: free,
                    wait: .seconds(2))
                await desk.accept(deliveries)
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot take jobs: \(error); trying again")
                try? await Task.sleep(for: .seconds(1))  // cut short: the loop's condition ends it
            }
        }
    }

    private func watch() async {
        var count = 0
        while !Task.isCancelled {
            let running = await desk.look()
            let status = WorkerStatus(
                id: configuration.id, host: configuration.host, version: configuration.version, roles: configuration.roles,
                pools: configuration.pools, slots: configuration.slots, startedAt: startedAt, seenAt: Date(),
                isDraining: await desk.isDraining, pausedFor: await desk.pausedFor, running: running)
            do {
                await desk.stop(try await queue.beat(status, lifetime: Worker.lifetime))
                if count % Worker.renewal == 0 {
                    try await queue.renew(await desk.alive(), worker: configuration.id)
                }
            } catch is CancellationError {
                return
            } catch {
                logger.warning("cannot reach the queue: \(error)")
            }
            count += 1
            try? await Task.sleep(for: Worker.pulse)  // cut short: the loop's condition ends it
        }
    }

    /// Takes jobs only while the store is there, and looks again at growing pauses while it is not.
    private func watchStore() async {
        let store = StoreWatch(configuration.directory, worker: configuration.id)
        let pauses = configuration.storePauses
        var pause = pauses.lowerBound
        while !Task.isCancelled {
            guard let look = try? await orAbandon({ await store.look() }) else { return }  // cancelled
            if let trouble = look.trouble {
                await desk.pause(trouble)
                try? await Task.sleep(for: pause)  // cut short: the loop's condition ends it
                pause = min(pause * 2, pauses.upperBound)
                continue
            }
            await desk.resume()
            // Only a job's trouble calls.
            while !Task.isCancelled, await !desk.storageTrouble.wait(atMost: .seconds(3600)) {}
            // A store that looks well and makes job after job fail is left alone for longer each time.
            if await desk.storageServedBefore { pause = pauses.lowerBound }
            try? await Task.sleep(for: pause)  // as above
            pause = min(pause * 2, pauses.upperBound)
        }
    }
}
