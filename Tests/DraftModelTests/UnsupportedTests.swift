import DraftModel
import Testing
import TestSupport

/// What the specification knows and this version cannot render is refused, never accepted and ignored.
@Suite("What this version cannot render")
struct UnsupportedTests {
    @Test(
        "It is one error at its own path",
        arguments: [
            (DraftText.with(#""effects": [{"type": "repeat", "count": 2}]"#), "effects[0].type"),
            (DraftText.with(#""audio": {"limiter": true}"#), "audio.limiter"),
            (DraftText.with(#""audio": {"loudness": -14}"#), "audio.loudness"),
            (DraftText.withClip(#""speed": {"keyTimes": [0, 1], "values": [1, 2]}"#), "mainTrackClips[0].speed"),
            (DraftText.withAudioClip(#""duck": 0.5"#), "audioClips[0].duck"),
            (#"{"version": 2, "mainTrackClips": [{"type": "av", "url": "a"}]}"#, "version"),
        ])
    func refused(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .unsupported)])
    }

    @Test(
        "Its neutral value is accepted",
        arguments: [
            DraftText.with(#""layers": [], "effects": [], "audio": {}, "parameters": {}"#),
            DraftText.with(#""audio": {"limiter": false}"#),
            DraftText.withClip(#""filters": [], "animations": [], "transform": {}"#),
            DraftText.withAudioClip(#""duck": 1, "volumeRamps": []"#),
            DraftText.with(#""audioClips": []"#),
        ])
    func neutral(text: String) {
        #expect(Draft.faults(in: text).isEmpty)
    }
}
