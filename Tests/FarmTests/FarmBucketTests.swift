import ArtifactStore
import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import S3Store
import TestSupport
import Testing
import FoundationEssentials

/// Farms without a shared directory: the store is a bucket, and each process has its own copies.
@Suite(.serialized, .enabled(if: MotoServer.isInstalled, "no S3 server: scripts/install-test-tools installs moto"))
struct FarmBucketTests {
    @Test(
        "The film has the local bytes although a worker is killed and requests of the store fail", .timeLimit(.minutes(10)))
    func sameBytes() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        let server = try await MotoServer.shared()
        let bucket = try server.store()
        try await TestFarm.with(workers: 2, bucket: bucket) { farm in
            for method in ["GET", "PUT", "HEAD"] { try await server.fail(bucket, .error500, method: method, count: 4) }
            let ids = try await farm.submit([drafts.file(0)])
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("w1")
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == local)
            #expect(!FileManager.default.fileExists(atPath: farm.directory.file("store")), "no directory is shared")
        }
    }

    @Test("Workers without keys make the local film by addresses that the coordinator signs", .timeLimit(.minutes(10)))
    func withoutKeys() async throws {
        let drafts = try await SampleDrafts()
        let local = try await drafts.exportLocally(0)
        let server = try await MotoServer.shared()
        let bucket = try server.store()
        try await TestFarm.with(workers: 0, bucket: bucket) { farm in
            // A token that lists exports does not open the store.
            await farm.startWorker("reader", environment: ["SPOOL_TOKEN": try await farm.makeToken(.read)])
            #expect(await farm.untilEnded("reader") == 65)
            let token = try await farm.makeToken(.work)
            for name in ["w1", "w2"] { await farm.startWorker(name, environment: ["SPOOL_TOKEN": token]) }
            for method in ["GET", "PUT", "HEAD"] { try await server.fail(bucket, .error500, method: method, count: 4) }
            let ids = try await farm.submit([drafts.file(0)])
            try await farm.eventually { try await farm.rendersSegment() }
            try await farm.kill("w1")
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == local)
            let listing = try await farm.get("/v1/exports", token: token)
            #expect(listing.status == 403, "\(listing)")
        }
    }

    @Test("What the bucket has is not made again, and only the film is moved", .timeLimit(.minutes(10)))
    func reused() async throws {
        let drafts = try await SampleDrafts()
        try await withFilm(of: drafts.file(0)) { farm, bucket, first in
            let before = try await names(bucket)
            await farm.stop("w1")
            await farm.startWorker("w2")
            let second = try await farm.submit([drafts.file(0)])
            try await farm.watch(second)
            let export = try #require(ExportID(second[0] as String))
            let jobs = try await farm.store.jobs(.init(export: export, limit: 100))
            #expect(jobs.allSatisfy { $0.state == .done && ($0.reused || $0.kind == .probe) })
            #expect(try await names(bucket) == before)
            // The second worker has copies of nothing, and the coordinator has only the film.
            let copies = try await ShellTool.run("find '\(farm.cache(of: "w2"))' -type f -size +2k").output
            #expect(copies.isEmpty, "\(copies)")
            #expect(try await farm.film(first) == farm.film(second[0]))
        }
    }

    @Test("A film that is damaged in the bucket is made again", .timeLimit(.minutes(10)))
    func damaged() async throws {
        let drafts = try await SampleDrafts()
        try await withFilm(of: drafts.file(0)) { farm, bucket, first in
            let export = try #require(ExportID(first))
            let key = try #require(try await farm.store.export(export, tenant: nil)?.filmKey)
            let name = try #require(BlobName("tenants/1/\(key.text.prefix(2))/\(key.text)"))
            let other = farm.directory.file("other")
            try Data("not a film".utf8).write(to: URL(fileURLWithPath: other))
            #expect(try await bucket.upload(other, as: name, UploadOptions()))
            let refused = try await farm.spool(["download", first, "-o", farm.directory.file("film.mp4")])
            #expect(refused.status == 65 && refused.errors.contains("rerun the export"), "\(refused)")
            let second = try await farm.submit([drafts.file(0)])
            try await farm.watch(second)
            #expect(try await farm.film(second[0]) == drafts.exportLocally(0))
        }
    }

    /// Runs `body` on a farm of one worker that has made a film.
    private func withFilm(
        of draft: String, _ body: @escaping @Sendable (TestFarm, S3Blobs, String) async throws -> Void
    ) async throws {
        let bucket = try await MotoServer.shared().store()
        try await TestFarm.with(workers: 1, bucket: bucket) { farm in
            let ids = try await farm.submit([draft])
            try await farm.watch(ids)
            try await body(farm, bucket, ids[0])
        }
    }

    private func names(_ bucket: S3Blobs) async throws -> [String] {
        try await bucket.list("", after: nil, limit: 1000).map(\.name.text)
    }
}
