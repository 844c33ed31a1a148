import ArtifactStore
import ContentHashing
import ExactTime
import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing
import Vocabulary
import Worker
import FoundationEssentials

/// A worker whose machine does not share its files with the farm's store.
@Suite("A worker with copies of the store's files", .timeLimit(.minutes(2)))
struct MirrorTests {
    private let folder: TemporaryDirectory
    private let blobs: WatchedBlobs
    private let remote: FarmDirectory

    init() async throws {
        folder = try TemporaryDirectory()
        remote = FarmDirectory(folder.file("remote"))
        try remote.marker.create()
        blobs = WatchedBlobs(DirectoryBlobs(remote))
        try await MirroredStore(
            blobs, address: "s3://films", directory: FarmDirectory(folder.file("coordinator")), limit: 0
        ).claim(for: "farm 1")
    }

    private static let key = ArtifactKey(ContentHash.of("an artifact".utf8))

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func remoteFile(_ key: ArtifactKey) -> String {
        "\(remote.artifacts(ofTenant: WorkerFixture.tenant))/\(key.text.prefix(2))/\(key.text)"
    }

    private func localFile(_ key: ArtifactKey, _ farm: WorkerFixture) -> String {
        "\(farm.directory.file("store"))/tenants/\(WorkerFixture.tenant)/\(key.text.prefix(2))/\(key.text)"
    }

    /// Stores an artifact, as another machine does.
    private func store(_ key: ArtifactKey, record: String? = nil) throws {
        let store = try DirectoryArtifactStore(directory: remote.artifacts(ofTenant: WorkerFixture.tenant))
        let file = try store.temporaryFile(for: key)
        try Data("of another machine".utf8).write(to: URL(fileURLWithPath: file))
        try store.put(file, for: key)
        if let record { try Data(record.utf8).write(to: URL(fileURLWithPath: remoteFile(key) + ".sum")) }
    }

    /// Stores an asset, as the coordinator does.
    private func upload(_ text: String, as hash: String) throws {
        let file = remote.asset(hash, ofTenant: WorkerFixture.tenant)
        try FileManager.default.createDirectory(atPath: String(file.dropLast(65)), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    private func making(_ job: Int64, _ farm: WorkerFixture, _ key: ArtifactKey = key) throws -> JobTicket {
        var ticket = try farm.ticket(job, MisbehavingRenderer.making + key.text)
        ticket.kind = .video
        ticket.key = key
        ticket.farm = "farm 1"
        return ticket
    }

    private func allocating(_ job: Int64, _ needed: [ArtifactKey]) -> JobTicket {
        JobTicket(
            job: job, attempt: 1, kind: .video, tenant: WorkerFixture.tenant, pool: "default", key: Self.key, frameCount: 0,
            work: .allocation(plan: AllocationPlan(key: Self.key, bits: 1, measures: needed)))
    }

    @Test("An artifact that was made is in the store when its job is done, and its record was the last")
    func published() async throws {
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([making(1, farm)])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
            #expect(text(remoteFile(Self.key)) == Self.key.text)
            #expect(text(remoteFile(Self.key) + ".sum") == text(localFile(Self.key, farm) + ".sum"))
        }
    }

    @Test("An artifact that the store has is not made again, and none of its bytes are fetched")
    func reused() async throws {
        try store(Self.key)
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([making(1, farm)])
            let end = try #require(try await farm.ends(1).first)
            #expect(end.outcome == .finished(result: JobResult(), reused: true))
        }
        #expect(!farm.hasRendered && blobs.downloads == 0)
    }

