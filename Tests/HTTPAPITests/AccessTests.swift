import ContentHashing
import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import NIOCore
import TestServer
import Testing
import FoundationEssentials

@Suite("Access")
struct AccessTests {
    /// Every route that needs a token.
    static let routes = Farm.routes.filter { !$0.scopes.isEmpty }
    static let nobody = "00000000-0000-0000-0000-000000000000"
    static let hash = String(repeating: "0", count: 64)

    @Test("A request without a token, with an unknown one or with another scheme gets 401", arguments: routes)
    func needsToken(_ route: RouteDescription) async throws {
        let farm = try await Farm()
        let (method, path) = (route.method, route.examplePath)
        for answer in [
            try await farm.send(method, path, as: nil), try await farm.send(method, path, as: "guess"),
            try await farm.send(method, path, as: nil, headers: [.authorization: "Basic abc"]),
        ] {
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            #expect(method == .head ? answer.text.isEmpty : answer.fault?.code == .unauthorized)
        }
    }

    @Test("A token without the scope gets 403 that names the scope; with it access is granted", arguments: routes)
    func needsScope(_ route: RouteDescription) async throws {
        let farm = try await Farm()
        let (method, path) = (route.method, route.examplePath)
        for scope in [Scope.submit, .read, .work] {
            let answer = try await farm.send(method, path, as: scope.rawValue)
            if route.scopes.contains(scope) {
                #expect(answer.status != .forbidden)
            } else {
                #expect(answer.status == .forbidden)
                // An answer to HEAD has no body.
                guard method != .head else { continue }
                let needed = try #require(route.scopes.first)
                #expect(answer.fault?.detail == "this token lacks the scope '\(needed.rawValue)'")
            }
        }
        #expect(try await farm.send(method, path, as: "admin").status != .forbidden)
    }

