import DraftModel
import Testing

/// The messages about the fields of a draft as a person reads them: the place, what is wrong there, and the remedy.
/// The tables are in the order of the specification.
@Suite("Messages about a draft")
struct DraftMessageTests {
    /// The lines for a draft, as `spool validate` prints them behind `error: `.
    private func lines(_ text: String, parameters: [String: String] = [:]) -> [String] {
        Draft.read(text, parameters: parameters).diagnostics.map(\.placedMessage)
    }

    static let ofDraft: [(String, String)] = [
        (#""title": 5"#, "title: must be a string, not 5"),
        (#""id": {}"#, "id: must be a string, not an object"),
        (#""metadata": [1]"#, "metadata: must be an object of strings, not an array"),
        (#""metadata": {"a": 1}"#, "metadata.a: must be a string, not a number"),
        (
            #""metadata": {"a": "\#(String(repeating: "x", count: 65_536))"}"#,
            "metadata: may have 65536 bytes, names and values together, not 65537"
        ),
        (#""videoSize": {"width": 17, "height": 16}"#, "videoSize.width: must be even, not 17"),
        (#""videoSize": 5"#, "videoSize: must be an object, not a number"),
        (#""frameRate": 1e400"#, "frameRate: must be a number or \"num/den\"; 1e400 needs more than 64 bits"),
        (#""background": {"type": "color", "color": "red"}"#, "background.color: must be #RRGGBB or #RRGGBBAA, not 'red'"),
        (
            #""background": {"type": "blur", "url": "a.png"}"#,
            "background.url: does not belong to a background of type 'blur'; leave it out"
        ),
        (#""sourceMetadata": "all""#, "sourceMetadata: 'all' is not one of none, first, or a list of tags' names"),
        (#""sourceMetadata": [7]"#, "sourceMetadata[0]: must be a tag's name, not a number"),
        (#""sourceMetadata": ["title", "title"]"#, "sourceMetadata[1]: 'title' is there already; leave it out"),
        (#""timeRange": {"start": 2000000, "duration": 1}"#, "timeRange.start: must be within 1000000 s, not 2000000"),
        (#""timeRange": {"start": 0, "duration": 0}"#, "timeRange.duration: must be above 0 s, not 0"),
        (#""audioClips": {}"#, "audioClips: must be an array, not an object"),
        (
            #""chapters": [{"start": 2, "title": "a"}, {"start": 2, "title": "b"}]"#,
            "chapters[1].start: must be above that of the chapter before it, 2 s"
        ),
        (#""creationTime": "today""#, "creationTime: must be a time in UTC, as in 2026-11-22T10:30:00Z"),
        (#""audio": {"truePeak": -2}"#, "audio.truePeak: is a setting of the limiter, which is off; give limiter or loudness"),
        (
            #""audio": {"audioFilters": [{"type": "reverb", "url": "hall.wav"}]}"#,
            "audio.audioFilters[0]: reverb belongs to clips and layers; give it to them"
        ),
        (
            #""audioTracks": [{"language": "EN"}]"#,
            "audioTracks[0].language: must be three lower-case letters of ISO 639-2: eng, deu, zho"
        ),
        (
            #""audioTracks": [{"mix": ["a"], "without": ["b"]}]"#,
            "audioTracks[0].without: cannot be combined with mix, which names all that is heard; give one of them"
        ),
        (#""audioTracks": [{"mix": "a"}]"#, "audioTracks[0].mix: must be an array of ids, not a string"),
        (
            #""audioTracks": [{"mix": [1]}]"#,
            "audioTracks[0].mix[0]: must be the id of a clip, an audio clip or a layer, not a number"
        ),
        (#""effects": [{"type": "mv"}]"#, "effects[0].type: the effect 'mv' cannot be rendered by this version"),
    ]

    @Test("A faulty field of the draft itself is reported with its place and the remedy", arguments: ofDraft)
    func draft(fields: String, line: String) {
        #expect(lines(DraftText.with(fields)).contains(line))
    }

    static let ofClips: [(String, String)] = [
        (
            #""frameRate": 25, "frameBlending": true"#,
            "mainTrackClips[0].frameBlending: would show pictures between those of the frameRate; give one of them"
        ),
        (
            #""duration": 2"#,
            "mainTrackClips[0].duration: belongs to clips of type 'image'; use timeRange or durationAtMainTrack"
        ),
        (
            #""transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 8, "height": 8}}}"#,
            "mainTrackClips[0].transform.fit: belongs to layers; a clip has its scalingMode"
        ),
        (
            #""transform": {"corners": {"topLeft": {"x": 0, "y": 0}}, "rotation": 5}"#,
            "mainTrackClips[0].transform.rotation: cannot be combined with corners, which place the whole picture"
        ),
        (
            #""preferredTransform": {"rotation": 45}"#,
            "mainTrackClips[0].preferredTransform.rotation: must be 0, 90, 180 or 270, not 45"
        ),
        (#""cropRect": {"x": 0, "y": 0, "width": 0, "height": 1}"#, "mainTrackClips[0].cropRect.width: must be above 0"),
        (
            #""cropRect": {"x": 0.5, "y": 0, "width": 0.6, "height": 1, "unit": "ratio"}"#,
            "mainTrackClips[0].cropRect.unit: a ratio rect must lie within 0...1"
        ),
        (#""audioStream": """#, "mainTrackClips[0].audioStream: is empty; give a stream's number or a language"),
        (
            #""volumeRamps": [{"timeRange": {"start": 0, "duration": 2}, "startVolume": 0, "endVolume": 1},"#
                + #" {"timeRange": {"start": 1, "duration": 2}, "startVolume": 1, "endVolume": 0}]"#,
            "mainTrackClips[0].volumeRamps[1].timeRange: starts before the ramp before it ends; shorten that one, or start "
                + "this one later"
        ),
        (
            #""audioFilters": [{"type": "equalizer", "bands": []}]"#,
            "mainTrackClips[0].audioFilters[0].bands: is empty; give at least one, or leave the filter out"
        ),
        (
            #""audioFilters": [{"type": "lv2", "plugin": ""}]"#,
            "mainTrackClips[0].audioFilters[0].plugin: must be the name of a plug-in"
        ),
        (
            #""audioFilters": [{"type": "ladspa", "file": "/lib/amp.so", "plugin": "amp_mono"}]"#,
            "mainTrackClips[0].audioFilters[0].file: must be the name of a library on this machine, without directory and '.so'"
        ),
        (
            #""filters": [{"type": "externalFilter", "name": "blur", "parameters": {"size": [1]}}]"#,
            "mainTrackClips[0].filters[0].parameters.size: must be a number, true or false, a text or a position {\"x\", \"y\"}"
        ),
        (
            #""opacity": 0.5, "animations": [{"keyPath": "opacity", "keyTimes": [0], "values": [1]}]"#,
            "mainTrackClips[0].opacity: is animated; give it either here or in animations"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [0], "values": [1]},"#
                + #" {"keyPath": "opacity", "keyTimes": [1], "values": [0]}]"#,
            "mainTrackClips[0].animations[1].keyPath: 'opacity' is animated already; put all its keyframes into one animation"
        ),
        (
            #""animations": [{"keyPath": "transform.scale", "keyTimes": [0], "values": [1]},"#
                + #" {"keyPath": "transform.scale.x", "keyTimes": [0], "values": [1]}]"#,
            "mainTrackClips[0].animations: 'transform.scale' and 'transform.scale.x' are both animated; animate the axes or both "
                + "at once"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [], "values": []}]"#,
            "mainTrackClips[0].animations[0].keyTimes: must have at least one key"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [1, 1], "values": [0, 1]}]"#,
            "mainTrackClips[0].animations[0].keyTimes[1]: must be above the one before it, 1 s"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [-1], "values": [0]}]"#,
            "mainTrackClips[0].animations[0].keyTimes[0]: must be at least 0 s, not -1"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [0, 1], "values": [0]}]"#,
            "mainTrackClips[0].animations[0].values: are 1, but there are 2 key times"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [0], "values": [0], "timingFunctions": ["linear"]}]"#,
            "mainTrackClips[0].animations[0].timingFunctions: are 1, but 1 key times have 0 intervals"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": 0, "values": [0]}]"#,
            "mainTrackClips[0].animations[0].keyTimes: must be an array, not a number"
        ),
        (
            #""animations": [{"keyPath": "opacity", "keyTimes": [1e400], "values": [1]}]"#,
            "mainTrackClips[0].animations[0].keyTimes[0]: must be a time: a number of seconds or \"num/den\" that 64 bits can hold"
        ),
        (#""url": """#, "mainTrackClips[0].url: is empty; give the location of a file"),
    ]

    @Test("A faulty field of a clip is reported with its place and the remedy", arguments: ofClips)
    func clip(fields: String, line: String) {
        let text = fields.hasPrefix("\"url\"") ? DraftText.onlyClip(fields) : DraftText.withClip(fields)
        #expect(lines(text).contains(line))
    }

    static let ofTransitions: [(String, String)] = [
        (
            #""duration": 1, "softness": 0.5"#,
            "mainTrackClips[1].transition.softness: belongs to the transition 'lumaMap'; leave it out"
        ),
        (
            #""duration": 1, "name": "swirl""#,
            "mainTrackClips[1].transition.name: belongs to the transition 'externalTransition'; leave it out"
        ),
    ]

    @Test("A faulty field of a transition is reported with its place and the remedy", arguments: ofTransitions)
    func transition(fields: String, line: String) {
        #expect(lines(DraftText.withTransition(fields)).contains(line))
    }

    @Test("A field that a picture cannot have is reported with the remedy")
    func picture() {
        let line = "mainTrackClips[0].volume: does not belong to a clip of type 'image'; leave it out"
        #expect(lines(DraftText.withImage(#""duration": 1, "volume": 1"#)).contains(line))
    }

    @Test("A curve of the speed of an audio clip is reported with the remedy")
    func speed() {
        let line = "audioClips[0].speed: changes in clips of the main track only; give one number"
        #expect(lines(DraftText.withAudioClip(#""speed": {"keyTimes": [0], "values": [1]}"#)).contains(line))
    }

    @Test("Another version than 1 is reported with the version to give")
    func version() {
        #expect(
            lines(#"{"version": 2, "mainTrackClips": []}"#).contains(
                "version: version 2 is not known; give 1, which is the only version"))
    }

    @Test("More operations or keyframes than a draft may have are reported with the limit")
    func totals() {
        let keys = (0..<10_000).map(String.init).joined(separator: ",")
        let values = Array(repeating: "0", count: 10_000).joined(separator: ",")
        let animation = #"{"keyPath": "opacity", "keyTimes": [\#(keys)], "values": [\#(values)]}"#
        let clip = #"{"type": "av", "url": "a.mp4", "animations": [\#(animation)]}"#
        let text = #"{"version": 1, "mainTrackClips": [\#(Array(repeating: clip, count: 11).joined(separator: ","))]}"#
        let message = "exceeds the limits of a draft: 100000 keyframes and volume ramps"
        #expect(Draft.read(text).diagnostics.contains { $0.message == message })
    }

    @Test("A merge field without a value, and a value without a merge field, are reported with the remedy")
    func mergeFields() {
        #expect(
            lines(DraftText.with(#""title": "a""#), parameters: ["name": "x"]) == [
                "parameters.name: a value was given, but the draft has no {{name}}; leave the value out, or correct its name"
            ])
        #expect(
            lines(DraftText.onlyClip(#""url": "{{file}}""#), parameters: ["file": ""]) == [
                "mainTrackClips[0].url: is empty, because the value of its merge field is empty; give the merge field the "
                    + "location of a file"
            ])
        #expect(
            lines(DraftText.withClip(#""when": 5"#)) == [
                "mainTrackClips[0].when: must be a condition as a string, or true or false, not a number"
            ])
        #expect(
            lines(DraftText.with(#""title": "{{name}}""#), parameters: ["name": "a\0b"]) == [
                "title: has a NUL character, which is not allowed"
            ])
        let many = (0...1_000).map { "\"p\($0)\": 1" }.joined(separator: ",")
        #expect(
            lines(DraftText.with(#""parameters": {\#(many)}"#)).contains("parameters: may have 1000 entries, not 1001"))
        let long = Array(repeating: "{{v}}", count: 100).joined()
        #expect(
            lines(DraftText.with(#""metadata": {"a": "\#(long)"}"#), parameters: ["v": String(repeating: "x", count: 100_000)])
                .contains("metadata.a: merge fields make the draft more than 8388608 bytes longer"))
    }
}
