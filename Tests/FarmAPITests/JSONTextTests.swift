import FarmAPI
import Testing
import FoundationEssentials

@Suite("The text of a JSON document")
struct JSONTextTests {
    private let text = JSONText(
        Data(#"{ "a" : [ 1, {"url" : "x\"]}.mp4"} , [] ], "b":{"c":-1.50e+2}, "d" : null }"#.utf8))

    @Test(
        "A JSON text has each value where its path says",
        arguments: [
            ("a[0]", "1"), ("a[1].url", #""x\"]}.mp4""#), ("a[2]", "[]"), ("b.c", "-1.50e+2"), ("d", "null"),
            ("b", #"{"c":-1.50e+2}"#),
        ])
    func findsValues(_ path: String, _ value: String) throws {
        let range = try #require(text.value(at: path))
        #expect(text.text(range) == value)
    }

    @Test("A JSON text has nothing at other paths", arguments: ["e", "a[3]", "a.url", "b[0]", "a[1].url.x", "b.c.d"])
    func findsNothing(_ path: String) {
        #expect(text.value(at: path) == nil)
    }

    @Test("A JSON text has many values at once, the last of two with the same name, and names with escapes")
    func findsMany() {
        let text = JSONText(
            Data(
                #"{"a": [{"url": "1"}, {"url": "2", "url": "3"}], "\u0062": {"url": 4}, "a b": "5", "a": [6, {"url": "7"}]}"#.utf8
            ))
        let paths = ["a[1].url", "a[0].url", "b.url", "b", "a b", "a[2]", "c", "a[1]"]
        let found = text.values(at: paths).mapValues(text.text)
        #expect(found == ["a[1].url": #""7""#, "b.url": "4", "b": #"{"url": 4}"#, "a b": #""5""#, "a[1]": #"{"url": "7"}"#])
        #expect(text.values(at: []).isEmpty && JSONText(Data()).values(at: paths).isEmpty)
    }

    @Test("A JSON text stays the same around replaced values")
    func replaces() throws {
        let url = try #require(text.value(at: "a[1].url"))
        let number = try #require(text.value(at: "b.c"))
        let other = text.replacing([(number, "7"), (url, #""y""#)])
        #expect(
            String(decoding: other.bytes, as: UTF8.self) == #"{ "a" : [ 1, {"url" : "y"} , [] ], "b":{"c":7}, "d" : null }"#)
    }

    @Test(
        "Text that is not JSON is searched without harm",
        arguments: ["", "{", #"{"a"#, #"{"a":"#, "[[[", #"{"a":"\"#, "}{", "]"])
    func survives(_ text: String) {
        #expect(JSONText(Data(text.utf8)).value(at: "a[0].b") == nil)
    }

    @Test("A submission keeps the exact bytes of its document")
    func submission() throws {
        let document = #"{ "version":1.0,  "mainTrackClips" : [ ] }"#
        let sent = ExportSubmission(document: document, options: .init(label: "l", parameters: ["p": "\"1\""], priority: 3))
        #expect(try ExportSubmission(body: sent.body()) == sent)
        let bare = ExportSubmission(document: document, options: .init())
        #expect(try ExportSubmission(body: bare.body()) == bare)
        let named = ExportSubmission(document: nil, options: .init(draft: "d", revision: 2))
        #expect(try ExportSubmission(body: named.body()) == named)
    }

    @Test("Dates are read with and without fractions of a second")
    func dates() throws {
        let whole = try #require(FarmJSON.date("2026-01-02T03:04:05Z"))
        let parts = try #require(FarmJSON.date("2026-01-02T03:04:05.250Z"))
        #expect(parts.timeIntervalSince(whole) == 0.25)
        #expect(FarmJSON.text(parts) == "2026-01-02T03:04:05.250Z")
        #expect(FarmJSON.date("yesterday") == nil)
        let error = #expect(throws: DecodingError.self) {
            _ = try FarmJSON.decode([Date].self, from: Data(#"["yesterday"]"#.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription == "'yesterday' is not an ISO 8601 date")
    }
}
