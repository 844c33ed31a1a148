import ArtifactStore
import BlockingWork
import ExportPlan
import ContentHashing
import Foundation
import S3Store
import TestSupport
import Testing

/// Faults of the service and of the way to it, on a real server behind a filter that injects them.
@Suite(
    "An S3 service with faults", .enabled(if: MotoServer.isInstalled, Comment(rawValue: MotoServer.absence)),
    .timeLimit(.minutes(2)))
struct S3FaultTests {
    private typealias Fault = MotoServer.Fault

    private let blob: BlobName
    private let bytes = (0..<(11 << 20) + 5).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
    private let folder: TemporaryDirectory

    init() throws {
        blob = try #require(BlobName("a/b"))
        folder = try TemporaryDirectory()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("source")))
    }

    private func store() async throws -> (server: MotoServer, store: S3Blobs) {
        let server = try await MotoServer.shared()
        return (server, try server.store())
    }

    @Test("A small upload survives each fault", arguments: [Fault.error500, .slowDown503, .silentEnd, .lostAnswer])
    private func smallUpload(_ fault: Fault) async throws {
        let (server, store) = try await store()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.file("small")))
        try await server.fail(store, fault, method: "PUT", count: 2)
        #expect(try await store.upload(folder.file("small"), as: blob, UploadOptions()))
        #expect(try await store.info(of: blob)?.byteCount == 3)
    }

    @Test("An upload whose answer was lost finds its own object, and no other one", arguments: [3, 6 << 20])
    func lostAnswer(_ count: Int) async throws {
        let (server, store) = try await store()
        try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: folder.file("first")))
        let path = folder.file("first")
        let options = UploadOptions(replaces: false)
        try await server.fail(store, .lostAnswer, method: count < 6 << 20 ? "PUT" : "POST", count: 2)
        #expect(try await store.upload(path, as: blob, options))
        #expect(try await !store.upload(path, as: blob, options))
        #expect(try await store.info(of: blob)?.byteCount == Int64(count))
    }

    @Test(
        "An upload in parts survives each fault of its parts, its beginning and its end",
        arguments: [Fault.error500, .slowDown503, .silentEnd, .lostAnswer], ["PUT", "POST"])
    private func largeUpload(_ fault: Fault, _ method: String) async throws {
        let (server, store) = try await store()
        try await server.fail(store, fault, method: method, count: 2)
        #expect(try await store.upload(folder.file("source"), as: blob, UploadOptions()))
        #expect(try await store.download(blob, to: folder.file("copy"), sha256: ContentHash.of(bytes)) != nil)
    }

    @Test("An end whose answer is lost is found to be done")
    func lostEnd() async throws {
        let (server, store) = try await store()
        let upload = try await store.beginUpload(as: blob, UploadOptions())
        try await upload.write(bytes)
        // The beginning is answered already, so the next POST is the end.
        try await server.fail(store, .lostAnswer, method: "POST")
        #expect(try await upload.finish())
        #expect(try await store.info(of: blob)?.byteCount == Int64(bytes.count))
        let left = try await store.removeLeftovers(olderThan: .zero)
        #expect(left == 0)
    }

    @Test("A download goes on where it broke", arguments: [Fault.reset, .stall, .error500, .slowDown503, .silentEnd])
    private func download(_ fault: Fault) async throws {
        let server = try await MotoServer.shared()
        let store = try fault == .stall ? server.store(attempts: 8, silence: .seconds(4)) : server.store()
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions())
        try await server.fail(store, fault, method: "GET", count: 2)
        #expect(try await store.download(blob, to: folder.file("copy"), sha256: ContentHash.of(bytes)) != nil)
        #expect(FileManager.default.contents(atPath: folder.file("copy")) == Data(bytes))
    }

    @Test("Bytes that were damaged on their way are read once more, and never kept", arguments: [1, 2])
    func damage(_ count: Int) async throws {
        let (server, store) = try await store()
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions())
        try await server.fail(store, .flip, method: "GET", count: count)
        let download: @Sendable () async throws -> BlobInfo? = { [blob, folder, bytes] in
            try await store.download(blob, to: folder.file("copy"), sha256: ContentHash.of(bytes))
        }
        guard count > 1 else {
            #expect(try await download() != nil)
            return
        }
        let error = await #expect(throws: BlobError.self) { try await download() }
        #expect(error?.code == .damaged)
        #expect(error?.message == "is damaged: its bytes have not the checksum \(ContentHash.of(bytes))")
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy")))
    }

    @Test("A blob that is replaced while it is read ends the reading")
    func changed() async throws {
        let (server, store) = try await store()
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions())
        try await server.fail(store, .reset, method: "GET")
        let reader = try #require(try await store.read(blob, range: nil))
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("other")))
        _ = try await store.upload(folder.file("other"), as: blob, UploadOptions())
        let error = await #expect(throws: BlobError.self) { for try await _ in reader {} }
        #expect(error?.code == .changed)
        // A service that ignores the condition gives the new bytes.
        let words = ["was replaced or removed while it was read", "was replaced while it was read"]
        #expect(words.contains(error?.message ?? ""), "\(error?.message ?? "")")
    }

    @Test(
        "A service that stays away is an error after the last attempt, and nothing is left of the upload",
        arguments: [Fault.error500, .silentEnd])
    private func away(_ fault: Fault) async throws {
        let (server, store) = try await store()
        try await server.fail(store, fault, method: "PUT", count: 40)
        let path = folder.file("source")
        let error = await #expect(throws: BlobError.self) { try await store.upload(path, as: self.blob, UploadOptions()) }
        #expect(error?.code == .unavailable)
        #expect(error?.failureClass == .storage)
        #expect(try await store.info(of: blob) == nil)
        let left = try await store.removeLeftovers(olderThan: .zero)
        #expect(left == 0)
    }

    @Test("Nobody listens: the error says so, and names the blob")
    func refused() async throws {
        var retries = S3Retries()
        retries.attempts = 2
        retries.backoff.first = .milliseconds(1)
        let store = S3Blobs(
            try S3Settings("s3://bucket/prefix", endpoint: "http://127.0.0.1:\(try RedisServer.freePort())"),
            .fixed(S3Credentials(accessKey: "a", secretKey: "b")), silence: .seconds(2), sizes: .init(), retries: retries)
        let error = await #expect(throws: BlobError.self) { try await store.info(of: self.blob) }
        #expect(error?.code == .unavailable)
        #expect(error?.description.contains("s3://bucket/prefix/a/b") == true)
        #expect(error?.message.hasPrefix("cannot be reached: ") == true)
    }

    @Test(
        "Wrong keys are an error at once, which says what to check",
        arguments: [("nobody", nil), (nil, "wrong")] as [(String?, String?)])
    func denied(_ access: String?, _ secret: String?) async throws {
        let server = try await MotoServer.shared()
        let wrong = S3Credentials(
            accessKey: access ?? server.credentials.accessKey, secretKey: secret ?? server.credentials.secretKey)
        let store = try server.store(credentials: wrong)
        let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
        #expect(error?.code == .denied)
        #expect(error?.description.contains("check the credentials") == true)
        #expect(error?.description.contains(wrong.secretKey) == false)
    }

    @Test("Keys that are replaced in their file are used without a new start")
    func rotated() async throws {
        let server = try await MotoServer.shared()
        let path = folder.file("credentials")
        func write(_ credentials: S3Credentials) throws {
            let text = """
                [other]
                aws_access_key_id = x
                # a comment
                [farm]
                aws_access_key_id = \(credentials.accessKey)
                aws_secret_access_key=\(credentials.secretKey)
                """
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        try write(S3Credentials(accessKey: "outdated", secretKey: "outdated"))
        let store = S3Blobs(
            try S3Settings("s3://\(MotoServer.bucket)/rotated", endpoint: server.endpoint), .file(path: path, profile: "farm"))
        await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
        try write(server.credentials)
        #expect(try await store.list("", after: nil, limit: 1).isEmpty)
    }

    @Test("An object too large for one copy is copied all the same")
    func largeCopy() async throws {
        let server = try await MotoServer.shared()
        let store = try server.store(copy: 6 << 20)
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions())
        let other = try #require(BlobName("c/d"))
        #expect(try await store.copy(blob, to: other))
        #expect(try await store.download(other, to: folder.file("copy"), sha256: ContentHash.of(bytes)) != nil)
    }

    /// The blob has other bytes than the file where both are said to be equal, so the object tells where its bytes are from.
    @Test("Bytes that an object shares are copied by the service, and not sent", arguments: [false, true])
    func sharedBytes(_ isSigned: Bool) async throws {
        let own = try await store().store
        let store = isSigned ? try await StoreKind.signing(for: own) : own
        let earlier = try #require(BlobName("a/earlier"))
        let others = [UInt8](repeating: 7, count: 12 << 20)
        try Data(others).write(to: URL(fileURLWithPath: folder.file("others")))
        _ = try await store.upload(folder.file("others"), as: earlier, UploadOptions())
        let version = try #require(try await store.info(of: earlier)).version
        let shared = SharedBytes(
            blob: earlier, version: version, runs: [SharedBytes.Run(range: 3 << 20..<11 << 20, offset: 1 << 20)])
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions(shared: shared))
        var stored: [UInt8] = []
        for try await more in try #require(try await store.read(blob, range: nil)) { stored += more }
        // The first part needs 5 MiB, of which the run gives two.
        var wanted = Array(bytes.prefix(5 << 20))
        wanted += others.prefix(6 << 20)
        wanted += bytes.dropFirst(11 << 20)
        #expect(stored == wanted)
    }

    @Test("Where the service does not copy parts, they are sent", arguments: [Fault.error500, .slowDown503])
    private func refusedCopies(_ fault: Fault) async throws {
        let (server, store) = try await store()
        let earlier = try #require(BlobName("a/earlier"))
        _ = try await store.upload(folder.file("source"), as: earlier, UploadOptions())
        let version = try #require(try await store.info(of: earlier)).version
        let shared = SharedBytes(
            blob: earlier, version: version, runs: [SharedBytes.Run(range: 0..<Int64(bytes.count), offset: 0)])
        try await server.fail(store, fault, method: "PUT", count: 2)
        _ = try await store.upload(folder.file("source"), as: blob, UploadOptions(shared: shared))
        #expect(try await store.download(blob, to: folder.file("copy"), sha256: ContentHash.of(bytes)) != nil)
    }

    @Test("A cancelled upload leaves nothing behind")
    func cancelled() async throws {
        let (server, store) = try await store()
        try await server.fail(store, .stall, method: "PUT", count: 40)
        let path = folder.file("source")
        let upload = Task { [blob] in try await store.upload(path, as: blob, UploadOptions()) }
        // The upload in parts has begun when the server lists it; its parts then wait.
        while try await store.unfinishedUploads().isEmpty { try Task.checkCancellation() }
        upload.cancel()
        await #expect(throws: (any Error).self) { try await upload.value }
        #expect(try await store.unfinishedUploads().isEmpty)
    }
}
