import DraftModel
import Testing
import TestSupport
import Vocabulary

@Suite("Ids of elements")
struct ElementIDTests {
    private static let text = ##"""
        {"version": 1,
         "mainTrackClips": [{"type": "av", "url": "a.mp4", "id": "clip"}, {"type": "color", "duration": 1, "id": "gap"}],
         "audioClips": [{"url": "m.wav", "id": "music"}], "effects": [{"type": "speed", "speed": 2, "id": "fast"}],
         "layers": [
           {"when": false, "timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}, "id": "gone"},
           {"timeRange": {"start": 0, "duration": 1}, "id": "group", "source": {"type": "group", "layers": [
             {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}, "id": "inner"},
             {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}}]},
            "mask": {"source": {"type": "group", "layers": [
              {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}, "id": "masking"}]}}}]}
        """##

    @Test(
        "A path is in the innermost element that has an id",
        arguments: [
            ("mainTrackClips[0].url", "clip"), ("mainTrackClips[1]", "gap"), ("audioClips[0].fadeIn", "music"),
            ("effects[0].speed", "fast"), ("layers[1].opacity", "group"), ("layers[1].source.layers[0].opacity", "inner"),
            ("layers[1].source.layers[1].opacity", "group"), ("layers[1].mask.source.layers[0].source.color", "masking"),
            ("layers[1].mask.feather", "group"), ("mainTrackClips[2].url", nil), ("frameRate", nil), ("", nil),
            ("layers", nil), ("layers[x]", nil), ("layers[1].source.layers[9].opacity", "group"),
        ])
    func paths(_ path: String, _ id: String?) throws {
        let (draft, faults) = Draft.read(ElementIDTests.text)
        #expect(faults.isEmpty)
        #expect(try #require(draft).elementID(at: path) == id)
    }

    @Test("Diagnostics name the element, in JSON and in their line")
    func diagnostics() throws {
        let (_, faults) = Draft.read(DraftText.withClip(#""id": "intro", "volume": 9"#))
        let fault = try #require(faults.first)
        #expect(fault.path == "mainTrackClips[0].volume" && fault.id == "intro")
        #expect(fault.line.hasPrefix("error: mainTrackClips[0].volume ('intro'): must be"))
        #expect(DraftError(faults).description.hasPrefix("mainTrackClips[0].volume ('intro'): must be"))
    }

    @Test("A faulty element before another does not shift its id")
    func faultyBefore() {
        let (_, faults) = Draft.read(
            DraftText.with(
                #""effects": [{"type": "spede", "id": "first"}, {"type": "speed", "speed": 99, "id": "second"}, {"type": "speed", "speed": 2, "id": "third"}]"#
            ))
        #expect(faults.map(\.path) == ["effects[0].type", "effects[1].speed"])
        #expect(faults.map(\.id) == ["first", "second"])
    }

    @Test("A transition without a type is a dissolve, and a wrong type is an error")
    func transition() throws {
        let (draft, faults) = Draft.read(DraftText.withTransition(#""duration": 1"#))
        #expect(faults.isEmpty && draft?.mainTrackClips[1].transition?.type == .dissolve)
        #expect(
            Draft.faults(in: DraftText.withTransition(#""type": "disolve", "duration": 1"#))
                == [Fault("mainTrackClips[1].transition.type", .invalidValue)])
    }
}
