import Coordinator
import Dashboard
import ExactTime
import ExportPlan
import FarmAPI
import HTTPTypes
import JobQueue
import NIOCore
import TestServer
import Testing
import FoundationEssentials

@Suite("The dashboard")
struct DashboardTests {
    @Test("Every page and every file of a page is served to an operator and, but for those of operators, to a tenant")
    func pages() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        let job = try #require(try await farm.store.jobs(JobFilter(export: export.id)).first)
        _ = try await farm.send(.put, "/v1/drafts/mine", body: Farm.draft)
        _ = try await farm.queue.heartbeat(Farm.worker(), lifetime: .seconds(60))
        let common = [
            "/", "/ui/exports", "/ui/exports/\(export.id)", "/ui/jobs/\(job.id)", "/ui/batches", "/ui/workers",
            "/ui/dead-letters",
            "/ui/exports?label=a&state=rendering&tag=a%3Db&order=priority&limit=1000", "/ui/exports?order=oldest&state=",
        ]
        for (token, paths) in [
            ("both", common + ["/ui/drafts", "/ui/drafts/mine", "/ui/drafts/mine?revision=1"]),
            ("admin", common + ["/ui/tenants", "/ui/tokens"]),
        ] {
            let browser = try await DashboardBrowser(farm, as: token)
            for path in paths {
                let answer = try await browser.get(path)
                #expect(answer.status == .ok && answer.text.hasPrefix("<!doctype html>"), "\(path): \(answer.status)")
            }
        }
        for asset in StaticAsset.all {
            let answer = try await farm.send(.get, "/ui/assets/\(asset.name)", as: nil)
            #expect(answer.status == .ok && answer.headers[.contentType] == asset.mediaType)
            #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
        }
        let missing = try await farm.send(.get, "/ui/assets/dashboard.css", as: nil)
        #expect(missing.status == .notFound)
        #expect(missing.says("there is no file 'dashboard.css'; load the page again that needs it"))
    }

    @Test(
        "The list is narrowed by label, state and tag, sorted, and given in pages that miss nothing",
        arguments: ExportOrder.allCases)
    func list(_ order: ExportOrder) async throws {
        let farm = try await Farm()
        for number in 0..<7 {
            let body =
                #"{"document":\#(Farm.draft),"label":"Film \#(number)","priority":\#(number % 3),"tags":{"odd":"\#(number % 2)"}}"#
            #expect(try await farm.send(.post, "/v1/exports", body: body).status == .created)
        }
        let browser = try await DashboardBrowser(farm, as: "both")
        func labels(_ path: String) async throws -> [String] {
            try await browser.get(path).text.split(separator: "aria-label=\"Choose Film ").dropFirst().map {
                String($0.prefix(1))
            }
        }
        let expected =
            switch order {
            case .newest: ["6", "5", "4", "3", "2", "1", "0"]
            case .oldest: ["0", "1", "2", "3", "4", "5", "6"]
            case .priority: ["2", "5", "1", "4", "0", "3", "6"]
            }
        #expect(try await labels("/ui/exports?order=\(order.rawValue)") == expected)
        #expect(try await labels("/ui/exports?label=fILM+3") == ["3"])
        #expect(try await labels("/ui/exports?tag=odd%3D1&order=oldest") == ["1", "3", "5"])
        #expect(try await labels("/ui/exports?state=failed").isEmpty)
        // The API's own pages, in the same order.
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let path = "/v1/exports?order=\(order.rawValue)&limit=3" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page = try await farm.send(.get, path).json(Listing<Export>.self)
            found += page.items.map { String($0.label.suffix(1)) }
            cursor = page.next
        } while cursor != nil
        #expect(found == expected)
    }

    @Test("Exports are cancelled, reprioritised and rerun one by one and many at a time, and a repeated form does nothing new")
    func actions() async throws {
        let farm = try await Farm()
        let browser = try await DashboardBrowser(farm, as: "both")
        let exports = [try await farm.submit(), try await farm.submit(), try await farm.submit()]
        func state(_ place: Int) async throws -> ExportState? {
            try await farm.store.export(exports[place].id, tenant: nil)?.state
        }
        let cancelled = try await browser.post("/ui/exports/\(exports[0].id)/cancel")
        #expect(cancelled.status == .seeOther)
        #expect(cancelled.headers[.location] == "/ui/exports/\(exports[0].id)?did=cancelled")
        #expect(try await state(0) == .cancelled)
        #expect(try await browser.post("/ui/exports/\(exports[0].id)/cancel").status == .conflict)
        let ids = exports.map(\.id.text).joined(separator: "\n")
        let raised = try await browser.post("/ui/exports/selection", ["export": ids, "action": "priority", "priority": "7"])
        #expect(raised.text.contains("2 exports changed, 1 export left as they were"))
        #expect(try await farm.store.export(exports[1].id, tenant: nil)?.priority == 7)
        let bulk = try await browser.post("/ui/exports/selection", ["export": ids, "action": "cancel"])
        #expect(bulk.status == .ok && bulk.text.contains("2 exports changed, 1 export left as they were"))
        #expect(try await state(1) == .cancelled)
        #expect(try await state(2) == .cancelled)
        let page = try await browser.get("/ui/workers").text
        let form = ["key", "once"].reduce(into: [:]) { $0[$1] = DashboardBrowser.value(of: $1, in: page) }
        let reruns = [
            try await browser.send(.post, "/ui/exports/\(exports[0].id)/rerun", form: form, headers: DashboardBrowser.page),
            try await browser.send(.post, "/ui/exports/\(exports[0].id)/rerun", form: form, headers: DashboardBrowser.page),
        ].map { $0.headers[.location] }
        #expect(reruns[0] == reruns[1] && reruns[0]?.hasSuffix("?did=rerun") == true)
        #expect(try await farm.store.exports(ExportFilter()).count == 4)
        #expect(try await browser.post("/ui/exports/\(exports[0].id)/remove").headers[.location] == "/ui/exports?did=removed")
        #expect(try await browser.get("/ui/exports/\(exports[0].id)").status == .notFound)
        for form in [
            ["action": "cancel"], ["action": "melt", "export": exports[1].id.text], ["action": "cancel", "export": "x"],
        ] {
            let status = try await browser.post("/ui/exports/selection", form).status
            #expect(status == .badRequest || status == .notFound)
        }
    }

    /// Forms by an operator, where ID stands for an export, and why they are refused.
    static let faultyForms: [(String, [String: String], String)] = [
        (
            "/ui/tokens", ["tenant": "one", "name": "ci", "scope": "fly"],
            "there is no scope 'fly'; there are submit, read, admin, work"
        ),
        (
            "/ui/tokens", ["tenant": "one", "name": "ci", "scope": "read", "days": "0"],
            "a token is valid for 1...3650 days, or until it is revoked"
        ),
        ("/ui/exports/ID/priority", ["priority": "high"], "'high' is not a whole number"),
        ("/ui/exports/selection", ["action": "cancel"], "choose 1...1000 exports, not 0"),
        ("/ui/exports/selection", ["action": "melt", "export": "ID"], "choose what is to be done with the exports"),
    ]

    @Test("A form with a value that it cannot have is refused with what to give", arguments: faultyForms)
    func faultyForm(_ path: String, _ fields: [String: String], _ message: String) async throws {
        let farm = try await Farm()
        let id = try await farm.submit().id.text
        let browser = try await DashboardBrowser(farm, as: "admin")
        let answer = try await browser.post(
            path.replacing("ID", with: id), fields.mapValues { $0.replacing("ID", with: id) })
        #expect(answer.status == .badRequest && answer.says(message), "\(answer.text)")
    }

    @Test("A form that is not complete, is no text or is too large is refused")
    func unreadableForm() async throws {
        let farm = try await Farm()
        let id = try await farm.submit().id
        let browser = try await DashboardBrowser(farm, as: "admin")
        let key = DashboardBrowser.value(of: "key", in: try await browser.get("/ui/workers").text)
        let incomplete = try await browser.send(
            .post, "/ui/exports/\(id)/rerun", form: ["key": key], headers: DashboardBrowser.page)
        #expect(incomplete.status == .badRequest)
        #expect(incomplete.says("the form is not complete; open the page again"), "\(incomplete.text)")
        let binary = try await farm.send(.post, "/ui/theme", as: nil, bytes: [0xFF], headers: DashboardBrowser.page)
        #expect(binary.status == .badRequest && binary.says("the form cannot be read: it is not UTF-8"))
        let large = try await browser.logIn(String(repeating: "a", count: 10_000))
        #expect(large.status == .contentTooLarge && large.says("the body is too large"), "\(large.text)")
    }

    @Test("The page of an export has its segments, the reasons why it waits, and its events")
    func oneExport() async throws {
        let farm = try await Farm()
        let export = try await farm.submit()
        try await farm.plan(export)
        let browser = try await DashboardBrowser(farm, as: "read")
        let page = try await browser.get("/ui/exports/\(export.id)").text
        #expect(page.contains("The segments of the film from left to right: 1 ready."))
        #expect(page.contains("Why it is not done"))
        #expect(page.contains("<b>submitted</b>") && page.contains("<b>rendering</b>"))
        try await farm.fail(try await farm.take(export))
        let failed = try await browser.get("/ui/exports/\(export.id)").text
        #expect(failed.contains("is damaged") && failed.contains("Log of job") && !failed.contains("Why it is not done"))
    }

    @Test("Events are followed from the one that the page has, and from the last one of a connection before")
    func events() async throws {
        let farm = try await Farm()
        let export = try await farm.completed([1, 2, 3])
        let browser = try await DashboardBrowser(farm, as: "read")
        let address = "/ui/exports/\(export.id)/events"
        let all = try await browser.get(address)
        #expect(all.headers[.contentType] == "text/event-stream")
        let ids = all.text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int64($0.dropFirst(4)) }
        #expect(ids.count > 1)
        let last = try #require(ids.last)
        let rest = try await browser.get("\(address)?after=\(ids[0])").text
        #expect(!rest.contains("id: \(ids[0])\n") && rest.contains("id: \(last)\n"))
        var headers = DashboardBrowser.page
        headers[.lastEvent] = "\(last)"
        #expect(try await !browser.get("\(address)?after=0", headers: headers).text.contains("event: happened"))
    }

    @Test("A film is sent whole and in parts, and pictures beside it")
    func film() async throws {
        let farm = try await Farm()
        let bytes = (0..<100).map { UInt8($0) }
        let export = try await farm.completed(
            bytes, pictures: FilmPictures(poster: ArtifactKey(String(repeating: "ef", count: 32))))
        let browser = try await DashboardBrowser(farm, as: "read")
        let film = try await browser.get("/ui/exports/\(export.id)/film")
        #expect(film.body.readableBytesView.elementsEqual(bytes) && film.headers[.cacheControl] == "private, no-cache")
        var headers = DashboardBrowser.page
        headers[.range] = "bytes=10-19"
        let part = try await browser.get("/ui/exports/\(export.id)/film", headers: headers)
        #expect(part.status == .partialContent && part.body.readableBytes == 10)
        #expect(try await browser.get("/ui/exports/\(export.id)/pictures/poster.jpg").status == .ok)
        #expect(try await browser.get("/ui/exports/\(export.id)/pictures/other.jpg").status == .notFound)
    }

    @Test("Operators pause queues, drain workers, and make and revoke tokens; all of it is in their log")
    func operators() async throws {
        let farm = try await Farm()
        _ = try await farm.queue.heartbeat(Farm.worker(), lifetime: .seconds(60))
        let browser = try await DashboardBrowser(farm, as: "admin")
        #expect(try await browser.post("/ui/queues/video/pause").headers[.location] == "/?did=queuePaused")
        #expect(try await farm.store.pausedRoles() == [.video])
        #expect(try await browser.get("/?did=queuePaused").text.contains("The queue is paused."))
        _ = try await browser.post("/ui/queues/video/resume")
        #expect(try await farm.store.pausedRoles().isEmpty)
        #expect(try await browser.post("/ui/workers/w1/drain").status == .seeOther)
        #expect(
            try await browser.post("/ui/tenants", ["name": "agency", "weight": "3", "priorityCap": "10"]).status == .seeOther)
        #expect(try await browser.post("/ui/tenants/agency", ["weight": "4", "maxOpenJobs": "9"]).status == .seeOther)
        let agency = try #require(try await farm.store.tenants().first { $0.name == "agency" })
        #expect(agency.weight == 4 && agency.maxOpenJobs == 9 && agency.priorityCap == 10)
        let made = try await browser.post("/ui/tokens", ["tenant": "agency", "name": "ci", "scope": "read\nsubmit", "days": "1"])
        #expect(made.status == .ok && made.headers[.cacheControl] == "no-store")
        let mark = try #require(made.text.firstRange(of: "id=\"secret\">"))
        let secret = String(made.text[mark.upperBound...].prefix { $0 != "<" })
        #expect(secret.hasPrefix("spool_"))
        let guest = try await DashboardBrowser(farm, as: secret)
        #expect(try await guest.get("/ui/exports").status == .ok)
        let token = try #require(try await farm.store.tokens().last)
        #expect(token.scopes.sorted { $0.rawValue < $1.rawValue } == [.read, .submit] && token.expiresAt != nil)
        #expect(try await browser.post("/ui/tokens/\(token.id)/rotate").text.contains("id=\"secret\">spool_"))
        #expect(try await browser.post("/ui/tokens/\(token.id)/revoke").headers[.location] == "/ui/tokens?did=revoked")
        #expect(try await guest.get("/ui/exports").status == .seeOther)
        let log = try await farm.send(.get, "/v1/audit/log", as: "admin").json(Listing<AdminAction>.self).items
        #expect(
            Set(log.map(\.operation)) == [
                "pauseQueue", "resumeQueue", "drainWorker", "createTenant", "changeTenant", "createToken", "rotateToken",
                "revokeToken",
            ])
        #expect(!log.contains { $0.body.contains(secret) })
    }

    @Test("The revisions of a draft are drawn over time and compared")
    func drafts() async throws {
        let farm = try await Farm()
        for seconds in [3, 5] {
            let clip = #"{"type":"av","url":"/media/a.mp4","timeRange":{"start":0,"duration":\#(seconds)}}"#
            _ = try await farm.send(.put, "/v1/drafts/mine", body: #"{"version":1,"mainTrackClips":[\#(clip)]}"#)
        }
        let browser = try await DashboardBrowser(farm, as: "both")
        let page = try await browser.get("/ui/drafts/mine").text
        #expect(page.contains("What changed from revision 1 to 2") && page.contains("<ins><code>5</code></ins>"))
        #expect(page.contains("av /media/a.mp4, from 0:00 for 0:05"))
        #expect(try await browser.get("/ui/drafts/mine?revision=1").text.contains("from 0:00 for 0:03"))
        #expect(try await browser.get("/ui/drafts/mine?revision=9").status == .notFound)
        #expect(try await browser.get("/ui/drafts/mine/document?revision=1").text.contains("\"duration\":3"))
    }

    @Test("A dead letter is retried and discarded")
    func deadLetters() async throws {
        let farm = try await Farm()
        let browser = try await DashboardBrowser(farm, as: "both")
        let export = try await farm.submit()
        try await farm.plan(export)
        for _ in 0..<3 { try await farm.fail(try await farm.take(export), .crash) }
        let letter = try #require(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 1).first)
        #expect(try await browser.get("/ui/dead-letters").text.contains("id=\"letter-\(letter.job)\""))
        #expect(
            try await browser.post("/ui/dead-letters/\(letter.job)/discard").headers[.location]
                == "/ui/dead-letters?did=discarded")
        #expect(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 1).isEmpty)
        #expect(
            try await browser.post("/ui/dead-letters/\(letter.job)/retry").headers[.location] == "/ui/dead-letters?did=retried")
        #expect(try await farm.store.export(export.id, tenant: nil)?.state == .rendering)
    }

    @Test("Colours are chosen without a session, and pages come with them")
    func theme() async throws {
        let farm = try await Farm()
        let answer = try await DashboardBrowser(farm).send(
            .post, "/ui/theme", form: ["theme": "dark"],
            headers: [.fetchSite: "same-origin", .referer: "http://localhost/ui/workers"])
        #expect(answer.headers[.location] == "/ui/workers")
        #expect(answer.headers[.setCookie]?.hasPrefix("spool-theme=dark;") == true)
    }
}
