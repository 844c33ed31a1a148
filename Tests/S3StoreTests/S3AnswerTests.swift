import ArtifactStore
import BlockingWork
import ExportPlan
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import S3Store
import TestServer
import TestSupport
import Testing
import Glibc

/// Answers that no real service gives at will, by a server that the tests write.
@Suite("An S3 service that answers as it should not", .timeLimit(.minutes(2)))
struct S3AnswerTests {
    private static let keys = S3CredentialSource.fixed(S3Credentials(accessKey: "a", secretKey: "b"))
    private static let role = "arn:aws:iam::1:role/farm"

    private let blob: BlobName
    private let folder: TemporaryDirectory

    init() throws {
        blob = try #require(BlobName("a/b"))
        folder = try TemporaryDirectory()
    }

    /// - Parameters:
    ///   - part: the bytes of a part of an upload.
    ///   - partCount: the greatest number of parts.
    private static func store(
        at endpoint: String, part: Int64 = 8, partCount: Int64 = 10_000, _ source: S3CredentialSource = S3AnswerTests.keys
    ) throws -> S3Blobs {
        var (sizes, retries) = (S3Blobs.Sizes(), S3Retries())
        (sizes.part, sizes.partCount, sizes.smallestPart) = (part, partCount, part)
        (retries.attempts, retries.backoff.first) = (2, .milliseconds(1))
        return S3Blobs(
            try S3Settings("s3://bucket/prefix", endpoint: endpoint), source, silence: .seconds(60), sizes: sizes,
            retries: retries)
    }

