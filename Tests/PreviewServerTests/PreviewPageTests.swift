import HTTPTypes
import PreviewServer
import TestServer
import Testing

@Suite("The page of the preview")
struct PreviewPageTests {
    /// The files that the page names.
    private func files(of page: String) -> [String] {
        page.matches(of: #/(?:href|src)="(/[^"#]+)"/#).map { String($0.output.1) }
    }

    @Test("The page and its files are served with their types, and modules import only what is served")
    func assets() async throws {
        let preview = try Preview()
        let page = try await preview.get("/preview.html")
        #expect(page.status == .notFound, "the page is at /")
        let markup = try await preview.send(.get, "/", headers: [.cookie: try await preview.cookie()]).text
        #expect(markup.hasPrefix("<!doctype html>"))
        var (open, seen) = (files(of: markup), Set<String>())
        #expect(open.contains("/preview.js") && open.contains("/preview.css"))
        while let path = open.popLast() {
            guard seen.insert(path).inserted else { continue }
            let answer = try await preview.get(path)
            #expect(answer.status == .ok, "\(path)")
            let types = ["js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"]
            let suffix = String(path.split(separator: ".").last ?? "")
            #expect(answer.headers[.contentType] == types[suffix], "\(path)")
            guard suffix == "js" else { continue }
            open += answer.text.matches(of: #/from '\.(/[a-z.]+)'/#).map { String($0.output.1) }
        }
        #expect(seen.count >= 10, "\(seen)")
    }

    @Test("Nothing of the page names another host, and the markup has no script, style or handler within")
    func policy() async throws {
        let preview = try Preview()
        let markup = try await preview.send(.get, "/", headers: [.cookie: try await preview.cookie()]).text
        #expect(markup.matches(of: #/ (on[a-z]+|style)=/#).isEmpty && !markup.contains("<style"))
        #expect(markup.matches(of: #/<script/#).count == 1)
        let paths = files(of: markup) + ["/player.js", "/track.js", "/timeline.js", "/drawing.js", "/lists.js", "/keys.js"]
        for path in paths where !path.hasSuffix(".svg") {
            let text = try await preview.get(path).text
            #expect(!text.contains("//cdn") && text.matches(of: #/https?:\/\//#).isEmpty, "\(path)")
            #expect(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML") && !text.contains("eval("), "\(path)")
        }
        #expect(markup.matches(of: #/https?:\/\//#).isEmpty)
    }

    @Test("Every id that a script looks for is in the page")
    func ids() async throws {
        let preview = try Preview()
        let markup = try await preview.send(.get, "/", headers: [.cookie: try await preview.cookie()]).text
        let ids = Set(markup.matches(of: #/ id="([a-z-]+)"/#).map { String($0.output.1) })
        for script in ["preview", "timeline", "lists"] {
            let text = try await preview.get("/\(script).js").text
            for match in text.matches(of: #/find\('([a-z-]+)'\)/#) {
                #expect(ids.contains(String(match.output.1)), "\(script).js: \(match.output.1)")
            }
        }
    }
}
