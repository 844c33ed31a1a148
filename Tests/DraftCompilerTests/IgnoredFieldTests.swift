import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import FoundationEssentials

/// Checks that no field of a draft is accepted and ignored.
///
/// The readers report which fields each object of a draft has. The test gives each field other values, one at a time.
/// At least one of the accepted values must change the plan or give a warning. It need not be every value, because one
/// may be the default.
@Suite("Ignored fields")
struct IgnoredFieldTests {
    /// A draft whose objects have only their required fields.
    struct Base: CustomTestStringConvertible {
        var testDescription: String
        var text: String
        /// Fields that cannot change this draft, because it already does what they ask for.
        var fulfilled: Set<String> = []
        /// The kind of the plug-in that it calls; nil for a filter.
        var kind: PluginKind?
    }

    private static func clip(_ more: String = "") -> String {
        #"{"type": "av", "url": "a", "timeRange": {"start": 1, "duration": 3}\#(more.contains("speed") ? "" : #", "speed": 1.5"#)\#(more)}"#
    }

    private static func draft(_ clips: String, _ more: String = "") -> String {
        #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 30, "mainTrackClips": [\#(clips)]\#(more)}"#
    }

    private static func layer(
        _ name: String, _ source: String, _ more: String = "", fulfilled: Set<String> = [], kind: PluginKind? = nil
    ) -> Base {
        let source = source.isEmpty ? "" : #", "source": \#(source)"#
        let other = ##"{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "solid", "color": "#123456"}}"##
        return Base(
            testDescription: name,
            text: draft(clip(), #", "layers": [{"timeRange": {"start": 0.5, "duration": 2}\#(source)\#(more)}, \#(other)]"#),
            fulfilled: fulfilled, kind: kind)
    }

    private static func effect(_ name: String, _ fields: String) -> Base {
        Base(testDescription: "effect \(name)", text: draft(clip(), #", "effects": [{"type": "\#(name)"\#(fields)}]"#))
    }

    private static let text =
        ##"{"type": "text", "text": "Title", "box": {"width": 300}, "stroke": {"color": "#FF0000", "width": 2}, "shadow": {"color": "#000000"}, "backgroundBox": {"color": "#00FF00"}, "animation": {"unit": "word"}}"##

    static let bases: [Base] = [
        Base(testDescription: "clip", text: draft(clip())),
        Base(
            testDescription: "clip with everything",
            text: draft(
                clip(
                    #", "speed": {"keyTimes": [0, 3], "values": [1, 2]}, "volumeRamps": [{"timeRange": {"start": 0, "duration": 1}, "startVolume": 0, "endVolume": 1}], "preferredTransform": {"rotation": 90}, "cropRect": {"x": 0, "y": 0, "width": 1, "height": 1}, "transform": {"center": {"x": 0.2}, "scale": {"x": 2}, "anchor": {"x": 0.1}}, "filters": [{"type": "contrast", "amount": 1.2}], "animations": [{"keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 1]}]"#
                ))),
        Base(
            testDescription: "clip with corners",
            text: draft(
                clip(
                    #", "transform": {"corners": {"topLeft": {"x": 0.1, "y": 0.1}, "topRight": {"x": 0.9}, "bottomRight": {"y": 0.9}, "bottomLeft": {"x": 0.1}}}"#
                ))),
        Base(
            testDescription: "silent clip",
            text: draft(#"{"type": "av", "url": "silent", "timeRange": {"start": 1, "duration": 3}}"#),
            fulfilled: ["mainTrackClips[0].muted"]),
        Base(testDescription: "image clip", text: draft(#"{"type": "image", "url": "i", "duration": 3}"#)),
        Base(
            testDescription: "colour clip", text: draft(clip() + ##", {"type": "color", "duration": 3, "color": "#102030"}"##)),
        Base(
            testDescription: "filtered sound",
            text: draft(
                clip(
                    #", "audioFilters": [{"type": "equalizer", "bands": [{"frequency": 900, "gain": 3}]}, {"type": "reverb", "url": "n"}]"#
                ),
                #", "audio": {"audioFilters": [{"type": "highpass", "frequency": 90}, {"type": "gate"}, {"type": "deesser"}]}, "audioClips": [{"url": "m", "speed": 1.25, "timeRange": {"start": 1, "duration": 1}, "audioFilters": [{"type": "echo", "echoes": [{"delay": 90, "decay": 0.5}]}, {"type": "compressor"}, {"type": "denoise"}]}]"#
            ),
            // The sound ends with the film.
            fulfilled: ["audio.declick"]),
        Base(
            testDescription: "dissolve", text: draft(clip() + "," + clip(#", "transition": {"type": "dissolve", "duration": 1}"#))
        ),
        Base(
            testDescription: "luma map",
            text: draft(clip() + "," + clip(#", "transition": {"type": "lumaMap", "duration": 1, "url": "i"}"#))),
        Base(
            testDescription: "generators and their transition",
            text: draft(
                #"{"type": "generator", "name": "plasma", "duration": 2}, {"type": "generator", "name": "plasma", "duration": 2, "transition": {"type": "externalTransition", "name": "warp", "progress": "part", "duration": 1}}"#
            ),
            // Nothing is heard.
            fulfilled: ["mainTrackClips[1].transition.audio"]),
        layer(
            "generator layer", #"{"type": "generator", "name": "plasma"}"#,
            #", "blendMode": {"type": "external", "name": "warp"}"#),
        Base(
            testDescription: "coloured background",
            text: draft(clip(), ##", "background": {"type": "color", "color": "#102030"}"##)),
        Base(testDescription: "blurred background", text: draft(clip(), #", "background": {"type": "blur"}"#)),
        Base(testDescription: "background of a picture", text: draft(clip(), #", "background": {"type": "image", "url": "i"}"#)),
        Base(
            testDescription: "plain sound clip",
            text: draft(clip(), #", "audioClips": [{"url": "m", "speed": 1.25, "timeRange": {"start": 1, "duration": 1}}]"#)),
        Base(
            testDescription: "sound clip",
            text: draft(
                clip(),
                #", "audioClips": [{"url": "m", "speed": 1.25, "fadeIn": 0.5, "fadeOut": 0.5, "duck": {"gain": 0.3}, "timeRange": {"start": 0, "duration": 2}}]"#
            )),
        Base(
            testDescription: "document",
            text: draft(
                clip() + "," + clip(),
                #", "timeRange": {"start": 0.1, "duration": 3}, "metadata": {"comment": "x"}, "chapters": [{"start": 1, "title": "x"}], "cover": {"url": "i"}, "fonts": [{"url": "font"}], "audio": {"limiter": true, "declick": 0.01}, "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": "x"}}]"#
            ), fulfilled: ["layers[0].layerLevel"]),
        Base(
            testDescription: "streams",
            text: draft(
                #"{"type": "av", "url": "several", "videoStream": 0, "audioStream": 1, "timeRange": {"start": 1, "duration": 3}, "speed": 1.5}"#,
                #", "sourceMetadata": ["title"], "audioClips": [{"url": "several", "audioStream": 1, "speed": 1.25, "timeRange": {"start": 0, "duration": 0.5}}], "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "video", "url": "several", "videoStream": 0, "audioStream": 1, "timeRange": {"start": 0, "duration": 0.4}}}]"#
            ), fulfilled: ["layers[0].layerLevel"]),
        Base(
            testDescription: "sound tracks",
            text: draft(
                clip(#", "id": "picture""#),
                #", "audioClips": [{"url": "m", "id": "music", "volume": 0.5, "speed": 1.25, "timeRange": {"start": 0, "duration": 0.5}}], "audioTracks": [{"mix": ["picture"]}, {"language": "deu", "without": ["picture"]}]"#
            )),
        layer("video layer", #"{"type": "video", "url": "b", "timeRange": {"start": 1, "duration": 1.5}}"#),
        layer("silent video layer", #"{"type": "video", "url": "silent", "timeRange": {"start": 1, "duration": 1.5}}"#),
        layer(
            "image layer", #"{"type": "image", "url": "i"}"#,
            #", "transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 1, "height": 1}}}"#),
        layer("text layer", text), layer("solid layer", ##"{"type": "solid", "color": "#FF0000"}"##),
        layer("rect layer", ##"{"type": "shape", "shape": "rect", "size": {"width": 90, "height": 40}, "fill": "#00FF00"}"##),
        layer(
            "gradients",
            ##"{"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "gradient": {"type": "angular", "stops": [{"color": "#FF0000", "location": 0}, {"color": "#0000FF", "location": 1}], "startPoint": {"x": 0.4, "y": 0.4}, "endPoint": {"x": 0.9, "y": 0.8}}}}, {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": "x", "gradient": {"stops": [{"color": "#FF0000"}, {"color": "#0000FF"}]}}}, {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "shape", "shape": "rect", "size": {"width": 90, "height": 40}, "gradient": {"stops": [{"color": "#FF0000"}, {"color": "#0000FF"}]}}}]}"##
        ),
        layer("text in a box", #"{"type": "text", "text": "x", "box": {"width": 90, "height": 40}}"#),
        layer(
            "text of runs",
            ##"{"type": "text", "runs": [{"text": "x"}, {"text": "y", "font": "Bold", "stroke": {"color": "#FF0000", "width": 2}}]}"##
        ),
        layer("ellipse layer", #"{"type": "shape", "shape": "ellipse", "size": {"width": 90, "height": 40}}"#),
        layer(
            "path layer",
            ##"{"type": "shape", "shape": "path", "size": {"width": 90, "height": 40}, "path": "M0 0L9 9L0 9Z", "morphTo": ["M0 0L9 0L0 9Z"], "morph": 0.5, "stroke": {"color": "#FF0000", "width": 2, "trim": {"end": 0.5}}}"##
        ),
        layer(
            "captions layer",
            ##"{"type": "captions", "url": "srt", "subtitleTrack": {}, "style": {"margin": {"x": 9}, "stroke": {"color": "#000000", "width": 1}, "backgroundBox": {"color": "#000000"}}}"##,
            // Captions with a style are drawn anyway.
            fulfilled: ["layers[0].source.burnIn"]
        ),
        layer(
            "captions track", #"{"type": "captions", "url": "srt", "burnIn": false, "subtitleTrack": {"language": "deu"}}"#,
            // The level of a layer that is not drawn does not matter.
            fulfilled: ["layers[0].layerLevel", "layers[1].layerLevel", "layers[0].video"]),
        layer(
            "group layer",
            ##"{"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "video", "url": "b", "timeRange": {"start": 1, "duration": 0.4}}}, {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#FFFFFF"}}]}"##
        ),
        layer(
            "group layer with sound",
            #"{"type": "group", "layers": [{"timeRange": {"start": 0, "duration": 2}, "source": {"type": "video", "url": "b", "timeRange": {"start": 1, "duration": 1.5}}}]}"#,
            #", "audio": {"volume": 0.5}, "audioFilters": [{"type": "gate"}]"#,
            // A single layer has nothing below or above it in its group.
            fulfilled: ["layers[0].source.layers[0].layerLevel"]),
        layer(
            "layer with transitions", #"{"type": "video", "url": "b", "timeRange": {"start": 1, "duration": 1.5}}"#,
            #", "transitionIn": {"type": "lumaMap", "duration": 0.5, "url": "i"}, "transitionOut": {"duration": 0.25}"#),
        layer("adjustment layer", "", #", "operations": [{"type": "contrast", "amount": 1.2}]"#),
        layer(
            "masked layer", #"{"type": "image", "url": "i"}"#,
            ##", "mask": {"source": {"type": "shape", "shape": "ellipse", "size": {"width": 90, "height": 40}, "fill": "#FFFFFF"}}"##
        ),
        effect("filter", #", "operation": {"type": "contrast", "amount": 1.2}"#), effect("lut", #", "url": "lut""#),
        effect("imageSticker", #", "url": "i", "destRect": {"x": 0, "y": 0, "width": 1, "height": 1}"#),
        effect("speed", #", "speed": 2, "timeRangeAtMainTrack": {"start": 1, "duration": 1}"#),
        effect("repeat", #", "count": 2, "timeRangeAtMainTrack": {"start": 1, "duration": 1}"#),
        effect("cut", #", "timeRangeAtMainTrack": {"start": 1, "duration": 1}"#),
        // Only the start of a freeze's range matters.
        Base(
            testDescription: "freeze",
            text: draft(
                clip(), #", "effects": [{"type": "freeze", "duration": 1, "timeRangeAtMainTrack": {"start": 1, "duration": 1}}]"#),
            fulfilled: ["effects[0].timeRangeAtMainTrack.duration"]),
    ]

    /// Values by field name. Other fields get `others`.
    private static let values: [String: [String]] = [
        "type": ["\"image\"", "\"blur\"", "\"wipeLeft\"", "\"video\"", "\"fade\"", "\"brightness\"", "\"lowpass\""],
        "url": ["\"a\"", "\"b\"", "\"i\"", "\"j\"", "\"n\"", "\"srt2\"", "\"lut2\"", "\"font2\""],
        "timeRange": [#"{"start": 0.5, "duration": 1}"#], "timeRangeAtMainTrack": [#"{"start": 0.5, "duration": 1.5}"#],
        "deinterlace": ["\"topFieldFirst\""], "pan": ["-0.5"], "frequency": ["700", "0.25"], "delay": ["30"], "ratio": ["3"],
        "attack": ["30"], "release": ["300"], "knee": ["4"], "noiseFloor": ["-40"], "noiseReduction": ["20"],
        "gain": ["6", "0.25"],
        "bands": [#"[{"frequency": 50, "gain": -3}]"#], "echoes": [#"[{"delay": 40, "decay": 0.4}]"#],
        "audioFilters": [#"[{"type": "lowpass", "frequency": 4000}]"#], "poles": ["1"],
        "videoStream": ["7"], "audioStream": ["8"], "sourceMetadata": ["\"first\"", "[\"artist\"]"],
        "audioTracks": [#"[{"language": "deu"}]"#],
        "mix": [#"["music"]"#, "0.5"], "without": [#"["music"]"#],
        "transition": [#"{"type": "dissolve", "duration": 0.5}"#], "transitionIn": [#"{"type": "wipeUp", "duration": 0.5}"#],
        "transitionOut": [#"{"type": "wipeUp", "duration": 1}"#], "metadata": [#"{"artist": "me"}"#],
        "volumeRamps": [#"[{"timeRange": {"start": 0, "duration": 1}, "startVolume": 0, "endVolume": 0.5}]"#],
        "preferredTransform": [#"{"rotation": 180}"#], "layerLevel": ["2", "-2"],
        "cropRect": [#"{"x": 0, "y": 0, "width": 0.5, "height": 0.5, "unit": "ratio"}"#],
        "transform": [#"{"rotation": 10}"#], "filters": [#"[{"type": "brightness", "amount": 0.1}]"#],
        "operations": [#"[{"type": "brightness", "amount": 0.1}]"#], "operation": [#"{"type": "brightness", "amount": 0.1}"#],
        "animations": [#"[{"keyPath": "opacity", "keyTimes": [0, 1], "values": [0.2, 0.6]}]"#],
        "audio": [#"{"volume": 0.5}"#, "\"cut\"", "\"continue\"", #"{"limiter": true, "truePeak": -3}"#, #"{"declick": 0.05}"#],
        "mask": [##"{"source": {"type": "solid", "color": "#808080"}, "channel": "luma"}"##],
        "source": [##"{"type": "solid", "color": "#808080"}"##], "videoSize": [#"{"width": 320, "height": 180}"#],
        "background": [##"{"type": "color", "color": "#405060"}"##], "chapters": [#"[{"start": 0, "title": "one"}]"#],
        "cover": [#"{"url": "i"}"#, #"{"url": "j"}"#], "creationTime": ["\"2026-11-22T10:30:00Z\""],
        "audioClips": [#"[{"url": "m"}]"#], "effects": [#"[{"type": "freeze", "duration": 1}]"#],
        "layers": [##"[{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#808080"}}]"##],
        "fonts": [#"[{"url": "font2"}]"#], "mainTrackClips": [#"[{"type": "av", "url": "b"}]"#],
        "frameRate": ["25"], "size": [#"{"width": 64, "height": 32}"#], "box": [#"{"width": 200}"#],
        "stroke": [##"{"color": "#0000FF", "width": 3}"##], "shadow": [##"{"color": "#0000FF", "blur": 3}"##],
        "backgroundBox": [##"{"color": "#0000FF", "padding": 3}"##], "animation": [#"{"unit": "character"}"#],
        "gradient": [##"{"stops": [{"color": "#00FF00"}, {"color": "#0000FF"}]}"##],
        "stops": [##"[{"color": "#00FF00", "location": 0}, {"color": "#102030", "location": 1}]"##],
        "fitBox": ["true"], "runs": [#"[{"text": "other"}]"#], "backgroundColor": ["\"#0A0B0C\""],
        "baselineOffset": ["5"], "script": ["\"superscript\""], "underline": ["true"], "strikethrough": ["true"],
        "trim": [#"{"start": 0.25}"#], "end": ["0.75"], "morph": ["0.75"], "morphTo": [#"["M5 0L9 9L0 9Z"]"#],
        "startPoint": [#"{"x": 0.3, "y": 0.2}"#], "endPoint": [#"{"x": 0.7, "y": 0.3}"#],
        "style": [##"{"color": "#0000FF"}"##], "subtitleTrack": [#"{"language": "fra"}"#], "margin": [#"{"x": 20, "y": 30}"#],
        "offset": [#"{"x": 3, "y": 5}"#, "0.75"], "center": [#"{"x": 0.3}"#], "anchor": [#"{"x": 0.3}"#], "scale": ["1.5"],
        "fit": [#"{"rect": {"x": 0, "y": 0, "width": 50, "height": 80}}"#],
        "rect": [#"{"x": 0, "y": 0, "width": 50, "height": 80}"#],
        "destRect": [#"{"x": 0, "y": 0, "width": 50, "height": 80}"#], "corners": [#"{"topLeft": {"x": 0.2}}"#],
        "topLeft": [#"{"x": 0.2}"#], "topRight": [#"{"x": 0.8}"#], "bottomRight": [#"{"x": 0.8}"#],
        "bottomLeft": [#"{"x": 0.2}"#],
        "speed": ["1.5", "2"], "duck": ["0.5"], "keyTimes": ["[0, 2]"], "values": ["[0.3, 0.4]", "[1, 3]"],
        "timingFunctions": ["[\"easeIn\"]"], "keyPath": ["\"transform.rotation\""], "cornerRadius": ["4"],
        "durationAtMainTrack": ["1.25"], "declick": ["0.05"], "language": ["\"fra\""],
        "font": ["\"Serif 30\""], "path": ["\"M0 0L5 9L0 9Z\""], "shape": ["\"ellipse\"", "\"rect\""], "text": ["\"Other\""],
        "rotation": ["90", "180", "20"], "unit": ["\"ratio\"", "\"line\"", "\"pixel\""], "loudness": ["-20"], "truePeak": ["-3"],
        "pitch": ["2"], "threshold": ["-30", "0.5"], "version": ["2"], "title": ["\"x y\""], "id": ["\"x\""],
        "parameters": ["{}"], "name": ["\"plasma2\"", "\"warp2\""], "progress": ["\"size\""],
        "color": ["\"#0A0B0C\""], "fill": ["\"#0A0B0C\""], "start": ["0.25", "0", "1.25"], "radius": ["12"], "count": ["3"],
        "timePitchAlgorithm": ["\"varispeed\"", "\"spectral\""], "scalingMode": ["\"fill\"", "\"aspectFill\""],
        "blendMode": ["\"multiply\""], "channel": ["\"luma\""], "mode": ["\"fill\""], "align": ["\"right\"", "\"left\""],
        "verticalAlign": ["\"top\""], "timingFunction": ["\"linear\""], "fadeInCurve": ["\"exp\""], "fadeOutCurve": ["\"exp\""],
    ]

    private static let others = ["true", "false", "0", "0.25", "0.75", "1.25", "2", "4", "48"]

    /// Fields that do not affect the film.
    private static let names: Set<String> = ["id", "parameters"]

    @Test("Every field of every object changes the plan or gives a diagnostic", arguments: bases)
    func walk(_ base: Base) throws {
        let data = Data(base.text.utf8)
        let before = try #require(try plan(data, base), "the draft itself")
        var ignored: [String] = []
        var untried: [String] = []
        for (path, names) in Draft.fields(in: data).sorted(by: { $0.key < $1.key }) {
            for name in names where !Self.names.contains(name) {
                let field = path.isEmpty ? name : "\(path).\(name)"
                // Font files only matter if there are texts.
                if base.fulfilled.contains(field) || name == "fonts" && !base.text.contains("\"text\"") { continue }
                var (isAccepted, isEffective, isRefused) = (false, false, false)
                for value in Self.values[name] ?? Self.others {
                    let changed = try changing(data, field, value)
                    // A value that equals the present one proves nothing.
                    let (read, faults) = Draft.read(changed)
                    guard read != Draft.read(data).draft || !faults.isEmpty else { continue }
                    do {
                        let after = try plan(changed, base)
                        isAccepted = true
                        if after == nil || after != before { isEffective = true }
                    } catch let error as DraftError {
                        let wrong: Set<DraftDiagnostic.Code> = [.wrongType, .syntax]
                        if !error.diagnostics.errors.allSatisfy({ wrong.contains($0.code) }) { isRefused = true }
                    }
                }
                if isAccepted, !isEffective { ignored.append(field) }
                if !isAccepted, !isRefused { untried.append(field) }
            }
        }
        #expect(ignored == [], "accepted and ignored")
        #expect(untried == [], "has no value in this test's table that its type takes")
    }

    /// Drafts for every place that can call a plug-in.
    private static let calls: [Base] = [
        Base(testDescription: "clip", text: draft(clip(#", "filters": [CALL]"#))),
        Base(
            testDescription: "layer",
            text: draft(
                clip(),
                #", "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "image", "url": "i"}, "operations": [CALL]}]"#
            )
        ),
        Base(
            testDescription: "adjustment layer",
            text: draft(clip(), #", "layers": [{"timeRange": {"start": 0, "duration": 1}, "operations": [CALL]}]"#)),
        Base(testDescription: "effect", text: draft(clip(), #", "effects": [CALL]"#)),
        Base(
            testDescription: "effect's operation", text: draft(clip(), #", "effects": [{"type": "filter", "operation": CALL}]"#)),
        Base(
            testDescription: "generator clip", text: draft(#"{"type": "generator", "duration": 2, PLUGIN}"#), kind: .generator),
        layer("generator of a layer", #"{"type": "generator", PLUGIN}"#, kind: .generator),
        layer(
            "generator of a mask", ##"{"type": "solid", "color": "#FF0000"}"##,
            #", "mask": {"source": {"type": "generator", PLUGIN}}"#, kind: .generator),
        layer(
            "blend mode", ##"{"type": "solid", "color": "#FF0000"}"##, #", "blendMode": {"type": "external", PLUGIN}"#,
            kind: .mixer),
        layer(
            "transition of a layer", ##"{"type": "solid", "color": "#FF0000"}"##,
            #", "transitionIn": {"type": "externalTransition", "duration": 1, "progress": "run", PLUGIN}"#, kind: .mixer),
        Base(
            testDescription: "transition",
            text: draft(
                clip() + ","
                    + clip(#", "transition": {"type": "externalTransition", "duration": 1, "progress": "run", PLUGIN}"#)),
            kind: .mixer),
    ]

    /// At least two values for each kind of plug-in parameter.
    private static let parameters: [(kind: PluginFacts.Kind, values: [String])] = [
        (.number, ["0.25", "1.5"]), (.bool, ["true", "false"]), (.color, ["\"#00FF00\"", "\"#0000FF\""]),
        (.position, [#"{"x": 0, "y": 1}"#, #"{"x": 0, "y": 0.5}"#, #"{"x": 0.5, "y": 1}"#]), (.text, ["\"one\"", "\"two\""]),
    ]

    @Test("Every declared plug-in parameter changes the plan, and an undeclared one is an error", arguments: calls)
    func pluginParameters(_ base: Base) throws {
        func plan(_ parameters: String) throws -> RenderPlan {
            let plugin = #""name": "glow", "parameters": {\#(parameters)}"#
            let call = #"{"type": "externalFilter", \#(plugin)}"#
            let text = base.text.replacing("CALL", with: call).replacing("PLUGIN", with: plugin)
            let (draft, faults) = Draft.read(Data(text.utf8))
            guard let draft, faults.errors.isEmpty else { throw DraftError(faults) }
            var facts = SourceFacts.ofEverything(in: draft)
            facts["plugin:glow"] = SourceFacts(
                contentHash: String(repeating: "c", count: 64), byteCount: 1, container: "spool-plugin", origin: .zero,
                video: nil,
                audio: nil,
                plugin: PluginFacts(
                    name: "glow", title: "Glow", explanation: "", author: "",
                    parameters: Self.parameters.map {
                        PluginFacts.Parameter(
                            name: "a\($0.kind.rawValue)", kind: $0.kind, explanation: "", default: nil, minimum: -1, maximum: 2)
                    } + [PluginFacts.Parameter(name: "run", kind: .number, explanation: "", default: nil)], kind: base.kind))
            return try Compiler(settings: ExportSettings(), facts: facts).compile(draft).plan
        }
        let without = try plan("")
        for (kind, values) in Self.parameters {
            var plans = [without]
            for value in values {
                let found = try plan("\"a\(kind.rawValue)\": \(value)")
                #expect(!plans.contains(found), "\(kind) \(value) is accepted and ignored")
                #expect(found.stitch.key != without.stitch.key, "\(kind) \(value)")
                plans.append(found)
            }
            let stray = "b\(kind.rawValue)"
            let error = try #require(throws: DraftError.self) { try plan("\"\(stray)\": \(values[0])") }
            #expect(error.diagnostics.map(\.code) == [.unknownField])
            #expect(error.diagnostics.first?.path.hasSuffix(".parameters.\(stray)") == true)
        }
    }

    /// - Returns: the plan; nil if the compiler warns.
    /// - Throws: `DraftError` if the draft is not valid.
    private func plan(_ data: Data, _ base: Base) throws -> RenderPlan? {
        let (draft, faults) = Draft.read(data)
        guard let draft, faults.errors.isEmpty else { throw DraftError(faults) }
        let (settings, _) = ExportSettings.read(["fileType": draft.cover == nil ? "mkv" : "mp4"])
        let known = SourceFacts.ofEverything(in: draft)
        let found = SourceOutcomes(SourceUse.all(in: draft), reported: []) { known[$0.url].map(SourceOutcome.facts) }
        let compiled = try Compiler(settings: settings, facts: found.facts).compile(draft, reported: found.diagnostics)
        return compiled.warnings.isEmpty ? compiled.plan : nil
    }

    /// The document with another value of a field.
    private func changing(_ data: Data, _ field: String, _ value: String) throws -> Data {
        let pointer = "/" + field.replacing("[", with: "/").replacing("]", with: "").replacing(".", with: "/")
        let patch = try DraftPatch(Data(#"[{"op": "add", "path": "\#(pointer)", "value": \#(value)}]"#.utf8))
        return try patch.apply(to: data)
    }
}
