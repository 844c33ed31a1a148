import Dashboard
import Testing

@Suite("Markup")
struct HTMLTests {
    @Test("A text within markup is escaped, in elements and in attributes")
    func escaping() {
        let text = "<b title=\"x\" class='y'>&amp;</b>"
        let cell: HTML = "<td title=\"\(text)\">\(text)</td>"
        let escaped = "&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;&lt;/b&gt;"
        #expect(cell.text == "<td title=\"\(escaped)\">\(escaped)</td>")
    }

    @Test("Markup within markup stays markup, and numbers are plain")
    func nesting() {
        let inner: HTML = "<b>\("<")</b>"
        let parts: [HTML] = [inner, inner]
        let outer: HTML = "<p>\(inner)\(parts)\(Int64(7))</p>"
        #expect(outer.text == "<p><b>&lt;</b><b>&lt;</b><b>&lt;</b>7</p>")
    }

    @Test("A text of a client that is chosen beside another text is escaped")
    func choices() {
        let label = "<script>"
        let html: HTML = "\(label.isEmpty ? "<i>none</i>" : label)"
        #expect(html.text == "&lt;script&gt;")
    }

    @Test("Control characters do not reach a page")
    func controls() {
        let html: HTML = "<p>\("a\u{0}\u{8}b\n\tc")</p>"
        #expect(html.text == "<p>a\u{FFFD}\u{FFFD}b\n\tc</p>")
    }

    @Test("Characters of other alphabets stay as they are")
    func alphabets() {
        let html: HTML = "\("Fünf Köche 日本 🎬")"
        #expect(html.text == "Fünf Köche 日本 🎬")
    }
}

@Suite("Addresses")
struct AddressTests {
    @Test("A part of a path stays one part, whatever it is")
    func parts() {
        #expect(Address.export("../../v1", "film").text == "/ui/exports/..%2F..%2Fv1/film")
        #expect(Address("ui", "..", ".").text == "/ui/%2E%2E/%2E")
        #expect(Address("ui", "workers", "a b/c?d#e").text == "/ui/workers/a%20b%2Fc%3Fd%23e")
    }

    @Test("Parameters are encoded, and left out where they have no value")
    func query() {
        let address = Address("ui", "exports", query: [("tag", "a=b&c"), ("state", nil), ("label", "ü")])
        #expect(address.text == "/ui/exports?tag=a%3Db%26c&label=%C3%BC")
    }

    @Test(
        "An address that a client asks for leads to the dashboard only",
        arguments: [
            ("/", true), ("/ui/exports?state=failed", true), ("/?did=rerun", true), ("//evil.example/", false),
            ("https://evil.example/", false), ("/\\evil.example", false), ("/ui/\\evil", false), ("javascript:alert(1)", false),
            ("/v1/exports", false), ("", false), ("/ui/a\nb", false), ("ui/exports", false), ("/uix", false),
        ])
    func asked(_ text: String, _ isOwn: Bool) {
        #expect((Address(asked: text) != nil) == isOwn)
    }
}
