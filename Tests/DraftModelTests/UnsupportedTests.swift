import DraftModel
import Testing
import TestSupport

/// Features of the specification that this version cannot render are refused, never accepted and ignored.
@Suite("Unsupported features")
struct UnsupportedTests {
    @Test(
        "An unsupported feature is one error at its path",
        arguments: [
            (DraftText.with(#""effects": [{"type": "mv", "url": "pack"}]"#), "effects[0].type"),
            (#"{"version": 2, "mainTrackClips": [{"type": "av", "url": "a"}]}"#, "version"),
        ])
    func refused(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .unsupported)])
    }

    @Test(
        "A neutral value of an unsupported feature is accepted",
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