    @Test("A revoked token loses access at once")
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
        #expect(try listing.json(Listing<Token>.self).items.contains { $0.id == issued.token.id })
        #expect(!listing.text.contains(issued.secret))
        #expect(!listing.text.contains(TokenSecret.hash(issued.secret)))
        #expect(try await farm.send(.delete, "/v1/tokens/\(issued.token.id)", as: "admin").status == .noContent)
        #expect(try await farm.send(.get, "/v1/exports", as: issued.secret).status == .unauthorized)
        #expect(try await farm.send(.delete, "/v1/tokens/999", as: "admin").status == .notFound)
    }

    @Test("A tenant never sees data of another tenant")
    func tenancy() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        let job = try #require(try await farm.store.jobs(JobFilter(export: export.id)).first)
        _ = try await farm.send(.put, "/v1/drafts/mine", body: Farm.draft)
        for (method, path) in [
            (HTTPRequest.Method.get, "/v1/exports/\(export.id)"), (.post, "/v1/exports/\(export.id)/cancel"),
            (.post, "/v1/exports/\(export.id)/rerun"), (.get, "/v1/exports/\(export.id)/film"),
            (.get, "/v1/exports/\(export.id)/provenance"),
            (.get, "/v1/exports/\(export.id)/events"), (.get, "/v1/jobs/\(job.id)"), (.post, "/v1/jobs/\(job.id)/retry"),
            (.get, "/v1/drafts/mine"), (.get, "/v1/drafts/mine/revisions"),
        ] {
            #expect(try await farm.send(method, path, as: "other").status == .notFound)
        }
        for path in ["/v1/exports", "/v1/jobs", "/v1/jobs?export=\(export.id)", "/v1/drafts", "/v1/assets"] {
            #expect(try await farm.send(.get, path, as: "other").text.contains("\"items\":[]"))
        }
        #expect(try await farm.send(.get, "/v1/exports/\(export.id)/film", as: "admin").status == .ok)
        #expect(try await farm.send(.get, "/v1/exports", as: "admin").json(Listing<Export>.self).items.count == 1)
    }

    @Test("A token expires, and says when it was last used")
    func expiry() async throws {
        let farm = try await Farm()
        for seconds in [59, 0, -1, 315_360_001] {
            let body = #"{"tenant":"one","name":"ci","scopes":["read"],"expiresIn":\#(seconds)}"#
            #expect(try await farm.send(.post, "/v1/tokens", as: "admin", body: body).status == .badRequest)
        }
        let issued = try await farm.send(
            .post, "/v1/tokens", as: "admin", body: #"{"tenant":"one","name":"ci","scopes":["read"],"expiresIn":60}"#
        ).json(IssuedToken.self)
        let life = try #require(issued.token.expiresAt).timeIntervalSince(issued.token.createdAt)
        #expect(abs(life - 60) < 0.1 && issued.token.lastUsedAt == nil)
        #expect(try await farm.send(.get, "/v1/exports", as: issued.secret).status == .ok)
        let listed = try await farm.send(.get, "/v1/tokens", as: "admin").json(Listing<Token>.self).items
        #expect(listed.first { $0.id == issued.token.id }?.lastUsedAt != nil)
    }

    @Test("A token is replaced by one of the same kind, and stays valid for as long as is asked")
    func rotation() async throws {
        let farm = try await Farm()
        let old = try await farm.send(
            .post, "/v1/tokens", as: "admin", body: #"{"tenant":"one","name":"ci","scopes":["read"],"expiresIn":7200}"#
        ).json(IssuedToken.self)
        let address = "/v1/tokens/\(old.token.id)/rotate"
        #expect(try await farm.send(.post, address, as: "admin", body: #"{"grace":2592001}"#).status == .badRequest)
        #expect(try await farm.send(.post, address, as: "both", body: "{}").status == .forbidden)
        let new = try await farm.send(.post, address, as: "admin", body: #"{"grace":60}"#).json(IssuedToken.self)
        #expect(new.token.scopes == [.read] && new.token.tenant == "one" && new.token.name == "ci")
        #expect(new.token.id != old.token.id && new.secret != old.secret)
        #expect(abs(try #require(new.token.expiresAt).timeIntervalSince(new.token.createdAt) - 7200) < 1)
        for secret in [old.secret, new.secret] {
            #expect(try await farm.send(.get, "/v1/exports", as: secret).status == .ok)
        }
        let listed = try await farm.send(.get, "/v1/tokens", as: "admin").json(Listing<Token>.self).items
        let end = try #require(listed.first { $0.id == old.token.id }?.expiresAt)
        #expect(abs(end.timeIntervalSince(new.token.createdAt) - 60) < 1)
        // Without grace the old one ends at once.
        let third = try await farm.send(
            .post, "/v1/tokens/\(new.token.id)/rotate", as: "admin", body: #"{"grace":0}"#
        ).json(IssuedToken.self)
        #expect(try await farm.send(.get, "/v1/exports", as: new.secret).status == .unauthorized)
        #expect(try await farm.send(.get, "/v1/exports", as: third.secret).status == .ok)
        let late = try await farm.send(.post, "/v1/tokens/\(new.token.id)/rotate", as: "admin", body: "{}")
        #expect(late.status == .conflict)
        #expect(
            late.fault?.detail
                == "token \(new.token.id) has expired or has been revoked, so it cannot be replaced; create a new one")
        #expect(try await farm.send(.post, "/v1/tokens/999/rotate", as: "admin", body: "{}").status == .notFound)
    }

    @Test("What operators change is in the log, with its outcome, and without secrets")
    func log() async throws {
        let farm = try await Farm()
        _ = try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"agency"}"#)
        _ = try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"agency"}"#)
        let issued = try await farm.send(
            .post, "/v1/tokens", as: "admin", body: #"{"tenant":"agency","name":"ci","scopes":["read"]}"#
        ).json(IssuedToken.self)
        _ = try await farm.send(.post, "/v1/queues/video/pause", as: "admin")
        _ = try await farm.send(.post, "/v1/tenants", as: "both", body: #"{"name":"other"}"#)
        _ = try await farm.send(.get, "/v1/tenants", as: "admin")
        let answer = try await farm.send(.get, "/v1/audit/log", as: "admin")
        let actions = try answer.json(Listing<AdminAction>.self).items
        #expect(actions.map(\.operation) == ["pauseQueue", "createToken", "createTenant", "createTenant"])
        #expect(actions.map(\.status) == [200, 201, 409, 201])
        #expect(actions.last?.body == #"{"name":"agency"}"# && actions.first?.path == "/v1/queues/video/pause")
        #expect(Set(actions.map(\.token)).count == 1 && !answer.text.contains(issued.secret))
        #expect(try await farm.send(.get, "/v1/audit/log").status == .forbidden)
    }

    @Test("Quotas are changed by operators, and refuse what is beyond them")
    func quotas() async throws {
        let farm = try await Farm()
        for body in [
            #"{"maxOpenExports":-1}"#, #"{"maxOpenJobs":-1}"#, #"{"maxAssetBytes":-1}"#, #"{"maxAssetBytes":9000000000000000}"#,
        ] {
            #expect(try await farm.send(.patch, "/v1/tenants/one", as: "admin", body: body).status == .badRequest)
        }
        let body = #"{"maxOpenExports":1,"maxAssetBytes":10}"#
        #expect(try await farm.send(.patch, "/v1/tenants/one", body: body).status == .forbidden)
        let tenant = try await farm.send(.patch, "/v1/tenants/one", as: "admin", body: body).json(Tenant.self)
        #expect(tenant.maxOpenExports == 1 && tenant.maxAssetBytes == 10)
        _ = try await farm.submit()
        let refused = try await farm.send(.post, "/v1/exports", body: "{\"document\":\(Farm.draft)}")
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
        #expect(
            refused.fault?.detail
                == "the tenant 'one' has 1 exports that are not over, and may have 1; wait until one has ended, or ask an operator"
        )
        let hash = ContentHash.of(Data(repeating: 1, count: 11))
        let large = try await farm.send(.put, "/v1/assets/\(hash)", bytes: Array(repeating: 1, count: 11))
        #expect(large.status == .forbidden)
        #expect(
            large.fault?.detail.hasSuffix(
                " bytes of assets, and may have 10; remove assets that are not needed, or ask an operator") == true)
        let small = ContentHash.of(Data(repeating: 1, count: 10))
        #expect(try await farm.send(.put, "/v1/assets/\(small)", bytes: Array(repeating: 1, count: 10)).status == .created)
        #expect(try await farm.send(.put, "/v1/assets/\(small)", bytes: Array(repeating: 1, count: 10)).status == .created)
    }

    @Test("Guessed tokens are refused after a while, and those of others at the same address are not")
    func guesses() throws {
        let guesses = TokenGuesses()
        let principal = Principal(token: 1, tenant: 1, scopes: [.read])
        guesses.note(principal, "known", from: "192.0.2.7")
        for number in 0..<TokenGuesses.burst {
            try guesses.check("guess \(number)", from: "192.0.2.7")
            guesses.note(nil, "guess \(number)", from: "192.0.2.7")
        }
        let fault = #expect(throws: RequestFault.self) { try guesses.check("one more", from: "192.0.2.7") }
        #expect(fault?.code == .tooManyRequests)
        #expect(fault?.message.hasPrefix("this address has sent too many unknown tokens; try again in ") == true)
        try guesses.check("known", from: "192.0.2.7")
        try guesses.check("one more", from: "192.0.2.8")
        // Once it is revoked it may be a guess again.
        guesses.note(nil, "known", from: "192.0.2.8")
        #expect(throws: RequestFault.self) { try guesses.check("known", from: "192.0.2.7") }
    }

    @Test("/healthz and /readyz need no token")
    func health() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.get, "/healthz", as: nil).status == .ok)
        let ready = try await farm.send(.get, "/readyz", as: nil)
        #expect(ready.status == .ok)
        let readiness = try ready.json(Readiness.self)
        #expect(readiness.isReady && readiness.missing.isEmpty)
        // This farm has neither.
        #expect(readiness.warnings.contains("no coordinator leads, so nothing is dispatched"))
        #expect(readiness.warnings.contains("no worker takes jobs of the role stitch"))
    }

    @Test("An unknown address gets 404 in the usual form of errors")
    func unknownAddress() async throws {
        let answer = try await Farm().send(.get, "/v2/exports", as: nil)
        #expect(answer.status == .notFound)
        #expect(answer.fault?.code == .notFound)
    }

    @Test(
        "An unknown method of a known address gets 405 with the list of known methods",
        arguments: [
            (HTTPRequest.Method.delete, "/v1/exports", "GET, HEAD, POST"),
            (.put, "/v1/exports/\(nobody)", "DELETE, GET, HEAD, PATCH"),
            (.post, "/v1/exports/\(nobody)/film", "DELETE, GET, HEAD"), (.get, "/v1/exports/\(nobody)/cancel", "POST"),
            (.post, "/v1/assets/\(hash)", "DELETE, GET, HEAD, PUT"), (.post, "/healthz", "GET, HEAD"),
            (.patch, "/v1/drafts/d", "DELETE, GET, HEAD, PUT"), (.options, "/v1/tokens/1", "DELETE"),
        ])
    func otherMethods(_ method: HTTPRequest.Method, _ path: String, _ allowed: String) async throws {
        let answer = try await Farm().send(method, path, as: "admin")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == allowed)
        #expect(answer.fault?.code == .methodNotAllowed)
        // Without a token the answer is the same: addresses are not secret.
        #expect(try await Farm().send(method, path, as: nil).status == .methodNotAllowed)
    }

    @Test(
        "A HEAD request gets the headers of GET, with the length and without the body",
        arguments: [
            "/healthz", "/readyz", "/v1/exports", "/v1/exports/EXPORT", "/v1/exports/EXPORT/events", "/v1/drafts/d", "/v1/drafts",
            "/v1/assets", "/v1/queues", "/v1/jobs", "/v1/jobs/1", "/v1/workers", "/v1/tenants", "/v1/tokens", "/v1/recordings",
            "/v1/webhooks",
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
        // An event stream has no known length.
        #expect((whole.headers[.contentLength] == nil) == path.hasSuffix("/events"))
        #expect(head.headers[.contentLength] == whole.headers[.contentLength])
        #expect(head.body.readableBytes == 0)
    }

    @Test(
        "A failed HEAD request gets the status and the length of the answer to GET",
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

    @Test("The operator creates each tenant once, and only with a valid name, and changes its share and cap")
    func tenants() async throws {
        let farm = try await Farm()
        let made = try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"three","weight":5}"#)
        #expect(made.status == .created)
        #expect(try made.json(Tenant.self).weight == 5)
        #expect(try made.json(Tenant.self).priorityCap == 99)
        #expect(try await farm.send(.post, "/v1/tenants", as: "admin", body: #"{"name":"three"}"#).status == .conflict)
        for body in [
            #"{"name":"A b"}"#, #"{"name":"x","weight":0}"#, #"{"name":"x","priorityCap":-101}"#, #"{"name":"x","wait":1}"#,
            "{}", "[]", "{",
        ] {
            #expect(try await farm.send(.post, "/v1/tenants", as: "admin", body: body).status == .badRequest)
        }
        let names = try await farm.send(.get, "/v1/tenants", as: "admin").json(Listing<Tenant>.self).items.map(\.name)
        #expect(names.contains("three"))
        let changed = try await farm.send(
            .patch, "/v1/tenants/three", as: "admin", body: #"{"weight":6,"priorityCap":-5}"#)
        #expect(changed.status == .ok)
        #expect(try changed.json(Tenant.self).weight == 6)
        #expect(try await farm.store.tenants().first { $0.name == "three" }?.priorityCap == -5)
        for body in [#"{"weight":0}"#, #"{"priorityCap":101}"#, #"{"priorityCap":"x"}"#, #"{"cap":1}"#] {
            #expect(try await farm.send(.patch, "/v1/tenants/three", as: "admin", body: body).status == .badRequest)
        }
        let nobody = try await farm.send(.patch, "/v1/tenants/nobody", as: "admin", body: #"{"weight":2}"#)
        #expect(nobody.status == .notFound)
        let orphan = #"{"tenant":"nobody","name":"x","scopes":["read"]}"#
        #expect(try await farm.send(.post, "/v1/tokens", as: "admin", body: orphan).status == .notFound)
        let bare = #"{"tenant":"one","name":"x","scopes":[]}"#
        #expect(try await farm.send(.post, "/v1/tokens", as: "admin", body: bare).status == .badRequest)
    }
}
