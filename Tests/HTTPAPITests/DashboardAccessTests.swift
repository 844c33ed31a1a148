import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import JobQueue
import TestServer
import Testing
import FoundationEssentials

@Suite("Access to the dashboard")
struct DashboardAccessTests {
    /// Every page, with an address that exists on any farm.
    static let pages = [
        "/", "/ui/exports", "/ui/batches", "/ui/drafts", "/ui/workers", "/ui/dead-letters", "/ui/tenants", "/ui/tokens",
    ]
    /// Every form that changes something.
    static let forms = [
        "/ui/exports/selection", "/ui/exports/ID/cancel", "/ui/exports/ID/retry", "/ui/exports/ID/rerun",
        "/ui/exports/ID/priority", "/ui/exports/ID/remove", "/ui/exports/ID/publish", "/ui/jobs/1/retry",
        "/ui/queues/video/pause", "/ui/queues/video/resume", "/ui/workers/w1/drain", "/ui/workers/w1/resume",
        "/ui/dead-letters/1/retry", "/ui/dead-letters/1/discard", "/ui/batches/ID/cancel", "/ui/batches/ID/rerun",
        "/ui/tenants", "/ui/tenants/one", "/ui/tokens", "/ui/tokens/1/rotate", "/ui/tokens/1/revoke", "/ui/logout",
    ]

    @Test("A browser without a session is led to the login, and comes back after it", arguments: pages)
    func withoutSession(_ page: String) async throws {
        let farm = try await Farm()
        let answer = try await DashboardBrowser(farm).get(page)
        #expect(answer.status == .seeOther)
        let login = try #require(answer.headers[.location])
        #expect(login.hasPrefix("/ui/login"))
        let form = try await DashboardBrowser(farm).get(login)
        #expect(form.status == .ok)
        let destination = DashboardBrowser.value(of: "to", in: form.text)
        let loggedIn = try await DashboardBrowser(farm).logIn("a-1", ["to": destination])
        #expect(loggedIn.headers[.location] == page)
    }

    @Test("A program that asks for / gets the answer of an address where nothing is")
    func programs() async throws {
        let farm = try await Farm()
        for headers: HTTPFields in [[:], [.accept: "application/json"], [.accept: "*/*"]] {
            let answer = try await farm.send(.get, "/", as: "both", headers: headers)
            #expect(answer.status == .notFound && answer.fault?.code == .notFound)
        }
        #expect(try await farm.send(.get, "/docs", as: nil).status == .ok)
    }

    @Test("The session is a cookie that scripts cannot read, and is sent over TLS only where there is TLS")
    func cookie() async throws {
        let farm = try await Farm()
        let plain = try #require(try await DashboardBrowser(farm).logIn("b-1").headers[.setCookie])
        #expect(plain == "spool-session=b-1; Path=/; HttpOnly; SameSite=Lax")
        var headers = DashboardBrowser.page
        headers[.forwarded] = "https"
        let proxied = try #require(try await DashboardBrowser(farm).logIn("b-1", headers: headers).headers[.setCookie])
        #expect(proxied == "__Host-spool-session=b-1; Path=/; HttpOnly; SameSite=Lax; Secure")
        var options = Farm.quickOptions
        options.isEncrypted = true
        let encrypted = try await DashboardBrowser(try await Farm(options: options)).logIn("b-1").headers[.setCookie]
        #expect(encrypted?.hasSuffix("; Secure") == true)
    }

    @Test("A token that is unknown, or that may not read, does not log in")
    func refusedLogins() async throws {
        let farm = try await Farm()
        for (secret, status) in [
            ("guess", HTTPResponse.Status.unauthorized), ("", .unauthorized), ("a; b", .unauthorized), ("s-1", .forbidden),
            ("w-1", .forbidden),
        ] {
            let answer = try await DashboardBrowser(farm).logIn(secret)
            #expect(answer.status == status)
            #expect(answer.headers[.setCookie] == nil && answer.text.contains("role=\"alert\""))
        }
    }

    @Test("A login leads to no other host")
    func openRedirect() async throws {
        let farm = try await Farm()
        for place in ["https://evil.example/", "//evil.example", "/\\evil.example", "/v1/exports", "javascript:alert(1)"] {
            #expect(try await DashboardBrowser(farm).logIn("b-1", ["to": place]).headers[.location] == "/")
        }
    }