    /// Serves answers while `work` runs.
    private static func serving(
        _ answer: @escaping @Sendable (Request) -> Response, _ work: @Sendable (_ endpoint: String) async throws -> Void
    ) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            router.on("**", method: method) { request, _ in
                _ = try await request.body.collect(upTo: 16 << 20)
                return answer(request)
            }
        }
        try await TestServer.serving(router) { port in try await work("http://127.0.0.1:\(port)") }
    }

    private static func answer(_ status: Int, _ text: String = "", _ headers: HTTPFields = [:]) -> Response {
        Response(status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The answers of a service to the requests of an upload in parts.
    private static func accept(_ request: Request) -> Response {
        switch request.method {
        case .put: answer(200, "", [.eTag: "\"p\""])
        case .post: answer(200, "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
        default: answer(204)
        }
    }

    @Test(
        "A refusal says what it is about, and what to correct",
        arguments: [
            (
                403, "RequestTimeTooSkewed", BlobErrorCode.denied,
                "was refused, because this machine's clock differs from the service's; set the clock (RequestTimeTooSkewed: no)"
            ),
            (
                400, "AuthorizationHeaderMalformed", .refused,
                "is in another region or at another endpoint; set the region and the endpoint of the bucket "
                    + "(AuthorizationHeaderMalformed: no)"
            ),
            (400, "InvalidArgument", .refused, "was refused: InvalidArgument: no"),
        ])
    func refused(_ status: Int, _ code: String, _ kind: BlobErrorCode, _ message: String) async throws {
        let document = "<Error><Code>\(code)</Code><Message>no</Message></Error>"
        try await Self.serving { _ in
            Self.answer(status, document)
        } _: { endpoint in
            let store = try Self.store(at: endpoint)
            let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
            #expect(error?.code == kind && error?.subject == "s3://bucket/prefix")
            #expect(error?.message == message)
        }
    }

    @Test("A server that answers with a page is no S3 service")
    func page() async throws {
        try await Self.serving { _ in
            Self.answer(200, "<html></html>")
        } _: { endpoint in
            let store = try Self.store(at: endpoint)
            let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
            #expect(error?.code == .refused)
            #expect(error?.message == "cannot be used: its service does not answer as S3 does; correct the endpoint")
        }
    }

    @Test("A range that comes without its bytes is asked for again, and then is an error")
    func endedEarly() async throws {
        let headers: HTTPFields = [.eTag: "\"v\"", .contentRange: "bytes 0-9/10"]
        try await Self.serving { _ in
            Self.answer(206, "", headers)
        } _: { [blob] endpoint in
            let reader = try #require(try await Self.store(at: endpoint).read(blob, range: 0..<10))
            let error = await #expect(throws: BlobError.self) { for try await _ in reader {} }
            #expect(error?.code == .unavailable)
            #expect(error?.message == "cannot be reached: the answer ended early")
        }
    }

    // MARK: Uploads in parts

    @Test("A file that becomes shorter while it is uploaded cannot be read")
    func shorter() async throws {
        let path = folder.file("source")
        try Data(repeating: 7, count: 20).write(to: URL(fileURLWithPath: path))
        // The upload begins once the file's size is known.
        try await Self.serving { request in
            if request.method == .post { truncate(path, 0) }
            return Self.accept(request)
        } _: { [blob] endpoint in
            let store = try Self.store(at: endpoint)
            let error = await #expect(throws: BlobError.self) { try await store.upload(path, as: blob, UploadOptions()) }
            #expect(error?.code == .cannotRead && error?.subject == path)
            #expect(error?.message == "cannot be read: it has become shorter")
        }
    }

    @Test("A file that becomes longer while it is uploaded is not stored")
    func longer() async throws {
        let path = folder.file("source")
        try Data(repeating: 7, count: 20).write(to: URL(fileURLWithPath: path))
        try await Self.serving { request in
            if request.method == .put { truncate(path, 21) }
            return Self.accept(request)
        } _: { [blob] endpoint in
            let store = try Self.store(at: endpoint)
            let error = await #expect(throws: BlobError.self) { try await store.upload(path, as: blob, UploadOptions()) }
            #expect(error?.code == .cannotRead && error?.subject == path)
            #expect(error?.message == "was changed while it was uploaded")
        }
    }

    @Test("Bytes that need more parts than an upload may have are not stored")
    func manyParts() async throws {
        try await Self.serving(Self.accept) { [blob] endpoint in
            let upload = try await Self.store(at: endpoint, part: 4, partCount: 2).beginUpload(as: blob, UploadOptions())
            let error = await #expect(throws: BlobError.self) { try await upload.write([UInt8](repeating: 7, count: 12)) }
            #expect(error?.code == .refused && error?.subject == "s3://bucket/prefix/a/b")
            #expect(error?.message == "cannot be stored: it has more than 2 parts of 4 bytes")
        }
    }

    // MARK: Credentials of a role

    private static func identity(_ token: String, _ service: String) -> S3CredentialSource {
        .webIdentity(.init(tokenFile: token, role: role, sessionName: "spool", service: service))
    }

    @Test("A role whose token is not there says which variable names its file")
    func noToken() async throws {
        let path = folder.file("token")
        let store = try Self.store(at: "http://127.0.0.1:1", Self.identity(path, "http://127.0.0.1:1"))
        let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
        #expect(error?.code == .denied && error?.subject == path)
        #expect(error?.message == "cannot be read; AWS_WEB_IDENTITY_TOKEN_FILE has to name the token of \(Self.role)")
    }

    @Test("A service that refuses the credentials of a role, or is away, is named")
    func noCredentials() async throws {
        let path = folder.file("token")
        try Data("token".utf8).write(to: URL(fileURLWithPath: path))
        let document = "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not for you</Message></Error></ErrorResponse>"
        try await Self.serving { _ in
            Self.answer(400, document)
        } _: { endpoint in
            let store = try Self.store(at: endpoint, Self.identity(path, endpoint + "/sts"))
            let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
            #expect(error?.code == .denied && error?.subject == endpoint + "/sts")
            #expect(error?.message == "gives no credentials of \(Self.role): not for you")
        }
        let away = "http://127.0.0.1:\(try RedisServer.freePort())"
        let store = try Self.store(at: away, Self.identity(path, away))
        let error = await #expect(throws: BlobError.self) { try await store.list("", after: nil, limit: 1) }
        #expect(error?.code == .unavailable && error?.subject == away)
        #expect(error?.message.hasPrefix("gives no credentials of \(Self.role): ") == true, "\(error?.message ?? "")")
    }
}
