import DraftModel
import TestSupport
import Testing
import FoundationEssentials

@Suite("Strict reading of JSON")
struct JSONReadingTests {
    private static let clips = #""mainTrackClips": [{"type": "av", "url": "a.mp4"}]"#

    @Test(
        "Invalid JSON is one syntax error with line and column",
        arguments: [
            ("{\n  \"version\": 1,\n}", "line 3, column 1", "comma"),
            ("{\"version\": 1, \"mainTrackClips\": [1, 2,]}", "line 1, column 40", "comma"),
            ("{\n \"version\": 1\n \"title\": \"x\"}", "line 3, column 2", "comma or a closing brace"),
            ("{\"version\" 1}", "line 1, column 12", "colon"), ("{version: 1}", "line 1, column 2", "in quotes"),
            ("{\"version\": 01}", "line 1, column 13", "0"), ("{\"version\": 1.}", "line 1, column 15", "digit"),
            ("{\"version\": .5}", "line 1, column 13", "value"), ("{\"version\": +1}", "line 1, column 13", "value"),
            ("{\"version\": NaN}", "line 1, column 13", "value"), ("{\"version\": 1} x", "line 1, column 16", "after the end"),
            ("{\"title\": \"\u{e4}\u{e4}\", 5}", "line 1, column 17", "name of a member"),
            ("{\"title\": \"a\nb\"}", "line 1, column 13", "line ends"), ("{\"title\": \"a", "line 1, column 11", "has no end"),
            ("{\"title\": \"\\x\"}", "line 1, column 12", "escape"),
            ("{\"title\": \"\\ud800\"}", "line 1, column 12", "surrogate"),
            ("{\"title\": \"\\u12g4\"}", "line 1, column 12", "hexadecimal"), ("", "line 1, column 1", "ends"),
            ("// a\n{}", "line 1, column 1", "value"), ("{\"version\": 1,\r\n\r\n!}", "line 3, column 1", "'!'"),
        ])
    func faults(text: String, place: String, words: String) throws {
        let (draft, diagnostics) = Draft.read(text)
        #expect(draft == nil)
        let fault = try #require(diagnostics.first)
        #expect(diagnostics.count == 1)
        #expect((fault.code, fault.path) == (.syntax, ""))
        #expect(fault.message.contains("\(place):"), "\(fault.message)")
        #expect(fault.message.contains(words), "\(fault.message)")
    }

    @Test(
        "A duplicate name in an object is refused with line and column, also if it is escaped",
        arguments: [
            ("{\"version\": 1,\n \"version\": 1, \(clips)}", "line 2, column 2", "'version'"),
            (
                "{\"version\": 1, \"mainTrackClips\": [{\"type\": \"av\", \"url\": \"a\", \"u\\u0072l\": \"b\"}]}",
                "line 1, column 62", "'url'"
            ),
            ("{\"version\": 1, \(clips), \"parameters\": {\"a\": 1, \"a\": 1}}", "line 1, column 91", "'a'"),
        ])
    func doubled(text: String, place: String, name: String) throws {
        let fault = try #require(Draft.read(text).diagnostics.first)
        #expect(fault.code == .syntax)
        #expect(fault.message.hasPrefix("\(place): \(name) appears twice"), "\(fault.message)")
    }

    @Test("Invalid UTF-8 and the character NUL are refused with line and column")
    func characters() throws {
        let broken = Data("{\"title\": \"".utf8) + Data([0xFF]) + Data("\"}".utf8)
        let fault = try #require(Draft.read(broken).diagnostics.first)
        #expect(fault.message.contains("line 1, column 12") && fault.message.contains("UTF-8"), "\(fault.message)")
        let nul = try #require(Draft.read("{\"title\": \"a\\u0000\"}").diagnostics.first)
        #expect(nul.message.contains("line 1, column 13") && nul.message.contains("NUL"), "\(nul.message)")
    }

    @Test("A nesting of 100 000 levels is an error and not a crash, and 100 levels are read")
    func depth() throws {
        for bracket in ["[", "{\"a\":"] {
            let fault = try #require(Draft.read(String(repeating: bracket, count: 100_000)).diagnostics.first)
            #expect(fault.code == .syntax)
            #expect(fault.message.contains("deep"), "\(fault.message)")
        }
        let nested = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(Draft.faults(in: DraftText.with("\"deep\": \(nested)")) == [Fault("deep", .unknownField)])
    }

    @Test("Every JSON escape is decoded, and a byte order mark is skipped")
    func escapes() {
        let text = #""title": "\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00""#
        let (draft, diagnostics) = Draft.read("\u{feff}" + DraftText.with(text))
        #expect(diagnostics.isEmpty)
        #expect(draft?.title == "\"\\/\u{8}\u{c}\n\r\t\u{e4}\u{1f600}")
    }

    @Test(
        "A number that 64 bits or a double cannot hold is out of range at its path",
        arguments: [
            (#""speed": 1e999"#, "speed"), (#""volume": 1e999"#, "volume"), (#""volume": -1e999"#, "volume"),
            (#""duration": 1e999"#, "duration"), (#""timeRange": {"start": 1e999, "duration": 1}"#, "timeRange.start"),
            (#""timeRange": {"start": 0.1234567890123456789012345, "duration": 1}"#, "timeRange.start"),
            (#""animations": [{"keyPath": "opacity", "keyTimes": [0, 1e999], "values": [0, 1]}]"#, "animations[0].keyTimes[1]"),
            (#""animations": [{"keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 1e999]}]"#, "animations[0].values[1]"),
            (#""filters": [{"type": "contrast", "amount": 1e999}]"#, "filters[0].amount"),
        ])
    func range(field: String, path: String) throws {
        let text = DraftText.withClip(field)
        let faults = Draft.faults(in: text)
        #expect(faults.contains(Fault("mainTrackClips[0].\(path)", .outOfRange)), "\(faults)")
        #expect(faults.allSatisfy { $0.code != .syntax && $0.code != .wrongType }, "\(faults)")
    }

    @Test("A whole number that is too large is out of range, and a fraction has the wrong type")
    func wholeNumbers() {
        #expect(Draft.faults(in: #"{"version": 1e999, \#(Self.clips)}"#) == [Fault("version", .outOfRange)])
        #expect(Draft.faults(in: #"{"version": 1.5, \#(Self.clips)}"#) == [Fault("version", .wrongType)])
    }

    @Test(
        "A number has the same value in every notation",
        arguments: ["1.5", "1.50", "15e-1", "0.15E1", "150e-2", "1.5000000000000000000000000000000000000000000000000"])
    func spellings(number: String) throws {
        let draft = try #require(Draft.read(DraftText.withClip("\"speed\": \(number), \"volume\": \(number)")).draft)
        let plain = try #require(Draft.read(DraftText.withClip("\"speed\": 1.5, \"volume\": 1.5")).draft)
        #expect(draft == plain)
    }

    @Test("A patch keeps numbers exact, and a number that nothing can hold is an error")
    func patches() throws {
        let document = Data(DraftText.with(#""title": "x""#).utf8)
        let patch = try DraftPatch(Data(#"[{"op": "add", "path": "/frameRate", "value": 1e999}]"#.utf8))
        #expect(throws: DraftError.self) { try patch.apply(to: document) }
        let small = try DraftPatch(Data(#"[{"op": "test", "path": "/version", "value": 1.0}]"#.utf8))
        #expect(throws: Never.self) { try small.apply(to: document) }
    }
}
