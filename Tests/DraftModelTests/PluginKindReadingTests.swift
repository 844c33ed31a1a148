import DraftModel
import ExactTime
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// How generators and mixers are read.
@Suite struct PluginKindReadingTests {
    private static func clips(_ fields: String) -> String {
        #"{"version": 1, "mainTrackClips": [{"type": "generator", \#(fields)}]}"#
    }

    private static func layer(_ fields: String) -> String {
        #"{"version": 1, "mainTrackClips": [], "layers": [{"timeRange": {"start": 0, "duration": 2}, \#(fields)}]}"#
    }

    private func faults(_ text: String) -> [Fault] { Draft.read(text).diagnostics.map { Fault($0.path, $0.code) } }

    @Test("A generator clip has a plug-in, a duration, a speed and what can be said of every picture")
    func clip() throws {
        let text = Self.clips(
            #"""
            "name": "plasma", "parameters": {"1_speed": 0.5}, "duration": 4, "speed": 2, "reverse": true, "opacity": 0.5,
            "transform": {"rotation": 10}, "filters": [{"type": "sepia"}],
            "animations": [{"keyPath": "parameters.1_move", "keyTimes": [0, 1], "values": [0, 1]}]
            """#)
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        let clip = try #require(draft?.mainTrackClips.first)
        #expect(clip.generator == PicturePlugin(name: "plasma", parameters: ["1_speed": .number(0.5)]))
        #expect(clip.duration == MediaTime(seconds: 4) && clip.reverse == true && clip.speed == .constant(Rational(2)))
        #expect(clip.animations?.map(\.keyPath) == ["parameters.1_move"])
    }

    @Test(
        "Faults of generator clips name their places, and fields of other clips are unknown",
        arguments: [
            (#""duration": 1"#, [Fault("mainTrackClips[0].name", .missingField)]),
            (#""name": "plasma""#, [Fault("mainTrackClips[0].duration", .missingField)]),
            (#""name": "plasma", "duration": 0"#, [Fault("mainTrackClips[0].duration", .outOfRange)]),
            (#""name": "plasma", "duration": 1, "url": "a""#, [Fault("mainTrackClips[0].url", .unknownField)]),
            (#""name": "plasma", "duration": 1, "volume": 1"#, [Fault("mainTrackClips[0].volume", .unknownField)]),
            (#""name": "plasma", "duration": 1, "scalingMode": "fill""#, [Fault("mainTrackClips[0].scalingMode", .unknownField)]),
            (
                #""name": "plasma", "duration": 1, "parameters": {"a": [1]}"#,
                [Fault("mainTrackClips[0].parameters.a", .wrongType)]
            ),
            (#""name": "plasma", "duration": 1, "speed": 20"#, [Fault("mainTrackClips[0].speed", .outOfRange)]),
        ] as [(String, [Fault])])
    func clipFaults(fields: String, wanted: [Fault]) {
        #expect(faults(Self.clips(fields)) == wanted)
    }

    @Test("A name and parameters belong to no other clip")
    func otherClips() {
        #expect(faults(DraftText.withClip(#""name": "plasma""#)) == [Fault("mainTrackClips[0].name", .unknownField)])
        #expect(
            faults(DraftText.withImage(#""duration": 1, "parameters": {}"#))
                == [Fault("mainTrackClips[0].parameters", .unknownField)])
    }

    @Test("A layer's source can be a generator, also in a mask, and its parameters can be animated")
    func layerSource() throws {
        let text = Self.layer(
            #"""
            "source": {"type": "generator", "name": "plasma", "size": {"width": 64, "height": 32}, "speed": 0.5, "reverse": true},
            "mask": {"source": {"type": "generator", "name": "nois0r"}, "channel": "luma"},
            "animations": [{"keyPath": "source.parameters.a", "keyTimes": [0], "values": [1]},
              {"keyPath": "mask.source.parameters.b", "keyTimes": [0], "values": [1]}]
            """#)
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        let source = try #require(draft?.layers?[0].source)
        #expect(source.generator == PicturePlugin(name: "plasma"))
        #expect(source.speed == Rational(1, 2) && source.reverse == true && source.size == PixelSize(width: 64, height: 32))
        #expect(draft?.layers?[0].mask?.source.generator == PicturePlugin(name: "nois0r"))
        #expect(
            faults(Self.layer(#""source": {"type": "generator", "size": {"width": 2, "height": 2}}"#))
                == [
                    Fault("layers[0].source.name", .missingField), Fault("layers[0].source.size.width", .outOfRange),
                    Fault("layers[0].source.size.height", .outOfRange),
                ])
        #expect(
            faults(Self.layer(#""source": {"type": "generator", "name": "plasma"}, "audio": {"volume": 1}"#))
                == [Fault("layers[0].audio", .conflict)])
    }

    @Test("A blend mode is a name, or an object that calls a mixer")
    func blendModes() throws {
        let source = ##""source": {"type": "solid", "color": "#FF0000"}"##
        func read(_ mode: String, _ more: String = "") -> (draft: Draft?, diagnostics: [DraftDiagnostic]) {
            Draft.read(Self.layer(source + #", "blendMode": \#(mode)\#(more)"#))
        }
        #expect(read(#""multiply""#).draft?.layers?[0].blendMode == .named(.multiply))
        let burn = read(
            #"{"type": "external", "name": "burn", "parameters": {"a": true}}"#,
            #", "animations": [{"keyPath": "blendMode.parameters.b", "keyTimes": [0], "values": [1]}]"#)
        #expect(burn.diagnostics.isEmpty)
        #expect(burn.draft?.layers?[0].blendMode == .external(PicturePlugin(name: "burn", parameters: ["a": .bool(true)])))
        let place = "layers[0].blendMode"
        #expect(read(#""mutliply""#).diagnostics.map { Fault($0.path, $0.code) } == [Fault(place, .invalidValue)])
        #expect(
            read(#"{"type": "external"}"#).diagnostics.map { Fault($0.path, $0.code) } == [Fault("\(place).name", .missingField)])
        #expect(
            read(#"{"type": "burn"}"#).diagnostics.map { Fault($0.path, $0.code) } == [Fault("\(place).type", .invalidValue)])
        #expect(
            read(#"{"type": "external", "name": "burn", "amount": 1}"#).diagnostics.map { Fault($0.path, $0.code) }
                == [Fault("\(place).amount", .unknownField)])
    }

    @Test("A transition that a plug-in draws has its name, parameters and the number that runs")
    func transitions() throws {
        let fields =
            #""type": "externalTransition", "duration": 1, "name": "xfade0r", "parameters": {"a": 1}, "progress": "fader""#
        let (draft, diagnostics) = Draft.read(DraftText.withTransition(fields))
        #expect(diagnostics.isEmpty)
        let transition = try #require(draft?.mainTrackClips[1].transition)
        #expect(transition.type == .externalTransition && transition.progress == "fader")
        #expect(transition.mixer == PicturePlugin(name: "xfade0r", parameters: ["a": .number(1)]))
        let place = "mainTrackClips[1].transition"
        #expect(
            faults(DraftText.withTransition(#""type": "externalTransition", "duration": 1"#))
                == [Fault("\(place).name", .missingField)])
        for field in [#""name": "xfade0r""#, #""parameters": {}"#, #""progress": "fader""#] {
            let name = String(field.dropFirst().prefix { $0 != "\"" })
            #expect(
                faults(DraftText.withTransition(#""type": "dissolve", "duration": 1, \#(field)"#))
                    == [Fault("\(place).\(name)", .conflict)])
        }
    }

    @Test("A draft with generators and mixers is equal after writing and reading it")
    func roundTrip() throws {
        let text = #"""
            {"version": 1, "mainTrackClips": [
              {"type": "generator", "name": "plasma", "parameters": {"a": 1, "b": true, "c": "x", "d": {"x": 0, "y": 1}},
               "duration": 3, "speed": {"keyTimes": [0, 3], "values": [1, 2]}, "reverse": true},
              {"type": "generator", "name": "onecol0r", "duration": 2, "transition": {"type": "externalTransition",
               "name": "xfade0r", "duration": 1, "parameters": {"a": 0.5}, "progress": "fader", "audio": "cut"}}],
             "layers": [{"timeRange": {"start": 0, "duration": 2}, "blendMode": {"type": "external", "name": "burn",
               "parameters": {"a": 1}}, "source": {"type": "generator", "name": "plasma", "parameters": {"a": 1}, "speed": 2,
               "reverse": true, "size": {"width": 64, "height": 32}}},
               {"timeRange": {"start": 0, "duration": 2}, "blendMode": "screen", "operations": [{"type": "invert"}],
                "transitionIn": {"type": "externalTransition", "name": "blend", "duration": 1}}]}
            """#
        let draft = try #require(Draft.read(text).draft)
        let written = try JSONEncoder().encode(draft)
        let (again, diagnostics) = Draft.read(written)
        #expect(diagnostics.isEmpty)
        #expect(again == draft)
    }

    @Test("A plug-in has 256 parameters at most at every place, and names of 255 bytes")
    func limits() {
        let many = "{" + (0...DraftLimits.operationParameters).map { "\"p\($0)\": 1" }.joined(separator: ",") + "}"
        let long = String(repeating: "x", count: DraftLimits.nameBytes + 1)
        #expect(
            faults(Self.clips(#""name": "plasma", "duration": 1, "parameters": \#(many)"#))
                == [Fault("mainTrackClips[0].parameters", .outOfRange)])
        #expect(faults(Self.clips(#""name": "\#(long)", "duration": 1"#)) == [Fault("mainTrackClips[0].name", .outOfRange)])
        #expect(
            faults(Self.layer(#""source": {"type": "generator", "name": "a", "parameters": \#(many)}"#))
                == [Fault("layers[0].source.parameters", .outOfRange)])
        #expect(
            faults(Self.layer(#""blendMode": {"type": "external", "name": "a", "parameters": \#(many)}"#))
                == [Fault("layers[0].blendMode.parameters", .outOfRange)])
        #expect(
            faults(DraftText.withTransition(#""type": "externalTransition", "duration": 1, "name": "a", "parameters": \#(many)"#))
                == [Fault("mainTrackClips[1].transition.parameters", .outOfRange)])
    }
}
