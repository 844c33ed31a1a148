import FarmAPI
package import JobQueue
package import Telemetry
import FoundationEssentials

/// Looks at the farm's state for those who watch it: `/metrics`, `/readyz` and `/healthz` of a coordinator.
///
/// However often it is asked, it asks the database, the queue and the store once in a few seconds, and waits two seconds
/// for each at most. What does not answer is said to be missing, and its numbers are left out: old ones would look like
/// news.
package struct FarmObserver: Sendable {
    /// How long what was found out stays true.
    package static let lifetime = Duration.seconds(5)
    private static let assetLifetime = Duration.seconds(60)

    /// The room in the store's file system, in bytes.
    package struct StoreRoom: Hashable, Sendable {
        package var size: Int64
        package var free: Int64

        package init(size: Int64, free: Int64) {
            self.size = size
            self.free = free
        }
    }

    let counts: CachedLook<FarmCounts>
    private let assets: CachedLook<Int64>
    let workers: CachedLook<[WorkerStatus]>
    let room: CachedLook<StoreRoom?>
    private let isLeading: @Sendable () -> Bool

    /// - Parameters:
    ///   - isLeading: whether this coordinator leads.
    ///   - lifetime: how long what was found out stays true.
    ///   - timeout: how long to wait for each part.
    ///   - room: checks the store; nil for a store without a size of its own. It throws where the store cannot be used.
    package init(
        store: any ObservationStore, queue: any CoordinatorQueue, isLeading: @escaping @Sendable () -> Bool = { false },
        lifetime: Duration = FarmObserver.lifetime, timeout: Duration = .seconds(2),
        room: @escaping @Sendable () async throws -> StoreRoom? = { nil }
    ) {
        self.isLeading = isLeading
        counts = CachedLook(at: "the database", lifetime: lifetime, timeout: timeout) { try await store.observe(at: Date()) }
        assets = CachedLook(at: "the database", lifetime: max(lifetime, FarmObserver.assetLifetime), timeout: timeout) {
            try await store.assetBytes()
        }
        workers = CachedLook(workersOf: queue, lifetime: lifetime, timeout: timeout)
        self.room = CachedLook(at: "the store", lifetime: lifetime, timeout: timeout, room)
    }

    /// Whether the database answered the last look.
    package func databaseAnswers() async -> Bool { (try? await counts.value()) != nil }

    /// The farm's state in numbers.
    package func samples() async -> [MetricSample] {
        async let assetBytes = try? assets.value()
        async let storeRoom = try? room.value()
        async let statuses = try? workers.value()
        let counts = try? await counts.value()
        let workers = await statuses
        var samples = [
            MetricSample(.databaseUp, counts == nil ? 0 : 1), MetricSample(.queueUp, workers == nil ? 0 : 1),
            MetricSample(.leading, isLeading() ? 1 : 0),
        ]
        if let counts { samples += FarmSamples(counts).all }
        if let workers {
            // While the database is away, the pools are those of the workers of now.
            let pools = counts?.servedPools ?? Set(Set(workers.flatMap(\.pools)).sorted().prefix(FarmCounts.poolLimit))
            samples += WorkerSamples(workers, pools.union(["default"])).all
        }
        if let bytes = await assetBytes { samples.append(MetricSample(.assetBytes, Double(bytes))) }
        if let room = await storeRoom {
            samples.append(MetricSample(.storeSize, Double(room.size)))
            samples.append(MetricSample(.storeFree, Double(room.free)))
        }
        return samples
    }
}

extension CachedLook<[WorkerStatus]> {
    /// The workers with a recent heartbeat.
    package init(workersOf queue: any CoordinatorQueue, lifetime: Duration = .zero, timeout: Duration = .seconds(2)) {
        self.init(at: "the queue", lifetime: lifetime, timeout: timeout) { try await queue.workers() }
    }
}
