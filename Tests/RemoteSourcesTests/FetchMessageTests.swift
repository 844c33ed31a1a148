import ArtifactStore
import ExportPlan
import RemoteSources
import S3Store
import Testing
import TestSupport
import Glibc

/// Sources that cannot be fetched, with what the job's failure says.
@Suite("Messages of sources that cannot be fetched", .timeLimit(.minutes(2)))
struct FetchMessageTests {
    private func failure(_ body: () async throws -> Void) async -> JobFailure? {
        await #expect(throws: JobFailure.self) { try await body() }
    }

    // MARK: Servers

    @Test(
        "A server that answers what was not asked for fails the job for now",
        arguments: [
            (304, "was not sent: the server answers 304 without reason"),
            (206, "was sent from another byte than was asked for"),
        ])
    func unasked(_ status: Int, _ message: String) async throws {
        try await SourceServer.run { server, address in
            var setup = try FetchTests.Setup()
            try setup.allow(address)
            setup.policy.tries = 1
            server.set { $0.statuses = [status] }
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .transient)
            #expect(error?.description == "'\(address)/file' \(message)")
        }
    }

    @Test("A source of which the server has no rest any more has changed")
    func changed() async throws {
        try await SourceServer.run { server, address in
            var setup = try FetchTests.Setup()
            try setup.allow(address)
            setup.policy.tries = 2
            server.set { ($0.cuts, $0.rangeStatuses) = ([60_000], [416]) }
            let error = await failure { _ = try await setup.fetch("\(address)/file") }
            #expect(error?.failureClass == .transient)
            #expect(error?.message == "has changed while it was fetched")
            #expect(server.requests.count == 2)
            #expect(try setup.leftovers().isEmpty)
        }
    }

    @Test("A source that the disk has no room for is a failure of the storage")
    func full() async throws {
        let setup = try FetchTests.Setup()
        let assets = try DirectoryAssets(setup.farm, files: DurableFiles { _ in ENOSPC })
        let fetcher = RemoteFetcher(setup.policy, into: assets)
        let error = await failure { _ = try await fetcher.fetch(RemoteFetcher.Wanted("data:,hello", tenant: 7)) }
        #expect(error?.failureClass == .storage)
        #expect(
            error?.message == "cannot be stored: the farm's storage cannot be written: No space left on device")
        #expect(try setup.leftovers().isEmpty)
    }

    // MARK: Buckets

    /// A bucket of which every object may be fetched.
    private func bucket(_ name: String, _ access: BucketAccess) throws -> FetchTests.Setup {
        var setup = try FetchTests.Setup()
        try setup.allow("s3://\(name)")
        setup.policy.buckets = access
        return setup
    }

    private static let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"]

    @Test("A key that no blob can have is refused with what a key may be", arguments: ["a//b.mp4", "../b.mp4", "folder/"])
    func key(_ key: String) async throws {
        let setup = try bucket("films", BucketAccess(environment: Self.keys))
        let error = await failure { _ = try await setup.fetch("s3://films/\(key)") }
        #expect(error?.failureClass == .input)
        #expect(
            error?.message
                == "has a key that cannot be used; name an object whose key has at most 800 bytes, and no part that is empty, "
                + "'.' or '..', or has more than 240 bytes")
    }

    @Test("A name that no bucket can have is refused")
    func bucketName() async throws {
        let setup = try bucket("a_b", BucketAccess(environment: Self.keys))
        let error = await failure { _ = try await setup.fetch("s3://a_b/film.mp4") }
        #expect(error?.failureClass == .input)
        #expect(
            error?.description
                == "'s3://a_b/film.mp4' cannot be fetched: it names no bucket; a bucket's name has 3 to 63 small letters, "
                + "digits, dots and hyphens")
    }

    @Test("An object that is not there is refused", .enabled(if: MotoServer.isInstalled))
    func noObject() async throws {
        let moto = try await MotoServer.shared()
        let setup = try bucket(
            MotoServer.bucket,
            BucketAccess(
                endpoint: moto.endpoint,
                environment: [
                    "AWS_ACCESS_KEY_ID": moto.credentials.accessKey, "AWS_SECRET_ACCESS_KEY": moto.credentials.secretKey,
                ]))
        let error = await failure { _ = try await setup.fetch("s3://\(MotoServer.bucket)/no such film.mp4") }
        #expect(error?.failureClass == .input)
        #expect(error?.message == "cannot be fetched: the bucket has no such object")
    }
}
