import DraftModel
import Testing
import TestSupport

/// One line for each bound in the tables of `docs/draft.md`: the value just outside is refused, and the bound itself is
/// accepted.
@Suite("Types and ranges of a draft's fields")
struct DraftRangeTests {
    @Test(
        "A value outside its range is an error at its path",
        arguments: [
            (DraftText.withClip(#""speed": 0"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""speed": 17"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""speed": 0.0999"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""speed": -1"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""volume": 9"#), "mainTrackClips[0].volume"),
            (DraftText.withClip(#""volume": -0.1"#), "mainTrackClips[0].volume"),
            (DraftText.withClip(#""pitch": 25"#), "mainTrackClips[0].pitch"),
            (DraftText.withClip(#""opacity": 1.01"#), "mainTrackClips[0].opacity"),
            (DraftText.withClip(#""durationAtMainTrack": 0"#), "mainTrackClips[0].durationAtMainTrack"),
            (DraftText.withClip(#""timeRange": {"start": -1, "duration": 1}"#), "mainTrackClips[0].timeRange.start"),
            (DraftText.withClip(#""timeRange": {"start": 0, "duration": 0}"#), "mainTrackClips[0].timeRange.duration"),
            (DraftText.withClip(#""preferredTransform": {"rotation": 360}"#), "mainTrackClips[0].preferredTransform.rotation"),
            (DraftText.withClip(#""preferredTransform": {"rotation": -90}"#), "mainTrackClips[0].preferredTransform.rotation"),
            (
                DraftText.withClip(#""cropRect": {"x": 0, "y": 0, "width": 0, "height": 1}"#),
                "mainTrackClips[0].cropRect.width"
            ),
            (
                DraftText.withClip(#""cropRect": {"x": 0.6, "y": 0, "width": 0.5, "height": 1, "unit": "ratio"}"#),
                "mainTrackClips[0].cropRect.unit"
            ),
            (
                DraftText.withClip(
                    #""volumeRamps": [{"timeRange": {"start": 0, "duration": 1}, "startVolume": 0, "endVolume": 9}]"#),
                "mainTrackClips[0].volumeRamps[0].endVolume"
            ),
            (DraftText.withImage(#""duration": 0"#), "mainTrackClips[0].duration"),
            (DraftText.withImage(#""duration": -1"#), "mainTrackClips[0].duration"),
            (DraftText.withTransition(#""type": "fade", "duration": 0"#), "mainTrackClips[1].transition.duration"),
            (DraftText.withAudioClip(#""fadeIn": -1"#), "audioClips[0].fadeIn"),
            (DraftText.withAudioClip(#""startTimeAtMainTrack": -0.001"#), "audioClips[0].startTimeAtMainTrack"),
            (DraftText.with(#""frameRate": 0.5"#), "frameRate"),
            (DraftText.with(#""frameRate": "240001/1000""#), "frameRate"),
            (DraftText.with(#""videoSize": {"width": 14, "height": 16}"#), "videoSize.width"),
            (DraftText.with(#""videoSize": {"width": 16, "height": 8194}"#), "videoSize.height"),
            (DraftText.with(#""background": {"type": "blur", "radius": 0}"#), "background.radius"),
            (DraftText.with(#""timeRange": {"start": 0, "duration": 0}"#), "timeRange.duration"),
        ])
    func outOfRange(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .outOfRange)])
    }

    @Test(
        "A value at a bound of its range is accepted",
        arguments: [
            DraftText.withClip(#""speed": 0.1"#), DraftText.withClip(#""speed": 16"#), DraftText.withClip(#""speed": "1/10""#),
            DraftText.withClip(#""volume": 0, "pitch": -24, "opacity": 0"#),
            DraftText.withClip(#""volume": 8, "pitch": 24, "opacity": 1"#),
            DraftText.withClip(#""preferredTransform": {"rotation": 270}"#),
            DraftText.withClip(#""cropRect": {"x": 0.5, "y": 0.25, "width": 0.5, "height": 0.75, "unit": "ratio"}"#),
            DraftText.with(#""frameRate": "30""#), DraftText.with(#""frameRate": 1"#), DraftText.with(#""frameRate": 240"#),
            DraftText.with(#""videoSize": {"width": 16, "height": 8192}"#),
            DraftText.withTransition(#""type": "wipeUp", "duration": "1/1000""#),
        ])
    func inRange(text: String) {
        #expect(Draft.faults(in: text).isEmpty)
    }

    @Test(
        "A value of the wrong type is an error at its path",
        arguments: [
            (DraftText.withClip(#""speed": "fast""#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""speed": true"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""speed": [1]"#), "mainTrackClips[0].speed"),
            (DraftText.withClip(#""reverse": 1"#), "mainTrackClips[0].reverse"),
            (DraftText.withClip(#""id": 7"#), "mainTrackClips[0].id"),
            (DraftText.withClip(#""volume": "loud""#), "mainTrackClips[0].volume"),
            (DraftText.withClip(#""volumeRamps": {}"#), "mainTrackClips[0].volumeRamps"),
            (DraftText.withClip(#""timeRange": 5"#), "mainTrackClips[0].timeRange"),
            (DraftText.withClip(#""transition": "fade""#), "mainTrackClips[0].transition"),
            (DraftText.with(#""videoSize": {"width": 16.5, "height": 16}"#), "videoSize.width"),
            (DraftText.with(#""metadata": {"a": 1}"#), "metadata.a"),
            (DraftText.with(#""metadata": "x""#), "metadata"),
            (DraftText.with(#""audioClips": {}"#), "audioClips"),
            (DraftText.with(#""audioClips": ["m.m4a"]"#), "audioClips[0]"),
            (DraftText.with(#""frameRate": "30/0""#), "frameRate"),
            (DraftText.with(#""parameters": []"#), "parameters"),
            (#"{"version": "1", "mainTrackClips": [{"type": "av", "url": "a"}]}"#, "version"),
            (#"{"version": 1, "mainTrackClips": 5}"#, "mainTrackClips"),
        ])
    func wrongType(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .wrongType)])
    }

    @Test(
        "An unknown choice or an odd size is an error at its path",
        arguments: [
            (DraftText.withClip(#""scalingMode": "cover""#), "mainTrackClips[0].scalingMode"),
            (DraftText.withClip(#""timePitchAlgorithm": "tape""#), "mainTrackClips[0].timePitchAlgorithm"),
            (DraftText.withClip(#""preferredTransform": {"rotation": 45}"#), "mainTrackClips[0].preferredTransform.rotation"),
            (DraftText.withTransition(#""type": "disolve", "duration": 1"#), "mainTrackClips[1].transition.type"),
            (
                DraftText.withTransition(#""type": "fade", "duration": 1, "audio": "logarithm""#),
                "mainTrackClips[1].transition.audio"
            ),
            (DraftText.with(#""videoSize": {"width": 1279, "height": 720}"#), "videoSize.width"),
            (DraftText.with(##""background": {"type": "color", "color": "#12"}"##), "background.color"),
        ])
    func invalidValue(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .invalidValue)])
    }

    @Test(
        "A missing field is an error at its path",
        arguments: [
            (#"{"mainTrackClips": [{"type": "av", "url": "a"}]}"#, "version"),
            (#"{"version": 1}"#, "mainTrackClips"),
            (#"{"version": 1, "mainTrackClips": [{"type": "av"}]}"#, "mainTrackClips[0].url"),
            (#"{"version": 1, "mainTrackClips": [{"url": "a"}]}"#, "mainTrackClips[0].type"),
            (#"{"version": 1, "mainTrackClips": [{"type": "image", "url": "a"}]}"#, "mainTrackClips[0].duration"),
            (DraftText.withTransition(#""type": "fade""#), "mainTrackClips[1].transition.duration"),
            (DraftText.with(#""background": {"type": "image"}"#), "background.url"),
            (DraftText.with(#""background": {"type": "color"}"#), "background.color"),
            (DraftText.with(#""videoSize": {"width": 16}"#), "videoSize.height"),
        ])
    func missing(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .missingField)])
    }

    @Test(
        "Of two contradicting fields, the one that does not belong is reported",
        arguments: [
            (DraftText.withClip(#""duration": 3"#), "mainTrackClips[0].duration"),
            (DraftText.withImage(#""duration": 3, "speed": 2"#), "mainTrackClips[0].speed"),
            (DraftText.withImage(#""duration": 3, "timeRange": {"start": 0, "duration": 1}"#), "mainTrackClips[0].timeRange"),
            (DraftText.with(##""background": {"type": "blur", "color": "#000000"}"##), "background.color"),
            (
                DraftText.withClip(
                    """
                    "volumeRamps": [{"timeRange": {"start": 0, "duration": 2}, "startVolume": 0, "endVolume": 1},
                                    {"timeRange": {"start": 1, "duration": 2}, "startVolume": 1, "endVolume": 0}]
                    """),
                "mainTrackClips[0].volumeRamps[1].timeRange"
            ),
        ])
    func conflict(text: String, path: String) {
        #expect(Draft.faults(in: text) == [Fault(path, .conflict)])
    }
}