    @Test("An artifact whose size is not the recorded one is made again", arguments: ["17 x\n", "", "x", "-1 y"])
    func halfThere(record: String) async throws {
        try store(Self.key, record: record)
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([making(1, farm)])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
        }
        #expect(text(remoteFile(Self.key)) == Self.key.text)
    }

    @Test("An uploaded source is fetched once for all jobs that read it")
    func assets() async throws {
        let content = String(repeating: "frames ", count: 1000)
        let hash = ContentHash.of(content.utf8)
        try upload(content, as: hash)
        let farm = try await WorkerFixture(capacity: WorkerCapacity(slots: 4), blobs: blobs)
        try await farm.working {
            try await farm.queue.send((1...8).map { farm.ticket($0, asset: hash) })
            let ends = try await farm.ends(8)
            #expect(ends.allSatisfy { $0.end == "finished" })
        }
        #expect(blobs.downloads == 1)
        #expect(text(FarmDirectory(farm.directory.file("store")).asset(hash, ofTenant: WorkerFixture.tenant)) == content)
    }

    @Test("A source that the store does not have, or has with other bytes, is the fault of the draft's source")
    func wrongAssets() async throws {
        let (gone, damaged) = (ContentHash.of("gone".utf8), ContentHash.of("damaged".utf8))
        try upload("other bytes", as: damaged)
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, asset: gone), farm.ticket(2, asset: damaged)])
            let ends = try await farm.ends(2).sorted { $0.id.job < $1.id.job }
            #expect(ends.map(\.end) == ["input", "input"])
            #expect(ends[0].failure?.message == "is no longer there; upload it again" && ends[0].failure?.damagedAsset == nil)
            #expect(ends[1].failure?.damagedAsset == damaged)
        }
        #expect(!farm.hasRendered)
    }

    @Test("A source whose copy on this machine is damaged is fetched again for the next attempt")
    func damagedCopy() async throws {
        let content = "frames"
        let hash = ContentHash.of(content.utf8)
        try upload(content, as: hash)
        let farm = try await WorkerFixture(blobs: blobs)
        let copy = FarmDirectory(farm.directory.file("store")).asset(hash, ofTenant: WorkerFixture.tenant)
        try FileManager.default.createDirectory(atPath: String(copy.dropLast(65)), withIntermediateDirectories: true)
        try Data("Frames".utf8).write(to: URL(fileURLWithPath: copy))
        try await farm.working {
            try await farm.queue.send([farm.ticket(1, asset: hash)])
            let failure = try #require(try await farm.ends(1).first?.failure)
            #expect(failure.failureClass == .transient)
            #expect(
                failure.description == "'asset:\(hash)' is damaged in the worker's copies and is fetched again")
            try await farm.queue.send([farm.ticket(1, attempt: 2, asset: hash)])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
        }
        #expect(text(copy) == content)
    }

    @Test("All artifacts that a job needs are fetched, and those that are gone or damaged are named together")
    func needed() async throws {
        let keys = ["sea", "hills", "rain"].map { ArtifactKey(ContentHash.of($0.utf8)) }
        try store(keys[0])
        try store(keys[1])
        try Data("OF another machine".utf8).write(to: URL(fileURLWithPath: remoteFile(keys[1])))
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([allocating(1, keys + [keys[0]])])
            let failure = try #require(try await farm.ends(1).first?.failure)
            #expect(failure.failureClass == .transient)
            #expect(failure.message == "is no longer in the artifact store")
            #expect(failure.missingArtifacts == [keys[1], keys[2]].sorted { $0.text < $1.text })
        }
        #expect(text(localFile(keys[0], farm)) == "of another machine")
        // The damaged one counts as gone from now on, so that it is made again.
        #expect(text(remoteFile(keys[1]) + ".sum") == nil)
        #expect(text(remoteFile(keys[0]) + ".sum") != nil)
    }

    /// A stitch of segments, which the renderer of the test never ends by itself.
    private func joining(_ job: Int64, _ segments: [ArtifactKey]) -> JobTicket {
        let container = ContainerSettings(
            fileType: .mp4, optimizeForNetworkUse: true, metadata: ["title": MisbehavingRenderer.silence])
        let plan = StitchPlan(key: Self.key, frameRate: FrameRate(30), frameCount: 30, container: container)
        return JobTicket(
            job: job, attempt: 1, kind: .video, tenant: WorkerFixture.tenant, pool: "default", key: Self.key, frameCount: 30,
            work: .stitch(
                plan: plan, segments: segments.map { StitchSegment(key: $0, frameCount: 15) }, soundtrack: nil, output: nil))
    }

    @Test("A stitch begins while its last segment is on its way, and ends where that turns out to be gone")
    func streamed() async throws {
        let keys = ["sea", "hills"].map { ArtifactKey(ContentHash.of($0.utf8)) }
        try store(keys[0])
        try store(keys[1])
        blobs.holdDownloads(of: keys[1].text)
        // It does not count as hung while it waits.
        let farm = try await WorkerFixture(progressTimeout: .milliseconds(1), blobs: blobs)
        try await farm.working {
            try await farm.queue.send([joining(1, keys)])
            _ = try await farm.status { _ in farm.hasRendered && text(localFile(keys[0], farm)) != nil }
            #expect(text(localFile(keys[1], farm)) == nil)
            try FileManager.default.removeItem(atPath: remoteFile(keys[1]))
            blobs.letDownloadsGo()
            let failure = try #require(try await farm.ends(1).first?.failure)
            #expect(failure.failureClass == .transient && failure.missingArtifacts == [keys[1]], "\(failure)")
            _ = try await farm.status { $0.running.isEmpty && $0.pausedFor == nil }
        }
    }

    @Test("A stitch whose store goes away while it runs fails by the store, which the worker then waits for")
    func streamedFromNowhere() async throws {
        let key = ArtifactKey(ContentHash.of("sea".utf8))
        try store(key)
        blobs.holdDownloads(of: key.text)
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            try await farm.queue.send([joining(1, [key])])
            _ = try await farm.status { _ in farm.hasRendered }
            blobs.leave(with: BlobError(.unavailable, subject: "s3://films", message: "does not answer"))
            blobs.letDownloadsGo()
            #expect(try await farm.ends(1).map(\.end) == ["storage"])
            _ = try await farm.status { $0.pausedFor?.contains("s3://films") == true }
        }
    }

    @Test("An old copy of a record takes nothing from the store")
    func oldRecord() async throws {
        let key = ArtifactKey(ContentHash.of("sea".utf8))
        try store(key)
        let farm = try await WorkerFixture(blobs: blobs)
        let copy = localFile(key, farm) + ".sum"
        try FileManager.default.createDirectory(atPath: String(copy.dropLast(69)), withIntermediateDirectories: true)
        try Data("5 \(String(repeating: "0", count: 64))\n".utf8).write(to: URL(fileURLWithPath: copy))
        try await farm.working {
            try await farm.queue.send([allocating(1, [key])])
            // The renderer of the test makes nothing of it.
            #expect(try await farm.ends(1).map(\.end) == ["crash"])
        }
        #expect(text(localFile(key, farm)) == "of another machine")
        #expect(text(copy) == text(remoteFile(key) + ".sum") && text(copy) != nil)
    }

    @Test("A worker that drains ends its uploads before it ends itself")
    func drained() async throws {
        blobs.holdUploads()
        let farm = try await WorkerFixture(grace: .seconds(100), blobs: blobs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await farm.worker.run() }
            try await farm.queue.send([making(1, farm)])
            _ = try await farm.status { _ in blobs.heldUploads == 1 }
            group.addTask { await farm.worker.drain() }
            // A worker that has ended has no status any more.
            _ = try await farm.status { $0.isDraining }
            blobs.letUploadsGo()
            try await group.waitForAll()
        }
        let reports = try await farm.queue.reports(limit: 10, wait: .zero).map(\.report.end)
        #expect(reports.last == "finished")
        #expect(text(remoteFile(Self.key) + ".sum") != nil)
    }

    @Test("While the store is away the worker takes no jobs and says why, and goes on when it is back")
    func away() async throws {
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            _ = try await farm.status { $0.pausedFor == nil }
            blobs.leave(with: BlobError(.unavailable, subject: "s3://films", message: "does not answer"))
            try await farm.queue.send([making(1, farm)])
            let status = try await farm.status { $0.pausedFor != nil }
            #expect(status.pausedFor?.contains("s3://films") == true)
            blobs.leave(with: nil)
            _ = try await farm.status { $0.pausedFor == nil }
            var again = try making(2, farm)
            again.farm = nil
            try await farm.queue.send([again])
            #expect(try await farm.ends(1).map(\.end) == ["finished"])
        }
    }

    @Test("A worker of another farm's store takes no jobs")
    func otherFarm() async throws {
        let farm = try await WorkerFixture(blobs: blobs)
        try await farm.working {
            var ticket = try making(1, farm)
            ticket.farm = "farm 2"
            try await farm.queue.send([ticket])
            let status = try await farm.status { $0.pausedFor?.contains("'s3://films' is the store of farm 'farm 1'") == true }
            #expect(status.pausedFor?.contains("the database is farm farm 2") == true)
        }
        #expect(!farm.hasRendered)
    }
}
