import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Access")
struct AccessTests {
    /// Every route, with the scopes that let in.
    static let routes: [(HTTPRequest.Method, String, [String])] = [
        (.post, "/v1/exports", ["submit"]), (.get, "/v1/exports", ["read"]),
        (.get, "/v1/exports/\(nobody)", ["read"]), (.post, "/v1/exports/\(nobody)/cancel", ["submit"]),
        (.post, "/v1/exports/\(nobody)/rerun", ["submit"]), (.get, "/v1/exports/\(nobody)/film", ["read"]),
        (.get, "/v1/exports/\(nobody)/events", ["read"]), (.put, "/v1/drafts/d", ["submit"]),
        (.get, "/v1/drafts/d", ["read"]), (.get, "/v1/drafts", ["read"]), (.put, "/v1/assets/\(hash)", ["submit"]),
        (.head, "/v1/assets/\(hash)", ["submit", "read"]), (.get, "/v1/assets", ["read"]),
        (.get, "/v1/assets/\(hash)", ["read"]), (.get, "/v1/queues", ["read"]),
        (.post, "/v1/queues/video/pause", []), (.post, "/v1/queues/video/resume", []), (.get, "/v1/jobs", ["read"]),
        (.get, "/v1/jobs/1", ["read"]), (.post, "/v1/jobs/1/retry", ["submit"]), (.get, "/v1/workers", ["read"]),
        (.get, "/v1/workers/w", ["read"]), (.get, "/v1/tenants", []), (.post, "/v1/tenants", []), (.get, "/v1/tokens", []),
        (.post, "/v1/tokens", []), (.delete, "/v1/tokens/1", []),
    ]
    static let nobody = "00000000-0000-0000-0000-000000000000"
    static let hash = String(repeating: "0", count: 64)

    @Test("is refused with 401 without a token, with an unknown one, and with another scheme", arguments: routes)
    func needsToken(_ method: HTTPRequest.Method, _ path: String, _ scopes: [String]) async throws {
        let farm = try await Farm()
        for answer in [
            try await farm.send(method, path, as: nil), try await farm.send(method, path, as: "guess"),
            try await farm.send(method, path, as: nil, headers: [.authorization: "Basic abc"]),
        ] {
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            #expect(method == .head ? answer.text.isEmpty : answer.fault?.code == .unauthorized)
        }
    }

    @Test("is refused with 403 that names the scope, to a token that lacks it, and let in with it", arguments: routes)
    func needsScope(_ method: HTTPRequest.Method, _ path: String, _ scopes: [String]) async throws {
        let farm = try await Farm()
        for token in ["submit", "read"] {
            let answer = try await farm.send(method, path, as: token)
            if scopes.contains(token) {
                #expect(answer.status != .forbidden)
            } else {
                #expect(answer.status == .forbidden)
                let needed = scopes.first ?? "admin"
                #expect(answer.fault?.message == "this token lacks the scope '\(needed)'")
            }
        }
        #expect(try await farm.send(method, path, as: "admin").status != .forbidden)
    }

    @Test("ends at once when a token is revoked, and with it the secret")
    func revoking() async throws {
        let farm = try await Farm()
        let made = try await farm.send(
            .post, "/v1/tokens", as: "admin", body: #"{"tenant":"one","name":"ci","scopes":["read"]}"#)
        #expect(made.status == .created)
        let issued = try made.json(IssuedToken.self)
        #expect(issued.token.scopes == [.read])
        #expect(issued.secret.hasPrefix("spool_"))
        #expect(try await farm.send(.get, "/v1/exports", as: issued.secret).status == .ok)
        let listing = try await farm.send(.get, "/v1/tokens", as: "admin")
        #expect(try listing.json(Listing<Token>.self).items.contains(issued.token))
        #expect(!listing.text.contains(issued.secret))
        #expect(!listing.text.contains(TokenSecret.hash(issued.secret)))
        #expect(try await farm.send(.delete, "/v1/tokens/\(issued.token.id)", as: "admin").status == .noContent)
        #expect(try await farm.send(.get, "/v1/exports", as: issued.secret).status == .unauthorized)
        #expect(try await farm.send(.delete, "/v1/tokens/999", as: "admin").status == .notFound)
    }

    @Test("never shows one tenant what is another's")
    func tenancy() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        let job = try #require(try await farm.store.jobs(JobFilter(export: export.id)).first)
        _ = try await farm.send(.put, "/v1/drafts/mine", body: Farm.draft)
        for (method, path) in [
            (HTTPRequest.Method.get, "/v1/exports/\(export.id)"), (.post, "/v1/exports/\(export.id)/cancel"),
            (.post, "/v1/exports/\(export.id)/rerun"), (.get, "/v1/exports/\(export.id)/film"),
            (.get, "/v1/exports/\(export.id)/events"), (.get, "/v1/jobs/\(job.id)"), (.post, "/v1/jobs/\(job.id)/retry"),
            (.get, "/v1/drafts/mine"),
        ] {
            #expect(try await farm.send(method, path, as: "other").status == .notFound)
        }
        for path in ["/v1/exports", "/v1/jobs", "/v1/jobs?export=\(export.id)", "/v1/drafts", "/v1/assets"] {
            #expect(try await farm.send(.get, path, as: "other").text.contains("\"items\":[]"))
        }
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film", as: "admin").status == .ok)
        #expect(try await farm.send(.get, "/v1/exports", as: "admin").json(Listing<Export>.self).items.count == 1)
    }

