import DraftModel
import ExactTime
import TestSupport
import Testing
import FoundationEssentials

@Suite("Conditions")
struct ConditionTests {
    /// A draft of three clips, a, b and c, of which b has the condition.
    private static func draft(_ condition: String, parameters: String = "{}") -> String {
        let text = String(decoding: (try? JSONEncoder().encode(condition)) ?? Data(), as: UTF8.self)
        return """
            {"version": 1, "parameters": \(parameters), "mainTrackClips": [
              {"type": "av", "url": "a"}, {"type": "av", "url": "b", "when": \(text)}, {"type": "av", "url": "c"}]}
            """
    }

    private static func clips(_ condition: String, _ parameters: [String: String]) -> String {
        let (draft, diagnostics) = Draft.read(draft(condition), parameters: parameters)
        return diagnostics.isEmpty ? draft?.mainTrackClips.compactMap(\.url).joined() ?? "" : "\(diagnostics.map(\.message))"
    }

    @Test(
        "A condition compares the values of merge fields",
        arguments: [
            ("{{x}} == 'de'", true), ("{{x}} != 'de'", false), ("'de' == {{ x }}", true), ("{{x}} == \"de\"", true),
            ("{{n}} == 3", true), ("{{n}} == '3'", true), ("{{n}} == 3.0", true), ("{{n}} == '3.0'", false),
            ("{{x}} == 3", false), ("{{n}} < 4", true), ("{{n}} <= 3", true), ("{{n}} > 3", false), ("{{n}} >= 2.5", true),
            ("{{n}} > -1", true), ("{{x}} in ['fr', 'de']", true), ("{{x}} in ['fr']", false), ("{{x}} not in ['fr']", true),
            ("{{n}} in [1, 2, 3]", true), ("!({{x}} == 'de')", false), ("!!({{x}} == 'de')", true),
            ("{{x}} == 'de' && {{n}} == 4", false), ("{{x}} == 'fr' || {{n}} == 3", true),
            ("{{x}} == 'de' || {{x}} == 'a' && {{n}} == 9", true), ("({{x}} == 'de' || {{x}} == 'a') && {{n}} == 9", false),
            ("{{yes}}", true), ("!{{yes}}", false), ("{{yes}} == true", true), ("true", true), ("false", false),
            ("{{empty}} == ''", true), ("{{empty}} != '' && {{empty}} > 3", false), ("{{q}} == 'it\\'s'", true),
            ("{{in}} == 'x'", true), ("'a' == 'b'", false), ("{{x}}=='de'&&{{n}}==3", true),
        ])
    func values(_ condition: String, _ expected: Bool) {
        let values = ["x": "de", "n": "3", "yes": "true", "empty": "", "q": "it's", "in": "x"]
        let used = values.filter { condition.contains("{{\($0.key)}}") || condition.contains("{{ \($0.key) }}") }
        #expect(ConditionTests.clips(condition, used) == (expected ? "abc" : "ac"), "\(condition)")
    }

    @Test(
        "A faulty condition is an error at its path, with the place in it",
        arguments: [
            ("{{x}} = 'de'", "has '=' where nothing more, or && or || is expected; equality is written == (at character 7)"),
            ("{{x}} == ", "ends too early: expected a value: {{name}}, 'text', a number, true or false (at character 10)"),
            ("lang == 'de'", "'lang' is no value; write {{lang}} for a merge field, or 'lang' for a text (at character 1)"),
            ("{{x}} == '{{x}}'", "has a merge field in quotes; write it without them, as in {{lang}} == 'de' (at character 11)"),
            ("{{x}} == 'de", "has a text without its closing ' (at character 10)"),
            ("({{x}} == 'de'", "ends too early: expected ')' (at character 15)"),
            ("{{x}} in 'de'", "has ''' where a list, as in ['de', 'fr'] is expected (at character 10)"),
            ("{{x}} in ['de'", "ends too early: expected ',' or ']' (at character 15)"),
            ("{{x}} & {{x}}", "has '&' where nothing more, or && or || is expected; 'and' is written && (at character 7)"),
            ("{{x}} == 'de' 3", "has '3' where nothing more, or && or || is expected (at character 15)"),
            ("{{x", "has a merge field without its }} (at character 1)"),
            ("{{}}", "has a merge field without a name (at character 1)"),
            ("", "ends too early: expected a value: {{name}}, 'text', a number, true or false (at character 1)"),
            ("{{x}}", "is neither true nor false: 'de'; compare it with something, as in 'de' == 'yes' (at character 1)"),
            ("{{x}} < 3", "< compares numbers, and 'de' is none (at character 1)"),
            ("true && {{x}} < 3", "< compares numbers, and 'de' is none (at character 9)"),
        ])
    func faults(_ condition: String, _ message: String) {
        let (draft, diagnostics) = Draft.read(
            ConditionTests.draft(condition), parameters: condition.contains("{{x") ? ["x": "de"] : [:])
        let own = diagnostics.filter { $0.code != .unknownParameter }
        #expect(own.map(\.path) == ["mainTrackClips[1].when"])
        #expect(own.map(\.message) == [message])
        #expect(draft?.mainTrackClips.count == 3, "the element stays, so that its other faults are found")
    }

