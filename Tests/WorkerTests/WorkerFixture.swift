import ArtifactStore
import ContentHashing
import ExportPlan
import JobQueue
import Logging
import RenderingProcesses
import TestSupport
import Testing
import Worker

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A worker with one slot, a store of its own and a renderer that lies on demand; the test plays the coordinator.
final class WorkerFixture: Sendable {
    static let tenant: Int64 = 7

    let directory: TemporaryDirectory
    let queue: any CoordinatorQueue & WorkerQueue
    let worker: Worker
    private let renderer: LyingRenderer

    /// - Parameters:
    ///   - seen: the queue as the worker sees it; nil for the coordinator's own.
    ///   - patience: how long a job may be without progress.
    init(
        queue: any CoordinatorQueue & WorkerQueue = MemoryJobQueue(), seen: (any WorkerQueue)? = nil,
        patience: Duration = .seconds(60), grace: Duration = .zero
    ) async throws {
        directory = try TemporaryDirectory()
        self.queue = queue
        renderer = try LyingRenderer(in: directory)
        try FileManager.default.createDirectory(atPath: directory.file("sources"), withIntermediateDirectories: true)
        let store = FarmDirectory(directory.file("store"))
        try store.marker.create()
        let process = RenderingProcess(
            executable: renderer.executable, arguments: [], patience: .milliseconds(200), lineLimit: 1 << 20)
        let configuration = WorkerConfiguration(
            id: "w1", host: "here", version: "1", roles: [.video], pools: ["default"], slots: 1, grace: grace,
            directory: store, allowedDirectories: [directory.file("sources")], process: process, patience: patience,
            farewell: .milliseconds(300), storePauses: .milliseconds(5) ... .milliseconds(40))
        worker = Worker(configuration, queue: seen ?? queue, logger: Logger(label: "worker of a test"))
        _ = try await queue.prepare(pools: ["default"])
    }

    /// Runs the worker beside `body`, and ends it afterwards.
    func working(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [worker] in try? await worker.run() }  // cancelled below
            try await body()
            group.cancelAll()
        }
    }

    /// A probe of a file that is there.
    /// - Parameter name: a lie, or any other name for a job that succeeds.
    func ticket(_ job: Int64, _ name: String) throws -> JobTicket {
        let path = directory.file("sources/\(name)")
        guard FileManager.default.createFile(atPath: path, contents: Data()) else { throw CocoaError(.fileWriteUnknown) }
        return ticket(job, location: path)
    }

    /// A probe of an uploaded asset.
    func ticket(_ job: Int64, attempt: Int = 1, asset hash: String) -> JobTicket {
        ticket(job, attempt: attempt, location: "asset:\(hash)")
    }

    private func ticket(_ job: Int64, attempt: Int = 1, location: String) -> JobTicket {
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

    /// How these jobs end, in the order in which they do; waits for all of them.
    func ends(_ count: Int) async throws -> [JobReport] {
        var ends: [JobReport] = []
        while ends.count < count {
            let deliveries = try await queue.reports(limit: 100, wait: .seconds(10))
            try await queue.acknowledge(deliveries)
            ends += deliveries.map(\.report).filter { $0.outcome != .started && $0.outcome != .returned }
        }
        return ends
    }

    /// Waits until the worker says something of itself.
    func status(_ isRight: (WorkerStatus) -> Bool) async throws -> WorkerStatus {
        while true {
            if let status = try await queue.workers().first, isRight(status) { return status }
            // A moment's wait, for a ticket that nobody sends.
            _ = try await queue.take(roles: [.stitch], pools: ["none"], worker: "test", limit: 1, wait: .milliseconds(5))
        }
    }
}

extension JobReport {
    /// In a word how it ended: `finished`, or a failure's class.
    var end: String {
        switch outcome {
        case .finished: "finished"
        case .failed(let failure): failure.failureClass.rawValue
        case .started, .returned, .cancelled: "\(outcome)"
        }
    }

    var failure: JobFailure? { if case .failed(let failure) = outcome { failure } else { nil } }
}
