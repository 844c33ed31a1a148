import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing

@Suite("Header fields of answers")
struct RequestFieldTests {
    @Test("An answer has the request's id, or a new one, and so has a problem")
    func identity() async throws {
        let farm = try await Farm()
        let requestID = try #require(HTTPField.Name("X-Request-Id"))
        #expect(try await farm.send(.get, "/v1/exports", headers: [requestID: "mine-1"]).headers[requestID] == "mine-1")
        let missing = try await farm.send(.get, "/v1/exports/x", headers: [requestID: "mine-2"])
        #expect(missing.headers[requestID] == "mine-2" && missing.fault?.request == "mine-2")
        #expect(missing.headers[.contentType] == "application/problem+json")
        for odd in ["", "two words", String(repeating: "x", count: 129), "ä"] {
            let id = try await farm.send(.get, "/v1/exports", headers: [requestID: odd]).headers[requestID]
            #expect(id?.isEmpty == false && id != odd)
        }
        let first = try await farm.send(.get, "/healthz", as: nil).headers[requestID]
        #expect(first != (try await farm.send(.get, "/healthz", as: nil).headers[requestID]))
    }

    @Test("A problem names its code, its status and the line of the page that explains it")
    func problem() async throws {
        let farm = try await Farm()
        let fault = try #require(try await farm.send(.get, "/v1/exports/x").fault)
        #expect(fault.code == .notFound && fault.status == 404 && fault.type == "/docs#notFound")
        #expect(try await farm.send(.get, "/docs", as: nil).text.contains("id=\"notFound\""))
    }

    @Test("Answers say how many requests may come at once and how many now")
    func rate() async throws {
        var options = Farm.quickOptions
        options.requests.requestsPerSecondPerToken = 2
        let farm = try await Farm(options: options)
        let limit = try #require(HTTPField.Name("RateLimit"))
        let policy = try #require(HTTPField.Name("RateLimit-Policy"))
        let router = farm.service.router()
        var headers: HTTPFields = [:]
        headers[.authorization] = "Bearer b-1"
        let first = try await Answer(of: router, to: .get, "/v1/exports", headers: headers)
        #expect(first.headers[policy] == "\"requests\";q=20;w=10")
        #expect(first.headers[limit]?.hasPrefix("\"requests\";r=19;t=") == true)
        var last = first
        for _ in 0..<40 where last.status == .ok {
            last = try await Answer(of: router, to: .get, "/v1/exports", headers: headers)
        }
        #expect(last.status == .tooManyRequests)
        #expect(last.headers[limit]?.hasPrefix("\"requests\";r=0;t=") == true)
        #expect(last.headers[.retryAfter] == "1")
    }

    @Test("Only pages of allowed origins may use the API from a browser")
    func origins() async throws {
        var options = Farm.quickOptions
        options.origins = ["https://studio.example"]
        let farm = try await Farm(options: options)
        let preflight = try await farm.send(
            .options, "/v1/exports", as: nil,
            headers: [.origin: "https://studio.example", .accessControlRequestMethod: "POST"])
        #expect(preflight.status == .noContent)
        #expect(preflight.headers[.accessControlAllowOrigin] == "https://studio.example")
        #expect(preflight.headers[.accessControlAllowMethods]?.contains("PATCH") == true)
        #expect(preflight.headers[.accessControlAllowHeaders]?.lowercased().contains("idempotency-key") == true)
        let allowed = try await farm.send(.get, "/v1/exports", headers: [.origin: "https://studio.example"])
        #expect(allowed.headers[.accessControlAllowOrigin] == "https://studio.example")
        #expect(allowed.headers[.accessControlExposeHeaders]?.contains("ETag") == true)
        let fault = try await farm.send(.get, "/v1/exports/x", headers: [.origin: "https://studio.example"])
        #expect(fault.status == .notFound && fault.headers[.accessControlAllowOrigin] == "https://studio.example")
        let foreign = try await farm.send(.get, "/v1/exports", headers: [.origin: "https://evil.example"])
        #expect(foreign.status == .ok && foreign.headers[.accessControlAllowOrigin] == nil)
        let refused = try await farm.send(.options, "/v1/exports", as: nil, headers: [.origin: "https://evil.example"])
        #expect(refused.headers[.accessControlAllowOrigin] == nil)
        let closed = try await Farm()
        let answer = try await closed.send(.get, "/v1/exports", headers: [.origin: "https://studio.example"])
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
    }
}
