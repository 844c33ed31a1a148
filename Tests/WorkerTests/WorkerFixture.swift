import FarmAPI
import ArtifactStore
import ContentHashing
import ExportPlan
import JobQueue
import Logging
import RenderingProcesses
import TestSupport
import Testing
import Worker
import FoundationEssentials

/// A worker with one slot or more, its own store and a renderer that lies on demand. The test acts as the coordinator.
final class WorkerFixture: Sendable {
    static let tenant: Int64 = 7

    let directory: TemporaryDirectory
    let queue: any CoordinatorQueue & WorkerQueue
    let worker: Worker
    private let renderer: MisbehavingRenderer

    /// - Parameters:
    ///   - seen: the queue as the worker sees it; nil for the coordinator's own.
    ///   - progressTimeout: how long a job may be without progress.
    ///   - sources: the directories in which sources named by path may lie, by their names.
    ///   - renderUser: the user that rendering processes run as, where it is not the caller.
    ///   - blobs: the farm's store, where the worker has only copies of its files.
    ///   - storePauses: the pauses between two checks of a store that is away.
    ///   - capacity: the worker's slots, and the memory of its machine.
    init(
        queue: any CoordinatorQueue & WorkerQueue = MemoryJobQueue(), seen: (any WorkerQueue)? = nil,
        capacity: WorkerCapacity = WorkerCapacity(slots: 1),
        progressTimeout: Duration = .seconds(60), grace: Duration = .zero, sources: [String] = ["sources"],
        renderUser: RenderUser? = nil, blobs: (any BlobStore)? = nil,
        storePauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(40)
    ) async throws {
        directory = try TemporaryDirectory()
        self.queue = queue
        renderer = try MisbehavingRenderer(in: directory)
        try FileManager.default.createDirectory(atPath: directory.file("sources"), withIntermediateDirectories: true)
        let store = FarmDirectory(directory.file("store"))
        try store.marker.create()
        let process = RenderingProcess(
            executable: renderer.executable, arguments: [], timeout: .milliseconds(200), lineLimit: 1 << 20)
        var configuration = WorkerConfiguration(
            id: "w1", host: "here", version: "1", roles: [.video], pools: ["default"], slots: capacity.slots,
            memory: capacity.memory, processors: capacity.processors, grace: grace, directory: store,
            allowedDirectories: sources.map(directory.file), process: process, renderUser: renderUser,
            progressTimeout: progressTimeout,
            reportTimeout: .milliseconds(300), storePauses: storePauses)
        configuration.mirror = try blobs.map { try MirroredStore($0, address: "s3://films", directory: store, limit: 1 << 30) }
        worker = Worker(configuration, queue: seen ?? queue, logger: Logger(label: "worker of a test"))
        _ = try await queue.prepare(pools: ["default"])
    }

    /// Whether the worker has ever started a rendering process.
    var hasRendered: Bool { renderer.hasStarted }

    /// Runs the worker beside `body`, and ends it afterwards.
    func working(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [worker] in try? await worker.run() }  // cancelled below
            try await body()
            group.cancelAll()
        }
    }

    /// A probe of a file that exists.
    /// - Parameter name: the name of a lie, or any other name for a job that succeeds.
    func ticket(_ job: Int64, _ name: String) throws -> JobTicket {
        let path = directory.file("sources/\(name)")
        guard FileManager.default.createFile(atPath: path, contents: Data()) else { throw CocoaError(.fileWriteUnknown) }
        return ticket(job, location: path)
    }

    /// A probe of an uploaded asset.
    func ticket(_ job: Int64, attempt: Int = 1, asset hash: String) -> JobTicket {
        ticket(job, attempt: attempt, location: "asset:\(hash)")
    }

    /// A probe of a source, as a draft names it.
    func ticket(_ job: Int64, attempt: Int = 1, location: String) -> JobTicket {
        JobTicket(
            job: job, attempt: attempt, kind: .probe, tenant: Self.tenant, pool: "default",
            key: ArtifactKey(ContentHash.of("\(job)".utf8)), frameCount: 0, work: .probe(path: location))
    }

    /// Puts an asset into the store.
    /// - Returns: its hash.
    func upload(_ text: String) throws -> String {
        let hash = ContentHash.of(text.utf8)
        let file = FarmDirectory(directory.file("store")).asset(hash, ofTenant: Self.tenant)
        try FileManager.default.createDirectory(
            atPath: String(file.dropLast(65)), withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return hash
    }

    /// Puts an artifact into the store.
    /// - Returns: the path of its file.
    func store(_ bytes: Data, as key: ArtifactKey) throws -> String {
        let store = try DirectoryArtifactStore(
            directory: FarmDirectory(directory.file("store")).artifacts(ofTenant: Self.tenant))
        let file = try store.temporaryFile(for: key)
        try bytes.write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        return try #require(try store.localFile(for: key))
    }

    /// The reports of these jobs' ends, in order; waits for all of them.
    func ends(_ count: Int) async throws -> [JobReport] {
        var ends: [JobReport] = []
        while ends.count < count {
            let deliveries = try await queue.reports(limit: 100, wait: .seconds(10))
            try await queue.acknowledge(deliveries)
            ends += deliveries.map(\.report).filter { $0.outcome != .started && $0.outcome != .returned }
        }
        return ends
    }

    /// Waits until the worker has a status that satisfies `isRight`.
    func status(_ isRight: (WorkerStatus) -> Bool) async throws -> WorkerStatus {
        while true {
            if let status = try await queue.workers().first, isRight(status) { return status }
            // Waits a moment, for a ticket that nobody sends.
            _ = try await queue.take(roles: [.stitch], pools: ["none"], worker: "test", limit: 1, wait: .milliseconds(5))
        }
    }
}

extension JobReport {
    /// The end in one word: `finished`, or a failure's class.
    var end: String {
        switch outcome {
        case .finished: "finished"
        case .failed(let failure): failure.failureClass.rawValue
        case .started, .returned, .cancelled: "\(outcome)"
        }
    }

    var failure: JobFailure? { if case .failed(let failure) = outcome { failure } else { nil } }
}
