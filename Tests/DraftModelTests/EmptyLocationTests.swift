import DraftModel
import TestSupport
import Testing
import FoundationEssentials

@Suite("Empty locations")
struct EmptyLocationTests {
    private static func layer(_ source: String, _ more: String = "") -> String {
        DraftText.with(#""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": \#(source)\#(more)}]"#)
    }

    private static let solid = ##"{"type": "solid", "color": "#FF0000"}"##

    /// Drafts with every field that names a file, with URL in place of the location.
    static let places: [(text: String, path: String)] = [
        (#"{"version": 1, "mainTrackClips": [{"type": "av", "url": URL}]}"#, "mainTrackClips[0].url"),
        (#"{"version": 1, "mainTrackClips": [{"type": "image", "url": URL, "duration": 1}]}"#, "mainTrackClips[0].url"),
        (DraftText.withTransition(#""type": "lumaMap", "duration": 1, "url": URL"#), "mainTrackClips[1].transition.url"),
        (DraftText.withClip(#""filters": [{"type": "lut", "url": URL}]"#), "mainTrackClips[0].filters[0].url"),
        (DraftText.with(#""audioClips": [{"url": URL}]"#), "audioClips[0].url"),
        (DraftText.with(#""background": {"type": "image", "url": URL}"#), "background.url"),
        (DraftText.with(#""effects": [{"type": "lut", "url": URL}]"#), "effects[0].url"),
        (
            DraftText.with(
                #""effects": [{"type": "imageSticker", "url": URL, "destRect": {"x": 0, "y": 0, "width": 16, "height": 16}}]"#),
            "effects[0].url"
        ),
        (
            DraftText.with(#""effects": [{"type": "filter", "operation": {"type": "lut", "url": URL}}]"#),
            "effects[0].operation.url"
        ),
        (DraftText.with(#""fonts": [{"url": URL}]"#), "fonts[0].url"), (DraftText.with(#""cover": {"url": URL}"#), "cover.url"),
        (layer(#"{"type": "image", "url": URL}"#), "layers[0].source.url"),
        (layer(#"{"type": "video", "url": URL}"#), "layers[0].source.url"),
        (layer(#"{"type": "captions", "url": URL}"#), "layers[0].source.url"),
        (layer(solid, #", "operations": [{"type": "lut", "url": URL}]"#), "layers[0].operations[0].url"),
        (layer(solid, #", "mask": {"source": {"type": "image", "url": URL}}"#), "layers[0].mask.source.url"),
        (
            layer(
                #"{"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": URL}}]}"#
            ),
            "layers[0].source.layers[0].source.url"
        ),
    ]

    @Test("An empty or blank location is one error at its path, also from a merge field", arguments: places)
    func empty(text: String, path: String) {
        func written(_ location: String) -> String { text.split(separator: "URL").joined(separator: location) }
        #expect(Draft.faults(in: written(#""file""#)) == [])
        #expect(Draft.faults(in: written(#""""#)) == [Fault(path, .invalidValue)])
        #expect(Draft.faults(in: written(#""  ""#)) == [Fault(path, .invalidValue)])
        let filled = Draft.read(written(#""{{photo}}""#), parameters: ["photo": ""]).diagnostics
        #expect(filled.map { Fault($0.path, $0.code) } == [Fault(path, .invalidValue)])
        #expect(filled.first?.message.contains("merge field") == true)
        #expect(Draft.faults(in: written(#""{{photo}}""#), parameters: ["photo": "p.png"]) == [])
    }

    @Test("An empty location of a recording's watermark or music is an error")
    func recordings() {
        let watermark = #"{"watermark": {"url": "", "destRect": {"x": 0, "y": 0, "width": 16, "height": 16}}}"#
        func faults(_ text: String) -> [Fault] {
            RecordingSettings.read(Data(text.utf8)).diagnostics.map { Fault($0.path, $0.code) }
        }
        #expect(faults(watermark) == [Fault("watermark.url", .invalidValue)])
        #expect(faults(#"{"backgroundMusic": {"url": ""}}"#) == [Fault("backgroundMusic.url", .invalidValue)])
    }
}
