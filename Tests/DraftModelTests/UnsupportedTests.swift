import DraftModel
import Testing
import TestSupport

/// What the specification knows and this version cannot render is refused, never accepted and ignored.
@Suite("What this version cannot render")
struct UnsupportedTests {
    @Test(
        "It is one error at its own path",
        arguments: [
            (DraftText.with(#""effects": [{"type": "mv", "url": "pack"}]"#), "effects[0].type"),
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
