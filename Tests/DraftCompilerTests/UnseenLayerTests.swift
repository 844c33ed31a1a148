import DraftCompiler
import DraftModel
import ExportPlan
import TestSupport
import Testing

@Suite("Layers behind the film's end")
struct UnseenLayerTests {
    /// A film of four seconds with a layer.
    private func warnings(_ start: String, _ source: String, _ more: String = "") throws -> [String] {
        let sample = try SampleDraft(
            json: #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 30, "mainTrackClips": "#
                + #"[{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 4}}]\#(more), "#
                + #""layers": [{"timeRange": {"start": \#(start), "duration": 2}, "source": \#(source)}]}"#,
            facts: ["a": .film("a")])
        return try sample.compiler.compose(sample.draft).warnings.map { "\($0.path) \($0.code) \($0.message)" }
    }

    @Test("A layer that begins at the film's end or after it is a warning", arguments: ["4", "5"])
    func behind(start: String) throws {
        let message = "layers[0].timeRange noEffect begins at \(start) s, but the film ends at 4 s"
        #expect(try warnings(start, ##"{"type": "solid", "color": "#FF0000"}"##) == [message])
        #expect(try warnings(start, #"{"type": "video", "url": "a"}"#) == [message])
    }

    @Test("A layer that is seen for a moment is none, nor is one that the draft's own range leaves out")
    func seen() throws {
        #expect(try warnings("3.9", ##"{"type": "solid", "color": "#FF0000"}"##).isEmpty)
        let cropped = #", "timeRange": {"start": 0, "duration": 1}"#
        #expect(try warnings("3", ##"{"type": "solid", "color": "#FF0000"}"##, cropped).isEmpty)
    }
}
