import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("Plug-ins in drafts")
struct PluginTests {
    /// The facts of a plug-in with a parameter of each kind.
    private static func plugin(hash: Character = "a") -> SourceFacts {
        func parameter(_ name: String, _ kind: PluginFacts.Kind) -> PluginFacts.Parameter {
            PluginFacts.Parameter(name: name, kind: kind, explanation: "", default: nil, minimum: -1, maximum: 2)
        }
        return SourceFacts(
            contentHash: String(repeating: hash, count: 64), byteCount: 1, container: "spool-plugin", origin: .zero, video: nil,
            audio: nil,
            plugin: PluginFacts(
                name: "glow", title: "Glow", explanation: "", author: "",
                parameters: [
                    parameter("much", .number), parameter("on", .bool), parameter("tint", .color), parameter("at", .position),
                    parameter("note", .text),
                ]))
    }

    private static let call = #"{"type": "externalFilter", "name": "glow""#

    /// A film of one clip with the given fields, and with other fields of the draft.
    private func draft(
        _ clip: String = "", _ rest: String = "", plugin: SourceFacts? = PluginTests.plugin()
    ) throws -> SampleDraft {
        var facts = ["a": SourceFacts.film("a", seconds: Rational(60))]
        facts["plugin:glow"] = plugin
        return try SampleDraft(
            json: #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a" \#(clip)}] \#(rest)}"#, facts: facts)
    }

    private func faults(_ parameters: String) throws -> [DraftDiagnostic] {
        try draft(#", "filters": [\#(Self.call), "parameters": \#(parameters)}]"#).diagnostics()
    }

    @Test("Parameters are checked against the plug-in's declaration, and each fault has its path")
    func checked() throws {
        let place = "mainTrackClips[0].filters[0].parameters"
        let good = ##"{"much": 2, "on": false, "tint": "#00FF00", "at": {"x": 0, "y": 1}, "note": "hello"}"##
        #expect(try faults(good) == [])
        #expect(try faults(#"{"much": "1.5", "on": "true"}"#) == [])
        let bad = try faults(
            ##"{"much": 2.5, "on": 1, "tint": "#00FF0080", "at": {"x": 0, "y": 1.5}, "note": 3, "mutch": 1, "zzzzzz": 1}"##)
        #expect(
            bad.map { Fault($0.path, $0.code) } == [
                Fault("\(place).at", .outOfRange), Fault("\(place).much", .outOfRange),
                Fault("\(place).mutch", .unknownField), Fault("\(place).note", .wrongType), Fault("\(place).on", .wrongType),
                Fault("\(place).tint", .wrongType), Fault("\(place).zzzzzz", .unknownField),
            ])
        #expect(bad[0].message == "must have x and y within 0...1")
        #expect(bad[5].message == "must be a colour, #RRGGBB")
        #expect(bad[1].message.contains("-1...2"))
        #expect(bad[2].message.contains("did you mean 'much'?"))
        #expect(bad[6].message.contains("there are much, on, tint, at, note"))
    }

    @Test("Only numbers can be animated, within their range")
    func animated() throws {
        func sample(_ name: String, _ values: String, given: String = "{}") throws -> SampleDraft {
            try draft(
                """
                , "filters": [\(Self.call), "parameters": \(given)}], "animations": [{"keyPath": "filters[0].parameters.\(name)",
                "keyTimes": [0, 1], "values": \(values)}]
                """)
        }
        func faults(_ name: String, _ values: String, given: String = "{}") throws -> [Fault] {
            try sample(name, values, given: given).faults()
        }
        let place = "mainTrackClips[0].filters[0].parameters"
        #expect(try faults("much", "[0, 2]") == [])
        #expect(try faults("much", "[0, 3]") == [Fault("\(place).much", .outOfRange)])
        #expect(try faults("on", "[0, 1]") == [Fault("\(place).on", .invalidValue)])
        #expect(
            try sample("on", "[0, 1]").diagnostics().first?.message.hasSuffix(", and only numbers can be animated") == true)
        #expect(try faults("muc", "[0, 1]") == [Fault("\(place).muc", .unknownField)])
        #expect(try faults("much", "[0, 1]", given: #"{"much": 1}"#) == [Fault("\(place).much", .conflict)])
    }

    @Test("A plug-in as a source is an error")
    func noSource() throws {
        let draft = try SampleDraft(
            json: #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "plugin:glow"}]}"#,
            facts: ["plugin:glow": Self.plugin()])
        #expect(draft.faults().first == Fault("mainTrackClips[0].url", .forbiddenSource))
        #expect(draft.diagnostics().first?.message == "'glow' is a plug-in and not a source; call it by its name")
    }

    @Test("Each place that calls a plug-in is listed and is looked up by the plug-in's name")
    func uses() throws {
        let layer = #"{"timeRange": {"start": 0, "duration": 1}, "operations": [\#(Self.call)}]}"#
        let draft = try draft(
            #", "filters": [{"type": "sepia"}, \#(Self.call)}]"#,
            """
            , "layers": [\(layer), {"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": [\(layer)]}}],
            "effects": [\(Self.call)}, {"type": "filter", "operation": \(Self.call)}}]
            """)
        let uses = SourceUse.all(in: draft.draft).filter { $0.need == .plugin }
        #expect(Set(uses.map(\.url)) == ["plugin:glow"])
        #expect(
            uses.map(\.path) == [
                "mainTrackClips[0].filters[1].name", "effects[0].name", "effects[1].operation.name",
                "layers[0].operations[0].name", "layers[1].source.layers[0].operations[0].name",
            ])
        let slice = try draft.plan().videoSegments[0].slice
        #expect(slice.sources.contains(Self.plugin().contentHash))
    }

