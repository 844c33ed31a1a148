import Dashboard
import FarmAPI
import Testing
import FoundationEssentials

@Suite("Pages")
struct PageTests {
    private static let plain = SamplePages(text: "plain").all()
    private static let names = plain.map(\.name)

    private static func markup(_ name: String, _ pages: [(name: String, markup: String)]) throws -> String {
        try #require(pages.first { $0.name == name }?.markup)
    }

    @Test("A page is markup whose elements are closed in order, and it has no script, style or other host", arguments: names)
    func form(_ name: String) throws {
        #expect(MarkupReader.faults(of: try PageTests.markup(name, PageTests.plain)) == [])
    }

    @Test("Markup of a page is never escaped as if it were a text", arguments: names)
    func escapedMarkup(_ name: String) throws {
        let page = try PageTests.markup(name, PageTests.plain)
        #expect(!page.contains("&lt;"))
    }

    @Test(
        "No text of a client becomes markup, wherever it stands on a page",
        arguments: [
            "<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' onfocus='alert(1)' autofocus='",
            "</title><svg onload=alert(1)>",
            "javascript:alert(1)", "]]><img src=x>", "&quot;><b>", "</textarea></pre></code><i>",
        ])
    func hostile(_ text: String) {
        for (name, markup) in SamplePages(text: text).all() {
            #expect(MarkupReader.faults(of: markup) == [], "\(name)")
            #expect(!markup.contains("<script>") && !markup.contains("<svg onload"), "\(name)")
            #expect(!markup.contains("<img") && !markup.contains("<i>") && !markup.contains("\" onmouseover"), "\(name)")
        }
    }

    @Test("Somebody who may only read sees no forms that change something, besides those of the session")
    func reading() throws {
        for (name, markup) in SamplePages(text: "plain").all([.read]) where !["login", "tenants", "tokens"].contains(name) {
            let actions = markup.split(separator: "method=\"post\" action=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            #expect(actions.sorted() == ["/ui/logout", "/ui/theme"], "\(name)")
            #expect(!markup.contains("href=\"/ui/tokens\"") && !markup.contains("href=\"/ui/tenants\""), "\(name)")
        }
    }

    @Test("Every form that changes something has the session's key")
    func keys() throws {
        for (name, markup) in SamplePages(text: "plain").all() where name != "login" {
            let forms = markup.split(separator: "<form method=\"post\"").dropFirst()
            #expect(!forms.isEmpty)
            for form in forms { #expect(form.contains("name=\"key\" value=\"keyplain\""), "\(name)") }
        }
    }

    @Test("A page that is brought up to date is asked for without its frame")
    func contentOnly() throws {
        var viewer = SamplePages(text: "plain").viewer()
        viewer.wantsContentOnly = true
        let text = Layout.page(FaultPage(status: 404, message: "x"), for: viewer).text
        #expect(text.hasPrefix("<main id=\"main\"") && text.hasSuffix("</main>"))
    }

    @Test("The plot says in words what its bars show")
    func plot() throws {
        let page = try PageTests.markup("overview", PageTests.plain)
        #expect(
            page.contains(
                "Jobs done in each minute of the last hour: 40 in all, at most 40 in a minute. Attempts that failed: 2."))
        #expect(page.contains(">61 min</span> of predicted work"))
    }

    @Test("The strip says in words how many segments are in which state")
    func strip() throws {
        let page = try PageTests.markup("export rendering", PageTests.plain)
        #expect(
            page.contains(
                "The segments of the film from left to right: 1 waiting, 1 ready, 1 dispatched, 1 running, 1 done, 1 failed, "
                    + "1 cancelled."))
        #expect(page.contains("Segment 3: running, its artifact was there already, worker plain, attempt 3, 96 frames"))
    }

    @Test("Static files have hashes in their names, and are found by these names only")
    func assets() {
        for asset in StaticAsset.all {
            #expect(asset.name.split(separator: ".").count == 3 && !asset.bytes.isEmpty)
            #expect(StaticAsset.named(asset.name)?.bytes == asset.bytes)
        }
        #expect(StaticAsset.named("dashboard.css") == nil)
    }
}

@Suite("The timeline of a draft")
struct DraftTimelineTests {
    @Test("A clip whose length only its source knows is marked, and what is known is at its time")
    func lengths() throws {
        let page = SamplePages(text: "plain").all().first { $0.name == "draft" }?.markup ?? ""
        #expect(page.contains("av plain, from 0:00 for 0:04"))
        #expect(page.contains("image plain, from 0:04 for as long as its source is"))
        #expect(page.contains("text, from 0:00 for 0:02"))
    }
}