    @Test("A condition may be true or false itself, and nothing else but a string")
    func types() {
        func clips(_ value: String) -> (String, [String]) {
            let (draft, diagnostics) = Draft.read(
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}, {"type": "av", "url": "b", "when": \#(value)}]}"#)
            return (draft?.mainTrackClips.compactMap(\.url).joined() ?? "", diagnostics.map(\.path))
        }
        #expect(clips("true") == ("ab", []) && clips("false") == ("a", []) && clips("null") == ("ab", []))
        #expect(clips("1") == ("ab", ["mainTrackClips[1].when"]) && clips("{}") == ("ab", ["mainTrackClips[1].when"]))
    }

    @Test("A condition has a limit of bytes and of depth, and is read in a time that grows with its length")
    func limits() {
        let longest = "'\(String(repeating: "x", count: DraftLimits.conditionBytes - 8))' != ''"
        #expect(longest.utf8.count == DraftLimits.conditionBytes)
        #expect(ConditionTests.clips(longest, [:]) == "abc")
        #expect(ConditionTests.clips(longest + " ", [:]).contains("may have 1000 bytes, not 1001"))
        func nested(_ depth: Int) -> String {
            ConditionTests.clips(String(repeating: "(", count: depth) + "true" + String(repeating: ")", count: depth), [:])
        }
        #expect(nested(32) == "abc")
        #expect(nested(33).contains("at most 32 deep"))
        #expect(ConditionTests.clips(String(repeating: "!", count: 900) + "true", [:]).contains("at most 32 deep"))
        let long = Array(repeating: "true", count: 120).joined(separator: "&&")
        #expect(ConditionTests.clips(long, [:]) == "abc")
    }

    @Test("A merge field of a condition needs a value, and one of a removed clip needs none and counts as used")
    func missing() {
        let faults = Draft.faults(in: ConditionTests.draft("{{x}} == 'de' || {{y}} == 'a'"))
        #expect(
            faults == [
                Fault("mainTrackClips[1].when", .missingParameter), Fault("mainTrackClips[1].when", .missingParameter),
            ])
        let text = #"""
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "a"},
              {"type": "av", "url": "{{clip}}", "id": "{{id}}", "when": "{{x}} == 'de'"}]}
            """#
        #expect(Draft.faults(in: text, parameters: ["x": "fr"]).isEmpty)
        #expect(Draft.faults(in: text, parameters: ["x": "fr", "clip": "b"]).isEmpty)
        #expect(
            Draft.faults(in: text, parameters: ["x": "de", "clip": "b"]) == [Fault("mainTrackClips[1].id", .missingParameter)])
        #expect(Draft.faults(in: text, parameters: ["x": "fr", "other": "b"]) == [Fault("parameters.other", .unknownParameter)])
    }

    @Test("The first clip that is left loses its transition where conditions removed all clips before it")
    func transitions() throws {
        func read(_ first: String, _ second: String) -> (String, [Fault]) {
            let fade = #""transition": {"type": "dissolve", "duration": 1}"#
            let text = """
                {"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "when": \(first)},
                  {"type": "av", "url": "b", \(fade), "when": \(second)}, {"type": "av", "url": "c", \(fade)}]}
                """
            let (draft, diagnostics) = Draft.read(text)
            let clips = draft?.mainTrackClips ?? []
            return (
                clips.map { ($0.url ?? "") + ($0.transition == nil ? "" : "~") }.joined(),
                diagnostics.map { Fault($0.path, $0.code) }
            )
        }
        #expect(read("true", "true") == ("ab~c~", []))
        #expect(read("true", "false") == ("ac~", []), "c joins the clip that is before it now")
        #expect(read("false", "true") == ("bc~", []))
        #expect(read("false", "false") == ("c", []))
    }

    @Test("Audio clips, effects, layers, layers of groups and chapters have conditions; other objects have none")
    func places() throws {
        let text = """
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}],
             "audioClips": [{"url": "m", "when": false}, {"url": "n"}],
             "effects": [{"type": "filter", "operation": {"type": "contrast", "amount": 1}, "when": false}],
             "chapters": [{"start": 0, "title": "x"}, {"start": 0, "title": "y", "when": false}, {"start": 1, "title": "z"}],
             "layers": [
               {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "p"}, "when": false},
               {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": [
                  {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "q"}, "when": false},
                  {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "r"}}]}}]}
            """
        let (read, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        let draft = try #require(read)
        #expect(draft.audioClips?.map(\.url) == ["n"] && draft.effects == [])
        #expect(draft.chapters?.map(\.title) == ["x", "z"])
        #expect(draft.layers?.count == 1 && draft.layers?.first?.source?.layers?.map(\.source?.url) == ["r"])
        let other =
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "filters": [{"type": "invert", "when": false}]}]}"#
        #expect(Draft.faults(in: other).contains { $0.path.hasPrefix("mainTrackClips[0].filters[0]") })
        #expect(
            Draft.faults(in: DraftText.with(#""cover": {"url": "c", "when": false}"#)) == [Fault("cover.when", .unknownField)])
    }

    @Test("Diagnostics behind a removed element name the document's places")
    func indexes() {
        let text = """
            {"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "when": false}, {"type": "av", "url": "b"},
              {"type": "av", "url": "c", "when": false}, {"type": "av", "url": "d", "speed": 99, "x": 1}],
             "chapters": [{"start": 1, "title": "x", "when": false}, {"start": 1, "title": "y"}, {"start": 1, "title": "z"}]}
            """
        #expect(
            Draft.faults(in: text) == [
                Fault("mainTrackClips[3].speed", .outOfRange), Fault("mainTrackClips[3].x", .unknownField),
                Fault("chapters[2].start", .invalidValue),
            ])
    }

    @Test("Places are translated to those of the document and back, at every depth")
    func translation() throws {
        let layer = #""timeRange": {"start": 0, "duration": 1}"#
        let text = """
            {"version": 1, "layers": [{\(layer), "when": false}, {\(layer), "source": {"type": "group", "layers": [
               {\(layer), "when": false}, {\(layer), "when": false}, {\(layer)}, {\(layer), "when": false}, {\(layer)}]}},
              {\(layer), "when": false}, {\(layer)}]}
            """
        let removed = try #require(Draft.read(text).draft).removed
        for (kept, written) in [
            ("layers[0]", "layers[1]"), ("layers[1].opacity", "layers[3].opacity"), ("layers[2]", "layers[4]"),
            ("layers[0].source.layers[0].transform.scale", "layers[1].source.layers[2].transform.scale"),
            ("layers[0].source.layers[1]", "layers[1].source.layers[4]"), ("mainTrackClips[0].url", "mainTrackClips[0].url"),
            ("layers", "layers"), ("", ""),
        ] {
            #expect(removed.written(kept) == written)
            #expect(removed.kept(written) == kept)
        }
    }

    @Test("Random conditions have the value that an independent evaluation gives them")
    func random() {
        var numbers = RandomNumbers(seed: 7)
        for _ in 0..<500 {
            let values = [
                "a": ["x", "y", "3"].randomElement(using: &numbers)!, "b": ["x", "4"].randomElement(using: &numbers)!,
            ]
            let (text, expected) = ConditionTests.random(depth: 4, values, &numbers)
            let used = values.filter { text.contains("{{\($0.key)}}") }
            #expect(ConditionTests.clips(text, used) == (expected ? "abc" : "ac"), "\(text) with \(values)")
        }
    }

    /// A condition with all parentheses, and its value by Swift's own operators.
    private static func random(
        depth: Int, _ values: [String: String], _ numbers: inout RandomNumbers
    ) -> (text: String, value: Bool) {
        func one(_ choices: [String]) -> String { choices[Int.random(in: choices.indices, using: &numbers)] }
        func field() -> (String, String) {
            let name = one(["a", "b"])
            return ("{{\(name)}}", values[name] ?? "")
        }
        switch depth == 0 ? 0 : Int.random(in: 0...4, using: &numbers) {
        case 1:
            let (text, value) = random(depth: depth - 1, values, &numbers)
            return ("!(\(text))", !value)
        case 2:
            let (left, right) = (random(depth: depth - 1, values, &numbers), random(depth: depth - 1, values, &numbers))
            return ("(\(left.text)) && (\(right.text))", left.value && right.value)
        case 3:
            let (left, right) = (random(depth: depth - 1, values, &numbers), random(depth: depth - 1, values, &numbers))
            return ("(\(left.text)) || (\(right.text))", left.value || right.value)
        case 4:
            let (text, value) = field()
            let list = (0...Int.random(in: 0...2, using: &numbers)).map { _ in one(["x", "y", "4"]) }
            let items = list.map { "'\($0)'" }.joined(separator: ", ")
            return ("\(text) in [\(items)]", list.contains(value))
        default:
            let (text, value) = field()
            let other = one(["x", "y", "3"])
            return Bool.random(using: &numbers)
                ? ("\(text) == '\(other)'", value == other) : ("\(text) != '\(other)'", value != other)
        }
    }
}
