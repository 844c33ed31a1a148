import ContentHashing
import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing

@Suite("Requests with an idempotency key")
struct KeyedRequestTests {
    private static func headers(_ key: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Idempotency-Key")): key]
    }

    @Test("A repeated request is carried out once and has the same answer")
    func repeated() async throws {
        let farm = try await Farm()
        let body = #"{"address":"https://example.com/hook","label":"one"}"#
        let tenant = #"{"name":"third"}"#
        let first = try await farm.send(.post, "/v1/tenants", as: "admin", body: tenant, headers: Self.headers("k"))
        #expect(first.status == .created)
        let again = try await farm.send(.post, "/v1/tenants", as: "admin", body: tenant, headers: Self.headers("k"))
        #expect(again.status == .created && again.text == first.text)
        #expect(again.headers[.contentType] == first.headers[.contentType])
        #expect(again.headers[.location] == first.headers[.location])
        #expect(try await farm.send(.post, "/v1/tenants", as: "admin", body: tenant).status == .conflict, "without the key")

        let other = try await farm.send(
            .post, "/v1/tenants", as: "admin", body: #"{"name":"fourth"}"#, headers: Self.headers("k"))
        #expect(other.status == .conflict && other.fault?.detail.contains("used for another request") == true)
        let elsewhere = try await farm.send(.post, "/v1/tokens", as: "admin", body: tenant, headers: Self.headers("k"))
        #expect(elsewhere.status == .conflict)
        // Another tenant has keys of its own.
        #expect(
            try await farm.send(.post, "/v1/webhooks", as: "other", body: body, headers: Self.headers("k")).status == .created)
    }

    @Test("A request whose key belongs to one that is under way is refused until that has ended")
    func underWay() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let cancel = "/v1/exports/\(export.id)/cancel"
        _ = try await farm.store.beginRequest(
            "k", hash: ContentHash.of("POST \(cancel)\n".utf8), tenant: export.tenant)
        let answer = try await farm.send(.post, cancel, headers: Self.headers("k"))
        #expect(answer.status == .conflict)
        #expect(
            answer.fault?.detail == "a request with the idempotency key 'k' is under way; repeat this one later")
    }

    @Test("A request that failed can be repeated with the same key")
    func failed() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let address = "/v1/exports/\(export.id)/publish"
        for _ in 0..<2 {
            #expect(try await farm.send(.post, address, headers: Self.headers("k")).status == .conflict)
        }
        let cancel = "/v1/exports/\(export.id)/cancel"
        #expect(try await farm.send(.post, cancel, headers: Self.headers("k")).json(Export.self).state == .cancelled)
        #expect(try await farm.send(.post, cancel, headers: Self.headers("k")).json(Export.self).state == .cancelled)
        #expect(try await farm.send(.post, cancel).status == .conflict, "the key answered, not the route")
    }

    @Test("An answer with a secret is not kept, and the request is not carried out again")
    func secret() async throws {
        let farm = try await Farm()
        let body = #"{"address":"https://example.com/hook"}"#
        let first = try await farm.send(.post, "/v1/webhooks", body: body, headers: Self.headers("k"))
        #expect(try first.status == .created && first.json(IssuedWebhook.self).secret.hasPrefix("whsec_"))
        let again = try await farm.send(.post, "/v1/webhooks", body: body, headers: Self.headers("k"))
        #expect(again.status == .conflict && again.fault?.detail.contains("had a secret") == true)
        #expect(try await farm.send(.get, "/v1/webhooks").json(Listing<Webhook>.self).items.count == 1)
    }

    @Test("A key that is none is refused on every POST")
    func malformed() async throws {
        let farm = try await Farm()
        for route in Farm.routes where route.method == .post {
            let answer = try await farm.send(.post, route.examplePath, as: "admin", headers: Self.headers("two words"))
            #expect(answer.status == .badRequest, "\(route)")
        }
    }
}
