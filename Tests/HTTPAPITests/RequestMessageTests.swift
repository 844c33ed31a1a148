import DraftModel
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing

/// The texts of refused requests: each names the field, the parameter or the thing that is meant, what is wrong with it,
/// and what to give instead.
@Suite("Messages of the API")
struct RequestMessageTests {
    private static let nobody = "0193f0d2-7a7e-7000-8000-000000000001"
    private static let patterns = Array(repeating: "\"https://*\"", count: 101).joined(separator: ",")
    private static let hash = String(repeating: "a", count: 64)

    /// Requests by an operator or a tenant, without a body.
    static let requests: [(HTTPRequest.Method, String, HTTPResponse.Status, String)] = [
        (.get, "/v1/exports?tag=x", .badRequest, "tag takes KEY=VALUE, not 'x'"),
        (.get, "/v1/exports?tag=a=1&tag=a=2", .badRequest, "no export has two values of the tag 'a'; give one"),
        (.get, "/v1/exports?metadata=5", .badRequest, "metadata takes a JSON object, not '5'"),
        (.get, "/v1/exports?batch=x", .badRequest, "batch takes the id of a batch, not 'x'"),
        (.get, "/v1/exports?label=", .badRequest, "label takes 1...500 characters, not 0"),
        (
            .get, "/v1/exports?cursor=x", .badRequest,
            "the cursor is not one that this listing gave; leave it out for the first page"
        ),
        (
            .get, "/v1/exports?label=%ZZ", .badRequest,
            "'label' cannot be read: a percent sign is written %25, and text is UTF-8"
        ),
        (.get, "/v1/exports/x", .notFound, "'x' is not the id of an export"),
        (.delete, "/v1/exports", .methodNotAllowed, "this address does not support DELETE; it supports GET, HEAD, POST"),
        (.get, "/v1/batches/x", .notFound, "'x' is not the id of a batch"),
        (.get, "/v1/batches/\(nobody)", .notFound, "there is no batch \(nobody)"),
        (.get, "/v1/recordings/x", .notFound, "'x' is not the id of a recording"),
        (.delete, "/v1/recordings/\(nobody)/clips/x", .notFound, "'x' is not the number of a clip"),
        (.get, "/v1/webhooks/7", .notFound, "there is no webhook 7"),
        (
            .get, "/v1/drafts/-d/revisions", .badRequest,
            "a draft's name has 1...128 of A-Z, a-z, 0-9, '.', '_' and '-', and begins with a letter or a digit; got '-d'"
        ),
        (.delete, "/v1/dead-letters/7", .notFound, "job 7 is no dead letter"),
    ]

    @Test("A request that names what does not exist, or asks for it wrongly, is refused with what is wrong", arguments: requests)
    func refused(_ method: HTTPRequest.Method, _ path: String, _ status: HTTPResponse.Status, _ message: String) async throws {
        let answer = try await Farm().send(method, path)
        #expect(answer.status == status)
        #expect(answer.fault?.detail == message)
    }

