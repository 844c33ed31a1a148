import ArtifactStore
import BlockingWork
import ContentHashing
import Coordinator
import Deliveries
import ExactTime
import ExportPlan
import FarmAPI
import HTTPClient
import JobQueue
import Logging
import TestSupport
import Testing
import FoundationEssentials
import Vocabulary
import Glibc

/// A store with completed exports, and a publisher with short pauses. The film of each export is the same small file.
struct PublisherFixture: Sendable {
    let store = MemoryFarmStore()
    let directory: TemporaryDirectory
    let signal = WakeSignal()
    let log = KeptLog()
    let film: [UInt8]

    init(bytes count: Int = 100_000) async throws {
        directory = try TemporaryDirectory()
        // The head of an MP4 file, so that its type is recognised.
        film = [0, 0, 0, 24] + Array("ftypisom".utf8) + (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try Data(film).write(to: URL(fileURLWithPath: directory.file("film")))
        _ = try await store.createTenant("studio", weight: 1)
    }

    /// An export that is complete and names a destination.
    /// - Parameter pictures: what it has beside the film.
    func completed(
        _ label: String = "film", destination: String, pictures: FilmPictures? = nil
    ) async throws -> ExportID {
        let request = ExportRequest(.document("{}"), label: label, settings: ["destination": destination])
        let id = try await store.submit(request, id: ExportID(), tenant: 1, idempotency: nil).export.id
        _ = await store.startProbing([ExportProbes(export: id, probes: [])])
        let key = ArtifactKey(ContentHash.of(id.text.utf8))
        let plan = StitchPlan(
            key: key, frameRate: FrameRate(30), frameCount: 30,
            container: ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:]))
        let stitch = PlannedJob(
            kind: .stitch, ordinal: 0, key: key, work: .stitch(plan: plan, segments: [], soundtrack: nil, output: nil),
            frameCount: 30, weight: 1)
        _ = await store.startRendering([
            ExportPlanned(export: id, plan: PlannedExport(jobs: [stitch], filmKey: key, frameCount: 30, pictures: pictures))
        ])
        let job = try #require(await store.jobs(JobFilter(export: id)).first)
        let ticket = try #require(await store.dispatch([job.id], at: Date()).first)
        let report = JobReport(ticket.identity, worker: "w", .finished(result: JobResult(), reused: false))
        _ = await store.apply([report], at: Date(), jitter: 0)
        try #require(await store.export(id, tenant: nil)?.state == .completed)
        signal.wake()
        return id
    }

    /// Runs `body` while a publisher runs.
    /// - Parameters:
    ///   - file: the operator's file.
    ///   - film: the path of every film; nil for the film of this fixture.
    ///   - missing: a film or picture that the farm's store does not have.
    func publishing(
        _ file: String, networks: [String] = ["127.0.0.0/8"], film: String? = nil, isThere: Bool = true,
        missing: ArtifactKey? = nil,
        policy: FilmPublisher.Policy = PublisherFixture.quick, _ body: () async throws -> Void
    ) async throws {
        let path = directory.file("destinations.json")
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        let publisher = FilmPublisher(
            store: store, films: OneFilm(path: isThere ? film ?? directory.file("film") : nil, missing: missing),
            destinations: try DestinationFile(path, environment: [:]),
            http: FilmPublisher.connections(networks.compactMap { IPNetwork($0) }), policy: policy, signal: signal,
            now: { Date() }, logger: log.logger(.error))
        let running = Task { await publisher.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    static var quick: FilmPublisher.Policy {
        var policy = FilmPublisher.Policy()
        policy.backoff = Backoff(first: .milliseconds(10), growth: 2, limit: .seconds(60))
        return policy
    }

    /// Waits until a publication is as it should be.
    @discardableResult
    func until(_ export: ExportID, _ isTrue: (Publication) -> Bool) async throws -> Publication {
        while true {
            if let publication = await store.export(export, tenant: nil)?.publication, isTrue(publication) { return publication }
            try await nextLook()
        }
    }
}

private struct OneFilm: FilmFiles {
    let path: String?
    let missing: ArtifactKey?

    func film(_ key: ArtifactKey, tenant: Int64) async throws -> String? { key == missing ? nil : path }
    func recordedSum(of key: ArtifactKey, tenant: Int64) async throws -> (hash: String, byteCount: Int64)? { nil }
}
