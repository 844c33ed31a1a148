import DraftModel
import ExactTime
import Testing
import TestSupport

@Suite("Merge fields")
struct MergeFieldTests {
    @Test("A string that is only a merge field takes the value with its type")
    func typed() throws {
        let text = DraftText.withClip(
            #""speed": "{{speed}}", "reverse": "{{back}}", "timeRange": "{{range}}", "id": "{{name}}""#,
            parameters: #"{"speed": 1.5, "back": true, "range": {"start": 0.1, "duration": "1/3"}, "name": "a"}"#)
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        let clip = try #require(draft?.mainTrackClips.first)
        #expect(clip.speed == .constant(Rational(3, 2)))
        #expect(clip.reverse == true)
        #expect(clip.timeRange == TimeRange(start: MediaTime(Rational(1, 10)), duration: MediaTime(Rational(1, 3))))
        #expect(clip.id == "a")
    }

    @Test("A value given as text is read as the type that its field expects")
    func textForAnything() throws {
        let text = DraftText.withClip(
            """
            "speed": "{{s}}", "reverse": "{{r}}", "volume": "{{v}}", "id": "{{i}}",
            "timeRange": {"start": "{{t}}", "duration": 1}
            """)
        let (draft, diagnostics) = Draft.read(text, parameters: ["s": "0.1", "r": "false", "v": "3", "i": "12", "t": "1/3"])
        #expect(diagnostics.isEmpty)
        let clip = try #require(draft?.mainTrackClips.first)
        #expect(clip.speed == .constant(Rational(1, 10)))
        #expect(clip.reverse == false)
        #expect(clip.volume == 3)
        #expect(clip.id == "12")
        #expect(clip.timeRange?.start == MediaTime(Rational(1, 3)))
    }

    @Test("In a longer string each merge field is replaced by the value as text")
    func embedded() throws {
        let text = DraftText.with(
            """
            "title": "{{ who }} and {{who}}, take {{n}}", "metadata": {"k": "<{{who}}>"},
            "background": {"type": "color", "color": "#{{rgb}}"}
            """,
            parameters: #"{"who": "Ada", "n": 7, "rgb": "102030"}"#)
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        #expect(draft?.title == "Ada and Ada, take 7")
        #expect(draft?.metadata == ["k": "<Ada>"])
        #expect(draft?.background?.color == Color(red: 16, green: 32, blue: 48))
    }

    @Test("A merge field without a value is one error at its path")
    func missing() {
        let faults = Draft.faults(in: DraftText.with(#""title": "{{a}}", "metadata": {"x": "and {{b}}", "y": "fine"}"#))
        #expect(faults == [Fault("metadata.x", .missingParameter), Fault("title", .missingParameter)])
    }

    @Test("A merge field without a value is one error also where another type is expected")
    func missingNumber() {
        #expect(
            Draft.faults(in: DraftText.withClip(#""speed": "{{speed}}""#))
                == [Fault("mainTrackClips[0].speed", .missingParameter)])
        #expect(
            Draft.faults(in: DraftText.withTransition(#""type": "{{kind}}", "duration": 1"#))
                == [Fault("mainTrackClips[1].transition.type", .missingParameter)])
    }

    @Test("A value given at export overrides the draft's own")
    func override() {
        let text = DraftText.with(#""title": "{{a}}{{b}}""#, parameters: #"{"a": "own", "b": "!"}"#)
        #expect(Draft.read(text).draft?.title == "own!")
        #expect(Draft.read(text, parameters: ["a": "given"]).draft?.title == "given!")
    }

    @Test("A given value whose name the draft does not have is an error")
    func unknown() {
        let text = DraftText.with(#""title": "{{a}}""#, parameters: #"{"a": "own", "spare": 1}"#)
        #expect(Draft.faults(in: text).isEmpty)
        #expect(Draft.faults(in: text, parameters: ["spare": "x"]).isEmpty)
        #expect(Draft.faults(in: text, parameters: ["A": "x"]) == [Fault("parameters.A", .unknownParameter)])
    }

    @Test("A filled-in value is checked like any other value")
    func checked() {
        let text = DraftText.withClip(#""speed": "{{speed}}""#)
        #expect(Draft.faults(in: text, parameters: ["speed": "17"]) == [Fault("mainTrackClips[0].speed", .outOfRange)])
        #expect(Draft.faults(in: text, parameters: ["speed": "fast"]) == [Fault("mainTrackClips[0].speed", .wrongType)])
    }

    @Test("Other braces are kept, and values are not searched for merge fields")
    func braces() {
        #expect(Draft.read(DraftText.with(#""title": "a {{ b""#)).draft?.title == "a {{ b")
        #expect(Draft.read(DraftText.with(#""title": "}} {x}""#)).draft?.title == "}} {x}")
        let nested = Draft.read(DraftText.with(#""title": "<{{a}}>""#), parameters: ["a": "{{a}}"])
        #expect(nested.draft?.title == "<{{a}}>")
        #expect(nested.diagnostics.isEmpty)
    }
}

extension DraftText {
    fileprivate static func with(_ fields: String, parameters: String) -> String {
        with(fields + #", "parameters": \#(parameters)"#)
    }

    fileprivate static func withClip(_ fields: String, parameters: String) -> String {
        #"{"version": 1, "parameters": \#(parameters), "mainTrackClips": [{"type": "av", "url": "a.mp4", \#(fields)}]}"#
    }
}