    @Test("A revoked token ends the session at once, and the cookie goes")
    func revoked() async throws {
        let farm = try await Farm()
        let browser = try await DashboardBrowser(farm, as: "read")
        #expect(try await browser.get("/ui/exports").status == .ok)
        let token = try #require(try await farm.store.tokens().first { $0.name == "read" })
        _ = try await farm.store.revokeToken(token.id)
        let answer = try await browser.get("/ui/exports")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/ui/login?to=%2Fui%2Fexports")
        #expect(answer.headers[.setCookie]?.contains("Max-Age=0") == true)
        // What the script asks for gets a status that it understands.
        var headers = DashboardBrowser.page
        headers[.part] = "content"
        #expect(try await browser.get("/ui/exports", headers: headers).status == .unauthorized)
    }

    @Test("Logging out takes the cookie away")
    func logOut() async throws {
        let browser = try await DashboardBrowser(try await Farm(), as: "read")
        let answer = try await browser.post("/ui/logout")
        #expect(answer.status == .seeOther && answer.headers[.setCookie]?.contains("spool-session=; ") == true)
    }

    @Test("The session is no way into the API", arguments: ["/v1/exports", "/v1/tokens", "/metrics"])
    func notForAPI(_ path: String) async throws {
        let farm = try await Farm()
        let browser = try await DashboardBrowser(farm, as: "admin")
        #expect(try await browser.get(path).status == .unauthorized)
    }