    /// Requests by a tenant, with a body.
    static let bodies: [(HTTPRequest.Method, String, String, String)] = [
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"label\":\"\"}",
            "a label has 1...500 characters, not 0"
        ),
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"pool\":\"Big\"}",
            "a pool's name has 1...63 of a-z, 0-9 and -, and does not begin with -; got 'Big'"
        ),
        (.post, "/v1/exports", "{\"document\":\(Farm.draft),\"revision\":1}", "a revision needs the name of a draft"),
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"tags\":{\(tags(33))}}",
            "an export has at most 32 tags, not 33"
        ),
        (
            .post, "/v1/exports",
            "{\"document\":\(Farm.draft),\"tags\":{\"k\":\"\(String(repeating: "v", count: 256))\"}}",
            "the value of the tag 'k' may have 255 bytes, not 256"
        ),
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"tags\":{\"k\":\"a\\u0000b\"}}",
            "the value of the tag 'k' has a NUL character in it"
        ),
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"metadata\":{\"k\":\"a\\u0000b\"}}",
            "the metadata have a NUL character in them"
        ),
        (
            .post, "/v1/exports", "{\"document\":\(Farm.draft),\"settings\":{\"videoQuality\":[]}}",
            "the body cannot be read: settings.videoQuality: a setting is a text, a number or true or false"
        ),
        (.post, "/v1/exports/cancel", "{\"exports\":[]}", "1...1000 exports can be named, not 0"),
        (
            .patch, "/v1/webhooks/1", "{}",
            "nothing is to change; give address, label, events, progressStep or isEnabled"
        ),
        (
            .post, "/v1/webhooks", "{\"address\":\"https://example.com/\",\"progressStep\":51}",
            "progressStep is 1...50 percent, not 51"
        ),
        (.post, "/v1/webhooks", "{\"address\":\"s3://bucket/key\"}", "the address has to begin with https:// or http://"),
    ]

    private static func tags(_ count: Int) -> String {
        (0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
    }

    @Test("A body with a value that a field cannot have is refused with the field and its range", arguments: bodies)
    func body(_ method: HTTPRequest.Method, _ path: String, _ body: String, _ message: String) async throws {
        let answer = try await Farm().send(method, path, body: body)
        #expect(answer.status == .badRequest)
        #expect(answer.fault?.detail == message)
    }

    /// Requests by an operator.
    static let administration: [(HTTPRequest.Method, String, String?, HTTPResponse.Status, String)] = [
        (
            .post, "/v1/tenants", #"{"name":"Big"}"#, .badRequest,
            "a tenant's name has 1...63 of a-z, 0-9 and -, and does not begin with -; got 'Big'"
        ),
        (.post, "/v1/tenants", #"{"name":"big","weight":0}"#, .badRequest, "a tenant's weight is 1...1000, not 0"),
        (
            .post, "/v1/tenants", #"{"name":"big","priorityCap":101}"#, .badRequest,
            "a tenant's priorityCap is -100...100, not 101"
        ),
        (.post, "/v1/tenants", #"{"name":"one"}"#, .conflict, "there is a tenant 'one' already"),
        (
            .patch, "/v1/tenants/one", #"{"maxOpenExports":-1}"#, .badRequest,
            "a tenant's maxOpenExports is 0...1000000000, not -1"
        ),
        (
            .patch, "/v1/tenants/one", #"{"maxOpenJobs":-1}"#, .badRequest,
            "a tenant's maxOpenJobs is 0...1000000000, not -1"
        ),
        (
            .patch, "/v1/tenants/one", #"{"maxAssetBytes":-1}"#, .badRequest,
            "a tenant's maxAssetBytes is 0...1000000000000000, not -1"
        ),
        (
            .post, "/v1/tokens", #"{"name":"t","tenant":"one","scopes":[]}"#, .badRequest,
            "a token has one or more of the scopes submit, read, admin, work, each once"
        ),
        (
            .post, "/v1/tokens", #"{"name":"t","tenant":"one","scopes":["read"],"expiresIn":1}"#, .badRequest,
            "a token is valid for 60...315360000 seconds, not 1"
        ),
        (
            .post, "/v1/tokens", #"{"name":"","tenant":"one","scopes":["read"]}"#, .badRequest,
            "a token's name has 1...255 characters, not 0"
        ),
        (
            .post, "/v1/tokens/1/rotate", #"{"grace":-1}"#, .badRequest,
            "a replaced token stays valid for 0...2592000 seconds, not -1"
        ),
        (.delete, "/v1/tokens/999", nil, .notFound, "there is no token 999"),
        (
            .patch, "/v1/tenants/one",
            "{\"sourceAddresses\":[\(patterns)]}", .badRequest,
            "at most 100 patterns of addresses are allowed, not 101"
        ),
        (.post, "/v1/queues/gpu/pause", nil, .notFound, "there is no queue 'gpu'; there are video, audio, stitch"),
    ]

    @Test("What an operator cannot set is refused with its range", arguments: administration)
    func administer(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ status: HTTPResponse.Status, _ message: String
    ) async throws {
        let answer = try await Farm().send(method, path, as: "admin", body: body)
        #expect(answer.status == status)
        #expect(answer.fault?.detail == message)
    }

    @Test("A request without a token, or with a header that has none, is told which header to send")
    func tokens() async throws {
        let farm = try await Farm()
        let none = try await farm.send(.get, "/v1/exports", as: nil)
        #expect(none.status == .unauthorized)
        #expect(none.fault?.detail == "a token is needed: send 'Authorization: Bearer <token>'")
        let other = try await farm.send(.get, "/v1/exports", as: nil, headers: [.authorization: "Basic b3BlbjpzZXNhbWU="])
        #expect(other.status == .unauthorized)
        #expect(other.fault?.detail == "the Authorization header must be 'Bearer <token>'")
    }

    @Test("A header with a value that it cannot have is refused with its form")
    func headers() async throws {
        let farm = try await Farm()
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        let keyed = try await farm.send(
            .post, "/v1/exports", body: "{\"document\":\(Farm.draft)}", headers: [key: "two words"])
        #expect(keyed.status == .badRequest)
        #expect(keyed.fault?.detail == "an Idempotency-Key has 1...255 printable ASCII characters without spaces")
        let name = try #require(HTTPField.Name("Asset-Name"))
        let named = try await farm.send(
            .put, "/v1/assets/\(RequestMessageTests.hash)", bytes: [1], headers: [name: "%ZZ"])
        #expect(named.status == .badRequest)
        #expect(named.fault?.detail == "Asset-Name must be percent-encoded UTF-8")
    }

    @Test("A draft that is not UTF-8, and a priority that no export has, are refused")
    func drafts() async throws {
        let farm = try await Farm()
        let draft = try await farm.send(.put, "/v1/drafts/d", bytes: [0xFF])
        #expect(draft.status == .badRequest)
        #expect(draft.fault?.detail == "the draft is not UTF-8")
        let metadata = String(repeating: "v", count: 17_000)
        let long = try await farm.send(
            .post, "/v1/exports", body: "{\"document\":\(Farm.draft),\"metadata\":{\"k\":\"\(metadata)\"}}")
        #expect(long.status == .badRequest)
        #expect(long.fault?.detail == "an export's metadata may have 16384 bytes as JSON, not 17008")
        let export = try await farm.submit()
        let changed = try await farm.send(.patch, "/v1/exports/\(export.id)", body: #"{"priority":200}"#)
        #expect(changed.status == .badRequest)
        #expect(changed.fault?.detail == "a priority is -100...100, not 200")
    }

    @Test("A stream that has not begun, or never does, says so")
    func streams() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let stream = try await farm.send(.get, "/v1/exports/\(export.id)/stream/odd.xyz")
        #expect(stream.status == .notFound)
        #expect(
            stream.fault?.detail == "a stream has no file of that name; players open main.m3u8, which names the others")
        let early = try await farm.send(.get, "/v1/exports/\(export.id)/stream/main.m3u8")
        #expect(early.status == .conflict)
        #expect(early.fault?.detail == "the first seconds of the film are not rendered yet; repeat the request")
        _ = try await farm.send(.post, "/v1/exports/\(export.id)/cancel")
        let never = try await farm.send(.get, "/v1/exports/\(export.id)/stream/main.m3u8")
        #expect(never.status == .conflict)
        #expect(never.fault?.detail == "the export has no stream: it is cancelled")
        let other = try await farm.completed([1, 2, 3])
        let none = try await farm.send(.get, "/v1/exports/\(other.id)/stream/main.m3u8")
        #expect(none.status == .conflict && none.fault?.detail == "the export makes no film")
    }

    @Test("A recording that copies pictures and has no frame rate is refused with where to find it")
    func recordings() async throws {
        let answer = try await Farm().send(.post, "/v1/recordings", body: #"{"preset":"passthrough"}"#)
        #expect(answer.status.code == 422)
        #expect(
            answer.fault?.diagnostics?.map(\.placedMessage) == [
                "frameRate: is required with passthrough: give that of the media, which spool probe prints"
            ])
    }

    @Test("A delivery that a webhook does not have is refused with the number of both")
    func deliveries() async throws {
        let farm = try await Farm()
        let created = try await farm.send(.post, "/v1/webhooks", body: #"{"address":"https://example.com/"}"#)
        let id = try created.json(IssuedWebhook.self).webhook.id
        let answer = try await farm.send(.post, "/v1/webhooks/\(id)/deliveries/9/redeliver")
        #expect(answer.status == .notFound)
        #expect(answer.fault?.detail == "webhook \(id) has no delivery 9")
    }
}
