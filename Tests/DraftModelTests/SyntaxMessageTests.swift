import DraftModel
import Testing
import FoundationEssentials

/// The messages about texts that are not JSON, about patches and about conditions: each says the place and the remedy.
@Suite("Messages about the text of a draft")
struct SyntaxMessageTests {
    static let faults: [(String, String)] = [
        ("", "this is not JSON: line 1, column 1: the text ends where a value should be"),
        ("nonsense", "this is not JSON: line 1, column 1: there is 'n' where a value should be"),
        ("{\"a\" 1}", "this is not JSON: line 1, column 6: there is '1' where a colon should be, after 'a'"),
        ("[1, ]", "this is not JSON: line 1, column 5: remove the comma before the closing bracket"),
        ("[1 2]", "this is not JSON: line 1, column 4: there is '2' where a comma or a closing bracket should be"),
        ("[01]", "this is not JSON: line 1, column 2: a number does not begin with 0 and another digit"),
        ("[-]", "this is not JSON: line 1, column 3: there is ']' where a digit should be"),
        ("[1.]", "this is not JSON: line 1, column 4: there is ']' where a digit after the point should be"),
        ("[1e]", "this is not JSON: line 1, column 4: there is ']' where a digit of an exponent should be"),
        ("[\"a\n\"]", "this is not JSON: line 1, column 4: a line ends inside a string; write \\n"),
        (
            "[\"a\t\"]",
            "this is not JSON: line 1, column 4: there is the control character 9 inside a string; write it as \\u00XX"
        ),
        ("[\"a", "this is not JSON: line 1, column 2: the string that begins here has no end"),
        ("[\"a\\", "this is not JSON: line 1, column 4: the text ends inside a string"),
        ("[\"\\x\"]", "this is not JSON: line 1, column 3: unknown escape in a string; a backslash itself is \\\\"),
        ("[\"\\ud800\"]", "this is not JSON: line 1, column 3: half of a surrogate pair is not a character"),
        ("[\"\\u12\"]", "this is not JSON: line 1, column 3: \\u needs four hexadecimal digits"),
        ("[\"\\u0000\"]", "line 1, column 3: the character NUL is not allowed in a document"),
        ("{\"a\": 1, \"a\": 2}", "line 1, column 10: 'a' appears twice in one object; leave one of them out"),
        (String(repeating: "[", count: 129), "line 1, column 129: arrays and objects are nested more than 128 deep"),
        (
            "{\"\(String(repeating: "n", count: 1_001))\": 1}",
            "line 1, column 2: a name may have 1000 bytes, not 1001"
        ),
    ]

    @Test("A text that is not JSON is reported with line, column and the remedy", arguments: faults)
    func syntax(text: String, line: String) {
        #expect(Draft.read(text).diagnostics.map(\.placedMessage) == [line])
    }

    @Test("A text that is not UTF-8 is reported with its place")
    func encoding() {
        let text = Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])
        #expect(
            Draft.read(text, parameters: [:]).diagnostics.map(\.message) == [
                "this is not JSON: line 1, column 3: the string that continues here is not UTF-8"
            ])
    }

    static let conditions: [(String, String)] = [
        ("'a' not 1", "has '1' where 'in' after 'not' is expected"),
        ("{lang} == 'de'", "has '{' where a merge field, as in {{lang}} is expected"),
        ("'a' == 'a' | 'b' == 'b'", "; 'or' is written ||"),
        (
            String(repeating: "(", count: 33) + "true" + String(repeating: ")", count: 33),
            "may nest parentheses and ! at most 32 deep"
        ),
    ]

    @Test("A condition that cannot be read is reported with the place and the remedy", arguments: conditions)
    func condition(text: String, words: String) throws {
        let diagnostic = try #require(Draft.read(DraftText.withClip(#""when": "\#(text)""#)).diagnostics.first)
        #expect(diagnostic.path == "mainTrackClips[0].when")
        #expect(diagnostic.message.contains(words), "\(diagnostic.message)")
    }

    @Test(
        "A patch that cannot be applied is reported with its operation and the reason",
        arguments: [
            ("{}", "a patch must be an array, not an object"),
            (
                #"[{"op": "remove", "path": "volume"}]"#,
                "[0].path: 'volume' is not a JSON Pointer such as /mainTrackClips/0/volume"
            ),
            (#"[{"op": "add", "path": "/a", "value": 1e400}]"#, "the number 1e400 is out of range"),
        ])
    func patch(text: String, line: String) {
        do {
            _ = try DraftPatch(Data(text.utf8)).apply(to: Data("{}".utf8))
            Issue.record("the patch was applied")
        } catch {
            #expect((error as? DraftError)?.description == line)
        }
    }
}
