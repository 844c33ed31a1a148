import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Generators and mixers in drafts: which plug-ins a place takes, and what becomes of them in a plan.
@Suite struct PluginKindTests {
    /// The facts of a plug-in with numbers of -1...2.
    private static func plugin(_ name: String, _ kind: PluginKind?, _ hash: Character, numbers: [String]) -> SourceFacts {
        SourceFacts(
            contentHash: String(repeating: hash, count: 64), byteCount: 1, container: "frei0r", origin: .zero, video: nil,
            audio: nil,
            plugin: PluginFacts(
                name: name, title: name, explanation: "", author: "",
                parameters: numbers.map {
                    PluginFacts.Parameter(name: $0, kind: .number, explanation: "", default: nil, minimum: -1, maximum: 2)
                } + [PluginFacts.Parameter(name: "on", kind: .bool, explanation: "", default: nil)], kind: kind))
    }

    private static let facts: [String: SourceFacts] = [
        "a": .film("a", seconds: Rational(60)), "plugin:glow": plugin("glow", nil, "1", numbers: ["much"]),
        "plugin:plasma": plugin("plasma", .generator, "2", numbers: ["speed"]),
        "plugin:fade": plugin("fade", .mixer, "3", numbers: ["fader"]),
        "plugin:burn": plugin("burn", .mixer, "4", numbers: []),
        "plugin:warp": plugin("warp", .mixer, "5", numbers: ["part", "size"]),
    ]

    private static let generator = #"{"type": "generator", "name": "plasma", "duration": 4"#

    private func draft(_ clips: String, _ rest: String = "", _ facts: [String: SourceFacts] = Self.facts) throws -> SampleDraft {
        try SampleDraft(
            json: """
                {"version": 1, "videoSize": {"width": 320, "height": 180}, "frameRate": 25, "mainTrackClips": [\(clips)] \(rest)}
                """, facts: facts)
    }

    private func layer(_ fields: String) -> String {
        #", "layers": [{"timeRange": {"start": 1, "duration": 2}, \#(fields)}]"#
    }

    private func transition(_ fields: String) throws -> [DraftDiagnostic] {
        try draft(
            #"{"type": "av", "url": "a"}, {"type": "av", "url": "a", "transition": {"type": "externalTransition", "duration": 1, \#(fields)}}"#
        ).diagnostics()
    }

