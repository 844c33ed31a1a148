import FarmAPI
import ArtifactStore
import Coordinator
import DraftModel
import ExportPlan
import Scheduling
import FarmClient
import HTTPAPI
import Hummingbird
import JobQueue
import TestServer
import TestSupport
import Testing
import FoundationEssentials

/// A farm that a client reaches over the network, on a free port.
struct LiveFarm {
    static let token = "a-secret"
    static let film = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    let store: any FarmStore
    let queue: any CoordinatorQueue & WorkerQueue
    let directory: TemporaryDirectory
    let address: String
    let client: FarmClient

    /// Serves while `work` runs.
    static func serve(_ work: @Sendable (LiveFarm) async throws -> Void) async throws {
        let store: any FarmStore = MemoryFarmStore()
        let queue: any CoordinatorQueue & WorkerQueue = MemoryJobQueue()
        let directory = try TemporaryDirectory()
        try FarmDirectory(directory.path).marker.create()
        _ = try await store.createTenant("one", weight: 1)
        _ = try await store.createToken("t", tenant: "one", scopes: [.admin], hash: TokenSecret.hash(token))
        var options = FarmService.Options()
        // A store in memory sends no notifications, so the farm has to poll.
        options.watchInterval = .milliseconds(20)
        let service = FarmService(
            store: store, queue: queue, assets: try DirectoryAssets(FarmDirectory(directory.path)),
            films: DirectoryFilms(FarmDirectory(directory.path)), sources: SourceRule(allowedDirectories: ["/"]),
            options: options,
            wake: {})
        try await serving(service.router()) { port in
            let address = "http://127.0.0.1:\(port)"
            try await work(
                LiveFarm(
                    store: store, queue: queue, directory: directory, address: address,
                    client: try FarmClient(server: address, token: token, attempts: 1)))
        }
    }

    /// Writes a draft to its own file, beside a source named `clip.mp4`.
    func writeDraft(_ document: String, source: [UInt8] = [1, 2, 3]) throws -> String {
        try Data(source).write(to: URL(fileURLWithPath: directory.file("clip.mp4")))
        let path = directory.file("draft.json")
        try Data(document.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Completes an export at once without rendering.
    func complete(_ id: ExportID, warnings: [DraftDiagnostic] = []) async throws {
        let key = ArtifactKey(String(repeating: "ab", count: 32))
        try await store.startProbing(id, jobs: [])
        let film = PlannedJob(kind: .stitch, ordinal: 0, key: key, work: .probe(path: "/x"), frameCount: 30, weight: 1)
        try await store.startRendering(id, PlannedExport(jobs: [film], filmKey: key, frameCount: 30, warnings: warnings))
        if let job = try await store.activeJobs(of: [id]).first?.job {
            let ticket = try #require(try await store.dispatch([job.id], at: Date()).first)
            let outcome = JobReport.Outcome.finished(result: JobResult(), reused: false)
            _ = try await store.apply(JobReport(ticket.identity, worker: "w", outcome), at: Date(), jitter: 0)
        }
        let films = try DirectoryArtifactStore(directory: directory.path + "/tenants/1")
        let file = try films.temporaryFile(for: key)
        try Data(LiveFarm.film).write(to: URL(fileURLWithPath: file))
        try films.put(file, for: key)
    }
}

extension ExportStore {
    /// The exports that the leader can compile, with their sources.
    func exportsToCompile(limit: Int) async throws -> [(source: ExportSource, state: ExportState)] {
        var found: [(source: ExportSource, state: ExportState)] = []
        for export in try await exportsToCompile(ofEachTenant: limit, besides: []).prefix(limit) {
            found.append((try #require(try await source(of: export.id)), export.state))
        }
        return found
    }
}