    @Test("Every form is refused without the session's key, with another session's, and from another site", arguments: forms)
    func forgery(_ path: String) async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        let path = path.replacing("ID", with: export.id.text)
        let browser = try await DashboardBrowser(farm, as: "admin")
        let other = try await DashboardBrowser(farm, as: "other").get("/ui/workers").text
        let foreignKey = DashboardBrowser.value(of: "key", in: other)
        #expect(!foreignKey.isEmpty)
        func status(_ form: [String: String], _ headers: HTTPFields) async throws -> Int {
            try await browser.send(.post, path, form: form, headers: headers).status.code
        }
        let fields = ["export": export.id.text, "action": "cancel", "once": "1"]
        let same: HTTPFields = [.fetchSite: "same-origin", .accept: "text/html"]
        #expect(try await status(fields, same) == 403)
        #expect(try await status(fields.merging(["key": foreignKey]) { $1 }, same) == 403)
        let own = DashboardBrowser.value(of: "key", in: try await browser.get("/ui/workers").text)
        let good = fields.merging(["key": own]) { $1 }
        for headers: HTTPFields in [
            [:], [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.fetchSite: "none"], [.origin: "null"],
            [.origin: "https://evil.example"], [.origin: "http://localhost:8080"], [.origin: "http://localhost.evil.example"],
            [.fetchSite: "same-origin", .origin: "https://evil.example"],
            [.fetchSite: "cross-site", .origin: "http://localhost"],
        ] {
            #expect(try await status(good, headers) == 403, "\(headers)")
        }
        #expect(try await farm.store.export(export.id, tenant: nil)?.state == .submitted)
        #expect(try await farm.store.pausedRoles().isEmpty)
        // A browser of before 2020 says only its origin.
        #expect(try await status(good, [.origin: "http://localhost"]) != 403)
    }

    @Test("A form without a session is refused", arguments: forms)
    func formWithoutSession(_ path: String) async throws {
        let farm = try await Farm()
        let answer = try await DashboardBrowser(farm).send(
            .post, path.replacing("ID", with: AccessTests.nobody), form: ["key": "1"], headers: DashboardBrowser.page)
        #expect(answer.status == .unauthorized && answer.says("log in first"))
    }

    @Test("A form that is refused says what was missing, and where to send it from")
    func refusedForms() async throws {
        let farm = try await Farm()
        let browser = try await DashboardBrowser(farm, as: "admin")
        let key = DashboardBrowser.value(of: "key", in: try await browser.get("/ui/workers").text)
        let own: HTTPFields = [.fetchSite: "same-origin"]
        let cases: [(form: [String: String], headers: HTTPFields, message: String)] = [
            (
                ["key": key], [:],
                "the request does not say which site it comes from; use a page of the dashboard, or the API"
            ),
            (
                ["key": key], [.fetchSite: "cross-site"],
                "a page of another site made this request, so nothing was changed"
            ),
            (
                ["key": "another"], own,
                "the form does not belong to this session, so nothing was changed; open the page again"
            ),
        ]
        for (form, headers, message) in cases {
            let answer = try await browser.send(.post, "/ui/queues/video/pause", form: form, headers: headers)
            #expect(answer.status == .forbidden && answer.says(message), "\(answer.text)")
        }
        #expect(try await farm.store.pausedRoles().isEmpty)
    }

    @Test("A token that only reads changes nothing", arguments: forms.filter { $0 != "/ui/logout" })
    func readOnly(_ path: String) async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        _ = try await farm.queue.heartbeat(Farm.worker(), lifetime: .seconds(60))
        let browser = try await DashboardBrowser(farm, as: "read")
        let answer = try await browser.post(
            path.replacing("ID", with: export.id.text),
            ["export": export.id.text, "action": "cancel", "priority": "3", "name": "x", "scope": "admin", "tenant": "one"])
        #expect(answer.status == .forbidden)
        #expect(try await farm.store.export(export.id, tenant: nil)?.state == .submitted)
        #expect(try await farm.store.tenants().count == 3)
    }

    @Test("What only operators may see and do is refused to tenants")
    func operators() async throws {
        let farm = try await Farm()
        _ = try await farm.queue.heartbeat(Farm.worker(), lifetime: .seconds(60))
        let browser = try await DashboardBrowser(farm, as: "both")
        for page in ["/ui/tenants", "/ui/tokens"] { #expect(try await browser.get(page).status == .forbidden) }
        for form in ["/ui/queues/video/pause", "/ui/workers/w1/drain", "/ui/tokens/1/revoke", "/ui/tenants/two"] {
            #expect(try await browser.post(form, ["weight": "1000"]).status == .forbidden)
        }
        #expect(try await farm.store.pausedRoles().isEmpty)
    }

    @Test("A tenant sees and changes nothing of another's: it counts as missing")
    func tenants() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        let open = try await farm.submit()
        let job = try #require(try await farm.store.jobs(JobFilter(export: export.id)).first)
        _ = try await farm.send(.put, "/v1/drafts/mine", body: Farm.draft)
        let browser = try await DashboardBrowser(farm, as: "other")
        let id = export.id.text
        for path in [
            "/ui/exports/\(id)", "/ui/exports/\(id)/events", "/ui/exports/\(id)/film", "/ui/exports/\(id)/stream/main.m3u8",
            "/ui/exports/\(id)/pictures/poster.jpg", "/ui/jobs/\(job.id)", "/ui/drafts/mine", "/ui/drafts/mine/document",
            "/ui/batches/\(id)", "/ui/batches/\(id)/manifest.csv",
        ] {
            #expect(try await browser.get(path).status == .notFound, "\(path)")
        }
        for path in ["cancel", "rerun", "priority", "remove", "retry", "publish"] {
            let answer = try await browser.post("/ui/exports/\(open.id)/\(path)", ["priority": "5"])
            #expect(answer.status == .notFound, "\(path)")
        }
        let bulk = try await browser.post("/ui/exports/selection", ["export": open.id.text, "action": "cancel"])
        #expect(bulk.status == .ok && bulk.text.contains("0 exports changed") && bulk.text.contains("there is no export"))
        for page in ["/", "/ui/exports", "/ui/batches", "/ui/drafts", "/ui/dead-letters"] {
            #expect(try await !browser.get(page).text.contains(id))
        }
        #expect(try await farm.store.export(open.id, tenant: nil)?.state == .submitted)
        #expect(try await DashboardBrowser(farm, as: "admin").get("/ui/exports/\(id)").status == .ok)
    }

    @Test("Another site's page reads nothing, and shows nothing in a frame; a link is followed")
    func otherSites() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        let browser = try await DashboardBrowser(farm, as: "both")
        let frame: HTTPFields = [.fetchSite: "cross-site", .fetchMode: "navigate", .fetchDest: "iframe", .accept: "text/html"]
        let image: HTTPFields = [.fetchSite: "cross-site", .fetchMode: "no-cors", .fetchDest: "video"]
        let link: HTTPFields = [.fetchSite: "cross-site", .fetchMode: "navigate", .fetchDest: "document", .accept: "text/html"]
        for path in ["/ui/exports", "/ui/exports/\(export.id)", "/ui/exports/\(export.id)/film"] {
            let framed = try await browser.get(path, headers: frame)
            #expect(framed.status == .forbidden)
            #expect(framed.says("a page of another site made this request; open the address by itself"))
            #expect(try await browser.get(path, headers: image).status == .forbidden)
            #expect(try await browser.get(path, headers: link).status == .ok)
        }
    }

    @Test("Every page forbids frames, scripts within, and what comes from elsewhere", arguments: pages + ["/ui/login"])
    func headers(_ page: String) async throws {
        let browser = try await DashboardBrowser(try await Farm(), as: "admin")
        let answer = try await browser.get(page)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        let policy = try #require(answer.headers[.policy])
        for rule in [
            "default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe"))
        #expect(answer.headers[.frames] == "DENY" && answer.headers[.referrers] == "same-origin")
        #expect(answer.headers[.cacheControl] == "no-store")
    }
}