    @Test("A plug-in of one kind called as another is an error that names its kind and its places")
    func kinds() throws {
        let solid = ##""source": {"type": "solid", "color": "#FF0000"}"##
        let film = #"{"type": "av", "url": "a"}"#
        let cases: [(SampleDraft, String, String)] = [
            (try draft(#"{"type": "generator", "name": "glow", "duration": 1}"#), "mainTrackClips[0].name", "filter"),
            (try draft(#"{"type": "generator", "name": "burn", "duration": 1}"#), "mainTrackClips[0].name", "mixer"),
            (
                try draft(film, layer(#""source": {"type": "generator", "name": "fade"}"#)), "layers[0].source.name",
                "externalTransition"
            ),
            (
                try draft(film, layer(#"\#(solid), "mask": {"source": {"type": "generator", "name": "glow"}}"#)),
                "layers[0].mask.source.name", "externalFilter"
            ),
            (
                try draft(film, layer(#"\#(solid), "blendMode": {"type": "external", "name": "plasma"}"#)),
                "layers[0].blendMode.name", "generator"
            ),
            (
                try draft(
                    film, layer(#"\#(solid), "transitionIn": {"type": "externalTransition", "name": "glow", "duration": 1}"#)),
                "layers[0].transitionIn.name", "filter"
            ),
            (
                try draft(#"{"type": "av", "url": "a", "filters": [{"type": "externalFilter", "name": "plasma"}]}"#),
                "mainTrackClips[0].filters[0].name", "generator"
            ),
            (
                try draft(film, #", "effects": [{"type": "externalFilter", "name": "burn"}]"#), "effects[0].name", "blendMode"
            ),
        ]
        for (draft, path, words) in cases {
            let found = draft.diagnostics()
            #expect(found.map { Fault($0.path, $0.code) } == [Fault(path, .invalidValue)], "\(path)")
            #expect(found.first?.message.contains(words) == true, "\(found)")
        }
    }

    @Test("The number that runs over a transition is the plug-in's only one, or is named")
    func progress() throws {
        let place = "mainTrackClips[1].transition"
        #expect(try transition(#""name": "fade""#) == [])
        #expect(try transition(#""name": "fade", "progress": "fader", "parameters": {"on": true}"#) == [])
        #expect(try transition(#""name": "warp", "progress": "size", "parameters": {"part": 2}"#) == [])
        let several = try transition(#""name": "warp""#)
        #expect(several.map { Fault($0.path, $0.code) } == [Fault("\(place).progress", .missingField)])
        #expect(several.first?.message == "is required: which number of 'warp' runs over the transition, part, size")
        let none = try transition(#""name": "burn""#)
        #expect(none.map { Fault($0.path, $0.code) } == [Fault("\(place).name", .invalidValue)])
        #expect(
            none.first?.message
                == "'burn' has no number that could run over a transition; it can be the blendMode of a layer")
        let unknown = try transition(#""name": "warp", "progress": "parts""#)
        #expect(unknown.map { Fault($0.path, $0.code) } == [Fault("\(place).progress", .invalidValue)])
        #expect(unknown.first?.message == "the plug-in 'warp' has no number 'parts'; did you mean 'part'?")
        #expect(
            try transition(#""name": "fade", "progress": "on""#).map { Fault($0.path, $0.code) }
                == [Fault("\(place).progress", .invalidValue)])
        for fields in [
            #""name": "fade", "parameters": {"fader": 1}"#, #""name": "warp", "progress": "part", "parameters": {"part": 1}"#,
        ] {
            let found = try transition(fields)
            #expect(found.map(\.code) == [.conflict])
            #expect(found.first?.message == "runs over the transition; leave it out")
        }
    }

    @Test("Parameters are checked at every place, with animations")
    func parameters() throws {
        let solid = ##""source": {"type": "solid", "color": "#FF0000"}"##
        let bad = #""parameters": {"speed": 3, "sped": 1}"#
        #expect(
            try draft(#"\#(Self.generator), \#(bad)}"#).faults() == [
                Fault("mainTrackClips[0].parameters.sped", .unknownField),
                Fault("mainTrackClips[0].parameters.speed", .outOfRange),
            ])
        let animated = #""animations": [{"keyPath": "KEY", "keyTimes": [0, 1], "values": VALUES}]"#
        func moving(_ path: String, _ values: String) -> String {
            animated.replacing("KEY", with: path).replacing("VALUES", with: values)
        }
        #expect(try draft(#"\#(Self.generator), \#(moving("parameters.speed", "[0, 2]"))}"#).faults() == [])
        #expect(
            try draft(#"\#(Self.generator), \#(moving("parameters.speed", "[0, 3]"))}"#).faults()
                == [Fault("mainTrackClips[0].parameters.speed", .outOfRange)])
        #expect(
            try draft(#"\#(Self.generator), \#(moving("parameters.spede", "[0, 1]"))}"#).faults()
                == [Fault("mainTrackClips[0].parameters.spede", .unknownField)])
        #expect(
            try draft(#"\#(Self.generator), "parameters": {"speed": 1}, \#(moving("parameters.speed", "[0, 1]"))}"#).faults()
                == [Fault("mainTrackClips[0].parameters.speed", .conflict)])
        let mixed = #"\#(solid), "blendMode": {"type": "external", "name": "warp"}, "#
        let film = #"{"type": "av", "url": "a"}"#
        #expect(try draft(film, layer(mixed + moving("blendMode.parameters.part", "[0, 1]"))).faults() == [])
        #expect(
            try draft(film, layer(mixed + moving("blendMode.parameters.on", "[0, 1]"))).faults()
                == [Fault("layers[0].blendMode.parameters.on", .invalidValue)])
        let masked = #"\#(solid), "mask": {"source": {"type": "generator", "name": "plasma"}}, "#
        #expect(
            try draft(film, layer(masked + moving("mask.source.parameters.speed", "[0, 9]"))).faults()
                == [Fault("layers[0].mask.source.parameters.speed", .outOfRange)])
    }

    @Test("A generator clip is lowered with the canvas's size and its own time, and is a source of the plan")
    func generatorClip() throws {
        let sample = try draft(
            #"{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 2}}, \#(Self.generator), "speed": 2}"#)
        let (composition, plan) = try sample.compile()
        #expect(composition.duration == MediaTime(seconds: 4))
        guard case .generator(let generated)? = composition.instructions[1].layers.last?.content else {
            Issue.record("no generator")
            return
        }
        #expect(generated.size == FrameSize(width: 320, height: 180))
        #expect(generated.call.plugin == PluginCall(name: "plasma"))
        #expect(generated.timing.sourceTime(at: MediaTime(seconds: 3)) == MediaTime(seconds: 2))
        #expect(plan.videoSegments.last?.slice.sources.contains(String(repeating: "2", count: 64)) == true)
    }

    @Test("Speed, reverse, ramps, freezes and repetition act on a generator's time")
    func times() throws {
        /// The own times at times of the film.
        func times(_ clip: String, _ rest: String = "", at seconds: [Rational]) throws -> [Rational] {
            let composition = try draft("\(Self.generator)\(clip)}", rest).compose()
            return try seconds.map { second in
                let time = MediaTime(second)
                let layers = try #require(composition.instructions.first { $0.timeRange.contains(time) }?.layers)
                guard case .generator(let generated)? = layers.last?.content else { return Rational(-1) }
                return generated.timing.sourceTime(at: time).seconds
            }
        }
        #expect(try times("", at: [.zero, Rational(3, 2)]) == [.zero, Rational(3, 2)])
        #expect(try times(#", "speed": 0.5"#, at: [Rational(7)]) == [Rational(7, 2)])
        #expect(try times(#", "reverse": true"#, at: [.zero, .one]) == [Rational(4), Rational(3)])
        let ramp = #", "speed": {"keyTimes": [0, 4], "values": [1, 2]}"#
        // dt = ds / (1 + s / 4), so that s = 4 (e^(t / 4) - 1).
        let reached = try times(ramp, at: [Rational(2)])[0].doubleValue
        #expect(abs(reached - 2.594885) < 1e-4)
        let freeze = #", "effects": [{"type": "freeze", "duration": 2, "timeRangeAtMainTrack": {"start": 1, "duration": 1}}]"#
        #expect(try times("", freeze, at: [.zero, Rational(3, 2), Rational(7, 2)]) == [.zero, .one, Rational(3, 2)])
        let again = #", "effects": [{"type": "repeat", "count": 2, "timeRangeAtMainTrack": {"start": 1, "duration": 1}}]"#
        #expect(try times("", again, at: [Rational(3, 2), Rational(5, 2)]) == [Rational(3, 2), Rational(3, 2)])
        let fast = #", "effects": [{"type": "speed", "speed": 2}]"#
        #expect(try times("", fast, at: [.one]) == [Rational(2)])
    }

    @Test("A layer's generator begins with the layer, in the size that it is given")
    func generatorLayer() throws {
        let source = #""source": {"type": "generator", "name": "plasma", "size": {"width": 64, "height": 32}, "speed": 2"#
        for (more, time) in [("", Rational(2)), (#", "reverse": true"#, Rational(2))] {
            let composition = try draft(#"{"type": "color", "duration": 4}"#, layer("\(source)\(more)}")).compose()
            let layer = try #require(composition.instructions[0].layers.last)
            guard case .generator(let generated) = layer.content else {
                Issue.record("no generator")
                continue
            }
            #expect(generated.size == FrameSize(width: 64, height: 32))
            // In the middle of the layer, of its two seconds at twice the speed.
            #expect(generated.timing.sourceTime(at: MediaTime(seconds: 2)).seconds == time)
            #expect(layer.timeRange == TimeRange(Rational(1), Rational(3)))
        }
    }

    @Test("A mixer of a transition runs over the range of its number, and its time begins with the transition")
    func mixer() throws {
        let clips =
            #"{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 3}}, {"type": "av", "url": "a", "transition": {"type": "externalTransition", "name": "warp", "progress": "size", "parameters": {"part": 0.5}, "duration": 1}}"#
        func transition(_ rest: String = "", at time: MediaTime) throws -> ExportPlan.Transition {
            let layers = try draft(clips, rest).compose().instructions.first { $0.timeRange.contains(time) }?.layers
            guard case .transition(let found)? = layers?.last?.content else { throw DraftError([]) }
            return found
        }
        let found = try transition(at: MediaTime(seconds: 2))
        #expect(found.mixer?.progress == "size" && found.mixer?.first == -1 && found.mixer?.last == 2)
        #expect(found.mixer?.call.parameters == ["part": .constant(0.5)])
        #expect(found.mixer?.call.ownTime(at: MediaTime(Rational(5, 2))).seconds == Rational(1, 2))
        let fast = try transition(#", "effects": [{"type": "speed", "speed": 2}]"#, at: MediaTime(Rational(5, 4)))
        #expect(fast.mixer?.call.ownTime(at: MediaTime(Rational(5, 4))).seconds == Rational(1, 2))
        let freeze = #", "effects": [{"type": "freeze", "duration": 2, "timeRangeAtMainTrack": {"start": 2.25, "duration": 1}}]"#
        let held = try transition(freeze, at: MediaTime(seconds: 3))
        #expect(held.mixer?.call.ownTime(at: MediaTime(seconds: 3)).seconds == Rational(1, 4))
        #expect(held.mixer?.call.ownTime(at: MediaTime(seconds: 4)).seconds == Rational(1, 4))
    }

    @Test("Another file of a generator or a mixer changes the keys of the segments that use it, and no others")
    func keys() throws {
        let drafts: [(String, String, String)] = [
            ("plasma", "\(Self.generator)}", ""),
            (
                "fade",
                #"\#(Self.generator)}, \#(Self.generator), "transition": {"type": "externalTransition", "name": "fade", "duration": 1}}"#,
                ""
            ),
            (
                "burn", Self.generator + "}",
                layer(##""source": {"type": "solid", "color": "#FF0000"}, "blendMode": {"type": "external", "name": "burn"}"##)
            ),
            (
                "fade", Self.generator + "}",
                layer(
                    ##""source": {"type": "solid", "color": "#FF0000"}, "transitionOut": {"type": "externalTransition", "name": "fade", "duration": 1}"##
                )
            ),
        ]
        for (name, clips, rest) in drafts {
            let plan = try draft(#"{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 9}}, \#(clips)"#, rest).plan()
            var facts = Self.facts
            facts["plugin:\(name)"]?.contentHash = String(repeating: "f", count: 64)
            let other = try draft(
                #"{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 9}}, \#(clips)"#, rest, facts
            ).plan()
            let changed = zip(plan.videoSegments, other.videoSegments).filter { $0.key != $1.key }
            #expect(!changed.isEmpty && changed.count < plan.videoSegments.count, "\(name)")
            for (_, after) in changed { #expect(after.slice.sources.contains(String(repeating: "f", count: 64))) }
            #expect(plan.audioSegments == other.audioSegments)
        }
    }

    @Test("A film in the colours of its sources, and one that is copied, refuse a generator")
    func refused() throws {
        var film = SourceFacts.film("a", seconds: Rational(60))
        film.video?.color.transfer = .pq
        var hdr = try draft(#"{"type": "av", "url": "a"}, \#(Self.generator)}"#, "", Self.facts.merging(["a": film]) { $1 })
        hdr.settings.colorRange = .hdr
        #expect(hdr.faults().contains(Fault("mainTrackClips[1].type", .conflict)))
        var copied = try draft(#"{"type": "av", "url": "a"}, \#(Self.generator)}"#)
        copied.settings.preset = .passthrough
        #expect(copied.faults().contains(Fault("mainTrackClips[1].type", .conflict)))
    }

    @Test("A film of generators alone needs a size")
    func size() throws {
        let sample = try SampleDraft(json: #"{"version": 1, "mainTrackClips": [\#(Self.generator)}]}"#, facts: Self.facts)
        #expect(sample.faults() == [Fault("videoSize", .missingField)])
    }

    @Test("A plug-in that is used as a source by its location is an error")
    func location() throws {
        let sample = try draft(#"{"type": "av", "url": "plugin:plasma"}"#)
        #expect(sample.faults().first == Fault("mainTrackClips[0].url", .forbiddenSource))
    }
}
