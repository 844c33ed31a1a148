import DraftModel
import Testing

/// The messages about layers, texts, shapes and gradients as a person reads them.
@Suite("Messages about layers")
struct LayerMessageTests {
    /// The lines for a draft with one layer that has the given fields.
    private func lines(ofLayer fields: String) -> [String] {
        let layer = #"{"timeRange": {"start": 0, "duration": 1}, \#(fields)}"#
        return Draft.read(DraftText.with(#""layers": [\#(layer)]"#)).diagnostics.map(\.placedMessage)
    }

    static let ofLayers: [(String, String)] = [
        (
            #""source": {"type": "text", "text": "a", "fitBox": true}"#,
            "layers[0].source.fitBox: makes the text fit into a box with a width or a height; give it one"
        ),
        (
            ##""source": {"type": "solid", "color": "#000000"}, "audio": {"volume": 1}"##,
            "layers[0].audio: belongs to layers of type 'video' and 'group'; a layer of type 'solid' has no sound; leave it out"
        ),
        (
            ##""source": {"type": "solid", "color": "#000000"}, "transitionIn": {"duration": 0.5, "audio": "crossfade"}"##,
            "layers[0].transitionIn.audio: joins the sound of videos and groups; this layer has none; leave it out"
        ),
        (
            #""source": {"type": "group", "layers": []}, "audio": {"pitch": 2}"#,
            "layers[0].audio.pitch: belongs to layers of type 'video'; give it to the videos in the group"
        ),
        (
            #""transform": {"rotation": 5}, "operations": []"#,
            "layers[0].transform: does not belong to an adjustment layer; leave it out, or give a source"
        ),
        (
            #""source": {"type": "image", "url": "a.png"}, "cropRect": {"x": 0, "y": 0, "width": 8, "height": 8},"#
                + #" "mask": {"source": {"type": "image", "url": "m.png"}},"#
                + #" "animations": [{"keyPath": "cropRect.x", "keyTimes": [0], "values": [1]}]"#,
            "layers[0].mask: cannot be combined with a crop that moves; put the layer into a group and mask the group"
        ),
        (
            #""source": {"type": "captions", "url": "a.srt", "burnIn": false}"#,
            "layers[0].source.burnIn: would show the captions nowhere; give a subtitleTrack"
        ),
        (
            #""source": {"type": "captions", "url": "a.srt", "style": {"align": "justified"}}"#,
            "layers[0].source.style.align: captions are not justified; give left, center or right"
        ),
        (
            ##""source": {"type": "captions", "url": "a.srt", "style": {"backgroundBox": {"color": "#000000", "cornerRadius": 5}}}"##,
            "layers[0].source.style.backgroundBox.cornerRadius: a box with round corners behind captions cannot be rendered by this "
                + "version; leave the field out"
        ),
        (
            #""source": {"type": "image", "url": "a.png"}, "transform": {"rotation": 5},"#
                + #" "animations": [{"keyPath": "transform.corners.topLeft.x", "keyTimes": [0], "values": [0]}]"#,
            "layers[0].animations: 'transform.rotation' cannot be combined with corners, which place the whole picture"
        ),
        (
            #""source": {"type": "text", "runs": [{"text": "a"}], "text": "b"}"#,
            "layers[0].source.runs: cannot be combined with text; leave one out"
        ),
        (
            #""source": {"type": "text", "runs": [{"text": "\#(String(repeating: "a", count: 6_000))"},"#
                + #" {"text": "\#(String(repeating: "a", count: 6_000))"}]}"#,
            "layers[0].source.runs: have 12000 bytes of text; 10000 are the most"
        ),
        (
            ##""source": {"type": "text", "text": "a", "color": "#12"}"##,
            "layers[0].source.color: must be #RRGGBB or #RRGGBBAA, not '#12'"
        ),
    ]

    @Test("A faulty field of a layer is reported with its place and the remedy", arguments: ofLayers)
    func layer(fields: String, line: String) {
        #expect(lines(ofLayer: fields).contains(line))
    }

    static let ofShapes: [(String, String)] = [
        (#""shape": "ellipse", "cornerRadius": 3"#, "cornerRadius: belongs to the shape 'rect'; leave it out"),
        (#""shape": "rect", "path": "M 0 0 L 1 1""#, "path: belongs to the shape 'path'; leave it out"),
        (
            #""shape": "path", "path": "M 0 0", "morphTo": ["M 1 1"], "morph": 2"#,
            "morph: must be 0...1, the number of paths in morphTo"
        ),
        (
            #""shape": "path", "path": "M 0 0", "morph": 1"#,
            "morph: says how far the path has become those of morphTo; give these, or leave it out"
        ),
        (#""shape": "path", "path": "M 0 0", "morphTo": "M 1 1""#, "morphTo: must be an array of SVG path data, not a string"),
        (#""shape": "path", "path": "M 0 0", "morphTo": []"#, "morphTo: must have 1...16 paths"),
        (#""shape": "path", "path": "M 0 0", "morphTo": [1]"#, "morphTo[0]: must be SVG path data, not a number"),
        (
            #""shape": "path", "path": "M 0 0", "morphTo": ["\#(String(repeating: " ", count: 65_537))"]"#,
            "morphTo[0]: has 65537 bytes; 65536 are the most"
        ),
    ]

    @Test("A faulty field of a shape is reported with its place and the remedy", arguments: ofShapes)
    func shape(fields: String, line: String) {
        let source = #""source": {"type": "shape", "size": {"width": 8, "height": 8}, \#(fields)}"#
        #expect(lines(ofLayer: source).contains("layers[0].source.\(line)"))
    }

    private static let black = ##"{"color": "#000000"}"##
    private static let white = ##"{"color": "#FFFFFF"}"##

    static let ofGradients: [(String, String)] = [
        (#""stops": [\#(black)]"#, "stops: must be two colours or more"),
        (##""stops": [{"color": "#000000", "location": 0}, \##(white)]"##, "stops: must all have a location, or none"),
        (
            ##""stops": [{"color": "#000000", "location": 1}, {"color": "#FFFFFF", "location": 0}]"##,
            "stops: must not go back: each location is at least the one before it"
        ),
        (
            #""type": "radial", "stops": [\#(black), \#(white)], "startPoint": {"x": 0, "y": 0}, "endPoint": {"x": 0, "y": 1}"#,
            "endPoint: must differ from startPoint in x and y: the differences are the radii of the ellipse with the last colour"
        ),
        (
            #""stops": [\#(black), \#(white)], "startPoint": {"x": 0, "y": 1}, "endPoint": {"x": 0, "y": 1}"#,
            "endPoint: must differ from startPoint"
        ),
    ]

    @Test("A faulty gradient is reported with its place and the remedy", arguments: ofGradients)
    func gradient(fields: String, line: String) {
        #expect(
            lines(ofLayer: #""source": {"type": "solid", "gradient": {\#(fields)}}"#).contains(
                "layers[0].source.gradient.\(line)"))
    }

    @Test("A property that cannot be animated is reported with those that can, and with the most similar one")
    func animation() {
        let animation = #"{"keyPath": "opacty", "keyTimes": [0], "values": [1]}"#
        let found = lines(ofLayer: ##""source": {"type": "solid", "color": "#000000"}, "animations": [\##(animation)]"##)
        #expect(
            found.contains {
                $0.hasPrefix(
                    "layers[0].animations[0].keyPath: 'opacty' cannot be animated; the animatable properties are opacity, ")
                    && $0.hasSuffix("; did you mean 'opacity'?")
            }, "\(found)")
    }

    @Test("Groups in groups are reported where they are too deep")
    func nesting() {
        let leaf = ##"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}}"##
        let deep = (0..<18).reduce(leaf) { inner, _ in
            #"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": [\#(inner)]}}"#
        }
        let messages = Draft.read(DraftText.with(#""layers": [\#(deep)]"#)).diagnostics.map(\.message)
        #expect(messages.contains("groups and masks may be nested at most 16 deep"))
    }

    @Test("More parameters of a plug-in, and longer names, than it may have are reported with the limit")
    func parameters() {
        func line(_ parameters: String) -> [String] {
            lines(ofLayer: #""source": {"type": "generator", "name": "noise", "parameters": {\#(parameters)}}"#)
        }
        let many = (0...256).map { "\"p\($0)\": 1" }.joined(separator: ",")
        #expect(line(many).contains("layers[0].source.parameters: a plug-in may have 256 parameters, not 257"))
        let long = "\"\(String(repeating: "p", count: 256))\": 1"
        #expect(line(long).contains("layers[0].source.parameters: the name of a parameter may have 255 bytes, not 256"))
    }
}