    @Test("needs no token for /healthz and /readyz")
    func health() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.get, "/healthz", as: nil).status == .ok)
        let ready = try await farm.send(.get, "/readyz", as: nil)
        #expect(ready.status == .ok)
        #expect(try ready.json(Readiness.self) == Readiness(database: true, queue: true))
    }

    @Test("to an address that there is not gives 404 in the one form of answer")
    func unknownAddress() async throws {
        let answer = try await Farm().send(.get, "/v2/exports", as: nil)
        #expect(answer.status == .notFound)
        #expect(answer.fault?.code == .notFound)
    }

    @Test(
        "with a method that an address does not know is 405 and names those that it knows",
        arguments: [
            (HTTPRequest.Method.delete, "/v1/exports", "GET, HEAD, POST"), (.put, "/v1/exports/\(nobody)", "GET, HEAD"),
            (.post, "/v1/exports/\(nobody)/film", "GET, HEAD"), (.get, "/v1/exports/\(nobody)/cancel", "POST"),
            (.post, "/v1/assets/\(hash)", "GET, HEAD, PUT"), (.post, "/healthz", "GET, HEAD"),
            (.patch, "/v1/drafts/d", "GET, HEAD, PUT"), (.options, "/v1/tokens/1", "DELETE"),
        ])
    func otherMethods(_ method: HTTPRequest.Method, _ path: String, _ allowed: String) async throws {
        let answer = try await Farm().send(method, path, as: "admin")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
        #expect(answer.fault?.code == .methodNotAllowed)
        // Without a token, too: the address is no secret.
        #expect(try await Farm().send(method, path, as: nil).status == .methodNotAllowed)
    }

    @Test(
        "by HEAD is answered like GET, with the length and without the body",
        arguments: [
            "/healthz", "/readyz", "/v1/exports", "/v1/exports/EXPORT", "/v1/exports/EXPORT/events", "/v1/drafts/d", "/v1/drafts",
            "/v1/assets", "/v1/queues", "/v1/jobs", "/v1/jobs/1", "/v1/workers", "/v1/tenants", "/v1/tokens", "/v1/recordings",
        ])
    func heads(_ path: String) async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        _ = try await farm.send(.put, "/v1/drafts/d", as: "admin", body: Farm.draft)
        let address = path.replacing("EXPORT", with: "\(export.id)")
        let whole = try await farm.send(.get, address, as: "admin")
        let head = try await farm.send(.head, address, as: "admin")
        #expect(whole.status == .ok)
        #expect(head.status == whole.status)
        #expect(head.headers[.contentType] == whole.headers[.contentType])
        // A stream has no length that could be told.
        #expect((whole.headers[.contentLength] == nil) == path.hasSuffix("/events"))
        #expect(head.headers[.contentLength] == whole.headers[.contentLength])
        #expect(head.body.readableBytes == 0)
    }

    @Test(
        "that fails is answered to HEAD with the status and the length of the answer to GET",
        arguments: ["", "/events", "/film"])
    func failingHeads(_ path: String) async throws {
        let farm = try await Farm()
        let address = "/v1/exports/\(AccessTests.nobody)\(path)"
        let whole = try await farm.send(.get, address)
        let head = try await farm.send(.head, address)
        #expect(whole.status == .notFound && head.status == .notFound)
        #expect(head.headers[.contentLength] == "\(whole.body.readableBytes)")
        #expect(head.body.readableBytes == 0)
    }

    @Test("tenants are made by the operator, each once, with a name that can be one")
    func tenants() async throws {
        let farm = try await Farm()
        let made = try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"three","weight":5}"#)
        #expect(made.status == .created)
        #expect(try made.json(Tenant.self).weight == 5)
        #expect(try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"three"}"#).status == .conflict)
        for body in [#"{"name":"A b"}"#, #"{"name":"x","weight":0}"#, #"{"name":"x","wait":1}"#, "{}", "[]", "{"] {
            #expect(try await farm.send(.post, "/v1/tenants", as: "admin", body: body).status == .badRequest)
        }
        let names = try await farm.send(.get, "/v1/tenants", as: "admin").json(Listing<Tenant>.self).items.map(\.name)
        #expect(names.contains("three"))
        let orphan = #"{"tenant":"nobody","name":"x","scopes":["read"]}"#
        #expect(try await farm.send(.post, "/v1/tokens", as: "admin", body: orphan).status == .notFound)
        let bare = #"{"tenant":"one","name":"x","scopes":[]}"#
        #expect(try await farm.send(.post, "/v1/tokens", as: "admin", body: bare).status == .badRequest)
    }
}
