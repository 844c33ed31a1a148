import DraftModel
import Testing
import TestSupport

@Suite("Faults of a draft")
struct DraftFaultTests {
    @Test("All faults are reported at once, each with its path and code")
    func allAtOnce() throws {
        let text = """
            {
              "version": 1, "frameRate": 500, "titel": "x", "videoSize": {"width": 1279, "height": 4},
              "background": {"type": "colour"},
              "mainTrackClips": [
                {"type": "av", "url": "a.mp4", "speed": 17, "trasition": {}},
                {"type": "video", "url": 5},
                {"type": "image", "url": "b.png", "volume": 1}
              ],
              "audioClips": [{"volume": 9, "timeRange": {"start": -1}}],
              "layers": [{}, {"timeRange": {"start": 0, "duration": 1}, "opacity": 2, "source": {"type": "vidio"}}]
            }
            """
        let found = Draft.faults(in: text)
        let expected = [
            Fault("videoSize.width", .invalidValue), Fault("videoSize.height", .outOfRange), Fault("frameRate", .outOfRange),
            Fault("background.type", .invalidValue), Fault("mainTrackClips[0].speed", .outOfRange),
            Fault("mainTrackClips[0].trasition", .unknownField), Fault("mainTrackClips[1].type", .invalidValue),
            Fault("mainTrackClips[1].url", .wrongType), Fault("mainTrackClips[2].duration", .missingField),
            Fault("mainTrackClips[2].volume", .conflict), Fault("audioClips[0].url", .missingField),
            Fault("audioClips[0].timeRange.start", .outOfRange), Fault("audioClips[0].timeRange.duration", .missingField),
            Fault("audioClips[0].volume", .outOfRange), Fault("layers[0].timeRange", .missingField),
            Fault("layers[1].opacity", .outOfRange), Fault("layers[1].source.type", .invalidValue), Fault("titel", .unknownField),
        ]
        for fault in expected { #expect(found.filter { $0 == fault }.count == 1, "\(fault)") }
        #expect(found.count == expected.count, "\(found)")
    }

    @Test("Every fault has a message that a person can act on")
    func messages() {
        func message(_ text: String) -> String { Draft.read(text).diagnostics.first?.message ?? "" }
        #expect(message(DraftText.withClip(#""speed": 17"#)).contains("1/10...16"))
        #expect(message(DraftText.withClip(#""speed": 17"#)).contains("17"))
        #expect(message(DraftText.withClip(#""scalingMode": "fit""#)).contains("aspectFit"))
        #expect(message(DraftText.with(#""videoSize": {"width": 17, "height": 16}"#)).contains("even"))
        #expect(message(DraftText.withClip(#""reverse": 1"#)).contains("true or false"))
        #expect(message(#"{"version": 1}"#).contains("required"))
    }

    @Test(
        "An unknown field is an error that suggests the intended name",
        arguments: [
            (DraftText.withClip(#""trasition": {}"#), "mainTrackClips[0].trasition", "transition"),
            (DraftText.withClip(#""volumeRamp": []"#), "mainTrackClips[0].volumeRamp", "volumeRamps"),
            (DraftText.withClip(#""Speed": 1"#), "mainTrackClips[0].Speed", "speed"),
            (DraftText.withAudioClip(#""fadein": 1"#), "audioClips[0].fadein", "fadeIn"),
            (DraftText.with(#""framerate": 30"#), "framerate", "frameRate"),
            (DraftText.with(#""videoSize": {"width": 16, "height": 16, "hight": 1}"#), "videoSize.hight", "height"),
            (DraftText.with(#""audio": {"limitter": true}"#), "audio.limitter", "limiter"),
        ])
    func nearestName(text: String, path: String, meant: String) throws {
        let diagnostics = Draft.read(text).diagnostics
        let fault = try #require(diagnostics.first)
        #expect(diagnostics.count == 1)
        #expect(fault.path == path)
        #expect(fault.code == .unknownField)
        #expect(fault.message.contains("'\(meant)'"))
    }

    @Test(
        "A document of another program is one error, which names it",
        arguments: [
            (#"{"timeline": {}, "output": {}}"#, "Shotstack"), (#"{"clips": [], "outPath": "f.mp4"}"#, "Editly"),
            (#"{"OTIO_SCHEMA": "Timeline.1"}"#, "OpenTimelineIO"), (#"{"output_format": "mp4", "elements": []}"#, "Creatomate"),
            (#"{"scenes": []}"#, "JSON2Video"),
        ])
    func otherProgram(text: String, name: String) {
        let (draft, diagnostics) = Draft.read(text)
        #expect(draft == nil)
        #expect(
            diagnostics.map(\.message) == [
                "this is a document of \(name) and no draft; docs/guide/coming-from.md shows how a draft says the same"
            ])
        #expect(diagnostics.map(\.path) == [""])
    }

    @Test("An unknown field without a similar name gets no suggestion")
    func noNearestName() throws {
        let fault = try #require(Draft.read(DraftText.withClip(#""zzzzzzzz": 1"#)).diagnostics.first)
        #expect(fault.code == .unknownField)
        #expect(!fault.message.contains("did you mean"))
    }

    @Test(
        "A text that is not a JSON object is one error with an empty path",
        arguments: [
            ("", DraftDiagnostic.Code.syntax), ("{", .syntax), ("{\"version\": 1,,}", .syntax), ("nonsense", .syntax),
            ("[]", .wrongType), ("1", .wrongType), ("\"draft\"", .wrongType), ("null", .wrongType),
        ])
    func notAnObject(text: String, code: DraftDiagnostic.Code) {
        let (draft, diagnostics) = Draft.read(text)
        #expect(draft == nil)
        #expect(diagnostics.map { Fault($0.path, $0.code) } == [Fault("", code)])
    }

    @Test("A draft error is described with one line per fault, with its path")
    func description() {
        let error = DraftError([
            DraftDiagnostic(path: "a.b", code: .wrongType, message: "must be a string"),
            DraftDiagnostic(path: "", code: .syntax, message: "this is not JSON"),
        ])
        #expect(error.description == "a.b: must be a string\nthis is not JSON")
    }

    @Test("The sentence that counts the errors leaves out the warnings")
    func count() {
        let error = DraftDiagnostic(path: "a", code: .wrongType, message: "must be a string")
        let warning = DraftDiagnostic(path: "b", code: .noEffect, severity: .warning, message: "has no effect")
        #expect([error, warning].errorCount(of: "the settings") == "the settings have one error")
        #expect([error, error, warning].errorCount(of: "the settings") == "the settings have 2 errors")
    }

    @Test("An incomplete clip keeps its index, so that the faults of later clips name the right clips")
    func places() {
        let text = #"{"version": 1, "mainTrackClips": [{"type": "av"}, {"url": "b.mp4"}, {"type": "av", "url": "c.mp4"}]}"#
        let (draft, diagnostics) = Draft.read(text)
        #expect(
            diagnostics.map { Fault($0.path, $0.code) } == [
                Fault("mainTrackClips[0].url", .missingField), Fault("mainTrackClips[1].type", .missingField),
            ])
        #expect(draft?.mainTrackClips.map(\.url) == [nil, "b.mp4", "c.mp4"])
    }
}