    @Test("The plan names a plug-in by its content hash, so another file changes the video keys only")
    func keys() throws {
        let clip = #", "filters": [\#(Self.call), "parameters": {"much": 1, "on": true}}]"#
        let plan = try draft(clip).plan()
        let operation = plan.videoSegments[0].slice.instruction.layers.last?.operations?.first
        #expect(
            operation
                == Operation(
                    name: "externalFilter", parameters: ["much": .constant(1)], source: Self.plugin().contentHash,
                    start: .zero, plugin: PluginCall(name: "glow", settings: ["on": .bool(value: true)])))
        let other = try draft(clip, plugin: Self.plugin(hash: "b")).plan()
        #expect(zip(plan.videoSegments, other.videoSegments).allSatisfy { $0.key != $1.key })
        #expect(plan.audioSegments == other.audioSegments)
        #expect(plan.videoSegments.map(\.firstFrame) == other.videoSegments.map(\.firstFrame))
    }

    @Test("A plug-in's time starts with its clip, layer or effect in every segment")
    func start() throws {
        let plan = try draft(
            #", "filters": [\#(Self.call)}], "transform": {"scale": 0.5}"#,
            """
            , "layers": [{"timeRange": {"start": 3, "duration": 40}, "operations": [\(Self.call)}]}],
            "effects": [{"type": "externalFilter", "name": "glow", "timeRangeAtMainTrack": {"start": 2, "duration": 50}}]
            """
        ).plan()
        #expect(plan.videoSegments.count > 3)
        for segment in plan.videoSegments {
            let first = MediaTime(Rational(Int64(segment.firstFrame), 30))
            for layer in segment.slice.instruction.layers {
                guard let operation = layer.operations?.first, operation.plugin != nil else { continue }
                let start = try #require(operation.start) + first
                let expected = layer.content == .adjustment ? [2, 3] : [0]
                #expect(expected.contains { start == MediaTime(seconds: $0) })
            }
        }
        // A moved clip is not rendered again, because the plug-in's time is relative to the clip.
        let moved = try SampleDraft(
            json: #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a", "timeRange": {"start": 0, "duration": 4}}, "#
                + #"{"type": "av", "url": "a", "filters": [\#(Self.call)}]}]}"#, facts: try draft().facts
        ).plan()
        let keys = Set(try draft(#", "filters": [\#(Self.call)}]"#).plan().videoSegments.map(\.key))
        #expect(keys.isSubset(of: moved.videoSegments.map(\.key)))
    }
}
