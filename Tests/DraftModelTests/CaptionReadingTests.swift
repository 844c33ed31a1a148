import DraftModel
import TestSupport
import Testing
import Vocabulary

/// Captions and `lut` effects of a draft.
@Suite("Reading captions and lookup tables")
struct CaptionReadingTests {
    private static func layer(_ source: String) -> String {
        DraftText.with(#""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "captions", \#(source)}}]"#)
    }

    @Test("Every field of a caption style is read")
    func style() throws {
        let text = CaptionReadingTests.layer(
            #"""
            "url": "a.srt", "style": {"font": "Sans 20", "color": "#FF0000", "stroke": {"color": "#00FF00", "width": 3},
            "backgroundBox": {"color": "#0000FF80", "padding": 5, "cornerRadius": 0}, "align": "left", "verticalAlign": "middle",
            "margin": {"x": 1, "y": 2}}
            """#)
        #expect(Draft.faults(in: text).isEmpty)
        let style = try #require(Draft.read(text).draft?.layers?.first?.source?.style)
        #expect(style.font == "Sans 20" && style.color == Color(red: 255, green: 0, blue: 0))
        #expect(style.stroke?.width == 3 && style.backgroundBox?.padding == 5)
        #expect(style.align == .left && style.verticalAlign == .middle && style.margin == .init(x: 1, y: 2))
    }

    @Test(
        "A faulty caption source is reported with its path",
        arguments: [
            (#""style": {}"#, "layers[0].source.url", DraftDiagnostic.Code.missingField),
            (#""url": "a", "text": "x""#, "layers[0].source.text", .unknownField),
            (#""url": "a", "style": {"align": "justified"}"#, "layers[0].source.style.align", .invalidValue),
            (#""url": "a", "style": {"fontt": "x"}"#, "layers[0].source.style.fontt", .unknownField),
            (#""url": "a", "style": {"margin": {"x": -1}}"#, "layers[0].source.style.margin.x", .outOfRange),
            (
                ##""url": "a", "style": {"backgroundBox": {"color": "#000000", "cornerRadius": 4}}"##,
                "layers[0].source.style.backgroundBox.cornerRadius", .unsupported
            ),
        ])
    func faults(source: String, path: String, code: DraftDiagnostic.Code) {
        #expect(Draft.faults(in: CaptionReadingTests.layer(source)) == [Fault(path, code)])
    }

    @Test("A lut effect needs a file, and its intensity is 0 to 1")
    func effect() throws {
        let text = DraftText.with(
            #""effects": [{"type": "lut", "url": "a.cube", "intensity": 0.5, "timeRangeAtMainTrack": {"start": 1, "duration": 2}}]"#
        )
        #expect(Draft.faults(in: text).isEmpty)
        #expect(Draft.read(text).draft?.effects?.first?.intensity == 0.5)
        #expect(
            Draft.faults(in: DraftText.with(#""effects": [{"type": "lut", "intensity": 2}]"#)) == [
                Fault("effects[0].url", .missingField), Fault("effects[0].intensity", .outOfRange),
            ])
    }
}
