import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import Vocabulary

/// The messages about drafts whose fields are right by themselves and not together, or not with the sources: each has the
/// place, what is wrong there, and the remedy.
@Suite("Messages of the compiler")
struct CompilerMessageTests {
    /// `a` is a film of 10 s with 1920x1080 pixels, `silent` has no sound, `i` is a picture, `m` a sound, `c` captions.
    private static let facts = [
        "a": SourceFacts.film("a"), "silent": SourceFacts.film("silent", hasSound: false), "i": SourceFacts.picture("i"),
        "m": SourceFacts.sound("m"),
    ]

    private func lines(_ json: String, _ settings: [String: String]) throws -> [String] {
        var sample = try SampleDraft(json: json, facts: CompilerMessageTests.facts)
        sample.settings = ExportSettings.read(settings).settings
        do {
            return try sample.compiler.compose(sample.draft).warnings.map(\.line)
        } catch let error as DraftError {
            return error.diagnostics.map(\.line)
        }
    }

    static let ofClips: [(String, String)] = [
        (
            #""cropRect": {"x": 1920, "y": 0, "width": 8, "height": 8}"#,
            "error: mainTrackClips[0].cropRect: goes beyond the picture of 'a', which is 1920x1080 when upright"
        ),
        (
            #""transform": {"corners": {"topLeft": {"x": 0, "y": 0}, "topRight": {"x": 1, "y": 1}, "#
                + #""bottomRight": {"x": 1, "y": 0}, "bottomLeft": {"x": 0, "y": 1}}}"#,
            "error: mainTrackClips[0].transform.corners: must make a convex quadrilateral: topLeft, topRight, bottomRight and "
                + "bottomLeft in order around it"
        ),
        (
            #""transition": {"duration": 1}"#,
            "error: mainTrackClips[0].transition: the first clip has no clip before it to join; leave the transition out"
        ),
        (
            #""speed": {"keyTimes": [0, 1], "values": [1, 2]}, "durationAtMainTrack": 5"#,
            "error: mainTrackClips[0].durationAtMainTrack: cannot be combined with a speed that changes; give one of them"
        ),
        (
            #""timeRange": {"start": 0, "duration": 4}, "speed": 2, "durationAtMainTrack": 1"#,
            "error: mainTrackClips[0].durationAtMainTrack: gives speed 4, but speed is 2; give one of them"
        ),
        (
            #""cropRect": {"x": 0, "y": 0, "width": 100, "height": 100}, "animations": [{"keyPath": "cropRect.width","#
                + #" "keyTimes": [0, 1], "values": [100, 0]}]"#,
            "error: mainTrackClips[0].animations[0].values[1]: leaves 0.0 pixels of 'a'; a crop that moves has at least one"
        ),
        (
            #""cropRect": {"x": 0, "y": 0, "width": 100, "height": 100}"#,
            "warning: mainTrackClips[0].cropRect: is 100x100, which is not the shape of the frame, 1920x1080: the background is "
                + "seen beside it; give it the frame's shape, or another scalingMode"
        ),
        (
            #""durationAtMainTrack": 0.1"#,
            "error: mainTrackClips[0].durationAtMainTrack: results in speed 100, which is not within 1/10...16"
        ),
    ]

    @Test("A clip whose fields contradict each other or the source is reported with the remedy", arguments: ofClips)
    func clip(fields: String, line: String) throws {
        let json = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a", \#(fields)}]}"#
        #expect(try lines(json, [:]).contains(line))
    }

