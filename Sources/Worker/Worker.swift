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
    private let queue: any WorkerQueue
    private let logger: Logger
    private let desk: Desk
    private let startedAt = Date()

    public init(_ configuration: WorkerConfiguration, queue: any WorkerQueue, logger: Logger) {
        self.configuration = configuration
        self.queue = queue
        self.logger = logger
        desk = Desk(configuration, queue, logger)
    }

    /// Works until it has drained.
    public func run() async throws {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<configuration.slots {
                    group.addTask { await serve() }
                }
                group.addTask { await fetch() }
                await withTaskGroup(of: Void.self) { watching in
                    watching.addTask { await watch() }
                    await group.waitForAll()
                    watching.cancelAll()
                }
            }
        } onCancel: {
            Task { await desk.close() }  // the slots end by it
        }
        try? await queue.leave(worker: configuration.id)  // its sign of life fades by itself
        try Task.checkCancellation()
    }

    /// Takes nothing new; running jobs get `grace` to end, then they go back.
    public func drain() async {
        logger.info("draining")
        await desk.drain()
        let deadline = ContinuousClock.now + configuration.grace
        while await !desk.isIdle, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(50))  // cut short: jobs go back sooner
            if Task.isCancelled { break }
        }
        await desk.giveBack()
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
                isDraining: await desk.isDraining, running: running)
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
}