    static let ofSources: [(String, String)] = [
        (#"{"type": "av", "url": "i"}"#, "type: 'i' is a still picture; use type 'image' and give a duration"),
        (#"{"type": "image", "url": "a", "duration": 1}"#, "type: 'a' is a video; use type 'av'"),
        (#"{"type": "image", "url": "m", "duration": 1}"#, "url: 'm' has no picture; put a sound into audioClips"),
        (#"{"type": "av", "url": "font:x"}"#, "url: 'font:x' is not a source; name the location of the font file"),
    ]

    @Test("A source of another kind than the clip's is reported with what to do", arguments: ofSources)
    func source(clip: String, line: String) throws {
        let found = try lines(#"{"version": 1, "mainTrackClips": [\#(clip)]}"#, [:])
        #expect(found.contains("error: mainTrackClips[0].\(line)"), "\(found)")
    }

    static let ofLayers: [(String, String)] = [
        (
            ##""source": {"type": "solid", "color": "#000000"}, "cropRect": {"x": 0, "y": 0, "width": 8, "height": 8}"##,
            "error: layers[0].cropRect: does not belong to a layer of type 'solid', which has a size of its own; leave it out"
        ),
        (
            #""source": {"type": "image", "url": "m"}"#,
            "error: layers[0].source.url: 'm' has no picture; put a sound into audioClips"
        ),
        (#""source": {"type": "video", "url": "i"}"#, "error: layers[0].source.type: 'i' is a still picture; use type 'image'"),
        (
            #""source": {"type": "video", "url": "a", "timeRange": {"start": 10, "duration": 1}}"#,
            "error: layers[0].source.timeRange.start: must be below 10 s, where 'a' ends"
        ),
        (
            #""source": {"type": "text", "text": "a"}, "cropRect": {"x": 0, "y": 0, "width": 8, "height": 8}"#,
            "error: layers[0].cropRect: does not belong to a layer of type 'text'; leave it out"
        ),
        (
            #""source": {"type": "text", "text": "a"}, "transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 8, "height": 8}}}"#,
            "error: layers[0].transform.fit: does not belong to a text, which has a size of its own; leave it out"
        ),
        (
            #""source": {"type": "text", "text": "a"}, "mask": {"source": {"type": "image", "url": "i"}}"#,
            "error: layers[0].mask: does not belong to a text, whose size is not known before it is drawn; put it into a group "
                + "and mask the group"
        ),
        (
            #""source": {"type": "shape", "shape": "path", "size": {"width": 8, "height": 8}, "path": "M 0 0 L 1 1","#
                + #" "morphTo": ["M 0 0 L 1 1 L 2 2"]}"#,
            "); a path turns into one with the same moves, lines or curves, and closings"
        ),
        (
            #""source": {"type": "video", "url": "silent"}, "audio": {"volume": 2}"#,
            "warning: layers[0].audio: changes nothing: 'silent' has no sound; leave it out"
        ),
        (
            #""source": {"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 1},"#
                + #" "source": {"type": "image", "url": "i"}}]}, "audio": {"volume": 2}"#,
            "warning: layers[0].audio: changes nothing: no video in the group has sound; leave it out"
        ),
        (
            #""source": {"type": "image", "url": "i"}, "mask": {"source": {"type": "group", "layers": [{"timeRange": {"start": 0,"#
                + #" "duration": 1}, "source": {"type": "video", "url": "a"}, "audio": {"volume": 2}}]}}"#,
            ".audio: changes nothing: nothing in a mask is heard; leave it out"
        ),
        (
            #""video": false, "source": {"type": "image", "url": "i"}, "transitionIn": {"duration": 0.5}"#,
            "warning: layers[0].transitionIn: changes nothing: the layer is not drawn; leave it out, or draw the layer"
        ),
        (
            #""source": {"type": "image", "url": "i"}, "transitionIn": {"duration": 2}"#,
            "error: layers[0].transitionIn.duration: layers[0] is seen for 1 s, but its transition takes 2 s; shorten it"
        ),
    ]

    @Test("A layer whose fields contradict each other or the source is reported with the remedy", arguments: ofLayers)
    func layer(fields: String, line: String) throws {
        let layer = #"{"timeRange": {"start": 0, "duration": 1}, \#(fields)}"#
        let json = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}], "layers": [\#(layer)]}"#
        let found = try lines(json, [:])
        #expect(found.contains { $0.contains(line) }, "\(found)")
    }

    /// Further fields of a draft with one clip of the film `a`, and settings.
    static let ofDrafts: [(String, [String: String], String)] = [
        (
            #""timeRange": {"start": 10, "duration": 1}"#, [:],
            "error: timeRange: starts at 10 s, but the video is 10 s long"
        ),
        (
            #""audioClips": [{"url": "silent"}]"#, [:],
            "error: audioClips[0].url: 'silent' has no sound; leave the clip out"
        ),
        (
            #""audioClips": [{"url": "m", "loop": true, "timeRange": {"start": 0, "duration": 0.05}}]"#, [:],
            "error: audioClips[0].timeRange.duration: a loop is at least 0.1 s long"
        ),
        (
            #""audioClips": [{"url": "m", "fadeInCurve": "tri"}]"#, [:],
            "warning: audioClips[0].fadeInCurve: changes nothing without a fadeIn; give fadeIn seconds, or leave it out"
        ),
        (
            #""background": {"type": "image", "url": "m"}"#, [:],
            "error: background.url: 'm' has no picture; name a file with one"
        ),
        (
            #""effects": [{"type": "cut", "timeRangeAtMainTrack": {"start": 0, "duration": 10}}]"#, [:],
            "error: effects[0].timeRangeAtMainTrack: cuts out the whole main track; leave a part of it"
        ),
        (
            #""effects": [{"type": "freeze", "duration": 50000}]"#, [:],
            "error: effects[0]: makes the main track longer than 43200 s, which is the most; shorten it"
        ),
        (
            #""effects": [{"type": "imageSticker", "url": "m", "destRect": {"x": 0, "y": 0, "width": 8, "height": 8}}]"#, [:],
            "error: effects[0].url: 'm' has no picture; name a file with one"
        ),
        (
            #""audioTracks": [{"language": "eng"}]"#, ["preset": "passthrough"],
            "error: audioTracks: are mixed, and passthrough copies; leave them out, or export with another preset"
        ),
        (
            #""audioTracks": [{"language": "eng"}]"#, ["fileType": "gif"],
            "error: audioTracks: do not go into a gif file; leave them out, or write "
        ),
        (
            #""chapters": [{"start": 0, "title": "a"}]"#, ["fileType": "gif"],
            "error: chapters: do not go into a gif file; leave them out, or write "
        ),
        (
            #""cover": {"url": "i"}"#, ["fileType": "gif"],
            "error: cover: does not go into a gif file; leave it out, or write "
        ),
        (
            #""cover": {"url": "i"}, "metadata": {"nonsense": "a"}"#, [:],
            "error: metadata.nonsense: is not a tag that a mp4 file has beside a cover; leave one of them out, or use one of "
        ),
        (
            #""background": {"type": "blur"}"#, ["fileType": "webm", "alpha": "true"],
            "error: background.type: a blurred background covers the frame, and the film is to keep its transparency; leave the "
                + "background or alpha out"
        ),
        (
            ##""background": {"type": "color", "color": "#FF0000"}"##, ["fileType": "webm", "alpha": "true"],
            "warning: background.color: covers the frame, so that the film's alpha is opaque everywhere; give a translucent "
                + "colour such as #00000000, or leave the background out"
        ),
        ("", ["fileType": "webm", "level": "4"], "error: settings.level: belongs to h264 and hevc, and the film's codec is vp9"),
        ("", ["level": "1.7"], "error: settings.level: 1.7 is not a level of h264: "),
        ("", ["level": "1"], "with the reference frames of the encoderSpeed; give "),
        (
            "", ["videoCodec": "hevc", "colorRange": "hdr"],
            "error: settings.colorRange: hdr has no effect on this draft, because no clip is HDR or has more than 8 bits; leave "
                + "it out"
        ),
        ("", ["posterTime": "20"], "error: settings.posterTime: is 20 s, and the film ends at 10 s"),
        ("", ["frameTime": "20"], "error: settings.frameTime: is 20 s, and the film ends at 10 s"),
        (
            "", ["fileSizeLimit": "10000"],
            "error: settings.fileSizeLimit: is too small for 10 s of film, whose sound takes about "
        ),
        (
            #""videoSize": {"width": 64, "height": 4096}"#, ["spriteInterval": "1", "spriteWidth": "640"],
            "error: settings.spriteWidth: makes sprites of 640x40960 of a film of 64x4096; they may be 2048 pixels high"
        ),
        (
            #""videoSize": {"width": 320, "height": 180}"#, ["preset": "passthrough"],
            "error: videoSize: must be 1920x1080, the size of the pictures that passthrough copies"
        ),
        (
            #""frameRate": 25"#, ["preset": "passthrough"],
            "error: frameRate: must be 30, the rate of the pictures that passthrough copies"
        ),
        (
            #""frameRate": 60"#, [:],
            "pictures a second: they are repeated; make the film with the clips' frame rate, or blend frames by frameBlending"
        ),
        (
            #""videoSize": {"width": 7680, "height": 4320}"#, [:],
            "times for a film of 7680x4320; make the film smaller, or use a larger source"
        ),
        (
            #""sourceMetadata": ["nonsense"]"#, [:],
            "warning: sourceMetadata: takes nothing over, because no clip's file has such a tag; see with spool probe which tags "
                + "there are"
        ),
        (
            #""effects": [{"type": "filter", "operation": {"type": "contrast", "amount": 1.2},"#
                + #" "timeRangeAtMainTrack": {"start": 20, "duration": 1}}]"#, [:],
            ", but the main track is 10 s long with the effects before this one; begin it earlier, or leave it out"
        ),
        (
            #""audioClips": [{"url": "m", "audioFilters": [{"type": "reverb", "url": "silent"}]}]"#, [:],
            "'silent' is a video and has no sound; a sound file is expected"
        ),
        (
            #""layers": [{"timeRange": {"start": 0, "duration": 1}, "opacity": 1, "source": {"type": "captions", "url": "c","#
                + #" "burnIn": false, "subtitleTrack": {"language": "eng"}}}]"#, [:],
            "error: layers[0].opacity: does not belong to captions that are not drawn; leave it out"
        ),
        (
            #""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": [{"#
                + #""timeRange": {"start": 0, "duration": 1}, "source": {"type": "captions", "url": "c","#
                + #" "subtitleTrack": {"language": "eng"}}}]}}]"#, [:],
            "belongs to a layer of the film itself, not to one of a group or mask; leave it out"
        ),
        (
            #""layers": [{"timeRange": {"start": 20, "duration": 1}, "source": {"type": "image", "url": "i"}}]"#, [:],
            "but the film ends at 10 s; begin it earlier, or leave it out"
        ),
    ]

    @Test("A draft that contradicts its settings or its sources is reported with the remedy", arguments: ofDrafts)
    func draft(fields: String, settings: [String: String], line: String) throws {
        let rest = fields.isEmpty ? "" : ", " + fields
        let found = try lines(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}]\#(rest)}"#, settings)
        #expect(found.contains { $0.contains(line) }, "\(found)")
    }

    @Test("A pan and a frequency that change nothing in the film are warnings with the remedy")
    func sound() throws {
        let pan = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "pan": 0.5}]}"#
        #expect(
            try lines(pan, ["channels": "1"]).contains(
                "warning: mainTrackClips[0].pan: changes nothing in a film with one channel; export with two channels, or leave "
                    + "it out"))
        let filter = #"{"type": "lowpass", "frequency": 20000}"#
        let clip = #"{"type": "av", "url": "a", "audioFilters": [\#(filter)]}"#
        #expect(
            try lines(#"{"version": 1, "mainTrackClips": [\#(clip)]}"#, ["sampleRate": "16000"]).contains(
                "warning: mainTrackClips[0].audioFilters[0].frequency: changes nothing at 16000 samples a second, which hold "
                    + "frequencies below 8000 Hz; give a lower frequency, or leave the filter out"))
    }

    static let tooLong: [(String, [String: String], String)] = [
        (
            #"{"type": "image", "url": "i", "duration": 50000}"#, [:],
            "error: mainTrackClips: last 50000 s; the longest film is 43200 s long; cut the draft into several"
        ),
        (
            #"{"type": "image", "url": "i", "duration": 2000}"#, ["spriteInterval": "0.1"],
            "error: settings.spriteInterval: makes 20000 sprites of a film of 2000 s; it may make 10000"
        ),
        (
            #"{"type": "color", "duration": 1}"#, [:],
            "error: videoSize: is required, because no clip has a picture to take it from"
        ),
        (
            #"{"type": "av", "url": "a"}, {"type": "av", "url": "a", "transition": {"type": "distance", "duration": 1}}"#,
            ["fileType": "webm", "alpha": "true"],
            "distance compares the colours of both clips, and a transparent film has places without colours; choose another "
                + "transition, or leave alpha out"
        ),
    ]

    @Test("Clips that no film can have are reported with the limit or the remedy", arguments: tooLong)
    func clips(clips: String, settings: [String: String], line: String) throws {
        let found = try lines(#"{"version": 1, "mainTrackClips": [\#(clips)]}"#, settings)
        #expect(found.contains { $0.contains(line) }, "\(found)")
    }

    @Test("More frames than a film may have are reported with the remedy")
    func frames() throws {
        let json = #"{"version": 1, "frameRate": 240, "mainTrackClips": [{"type": "image", "url": "i", "duration": 40000}]}"#
        #expect(try lines(json, [:]).contains { $0.hasSuffix("; choose a lower frame rate") })
    }

    @Test("A luma map that is no still picture is reported with the remedy")
    func lumaMap() throws {
        let transition = #"{"type": "lumaMap", "duration": 1, "url": "m"}"#
        let clips = #"{"type": "av", "url": "a"}, {"type": "av", "url": "a", "transition": \#(transition)}"#
        #expect(
            try lines(#"{"version": 1, "mainTrackClips": [\#(clips)]}"#, [:]).contains(
                "error: mainTrackClips[1].transition.url: 'm' is not a still picture; name a greyscale one"))
    }
}
