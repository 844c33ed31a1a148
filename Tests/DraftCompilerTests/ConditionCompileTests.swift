import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

@Suite("Conditions in the compiler")
struct ConditionCompileTests {
    private static let facts = [
        "a": SourceFacts.film("a", seconds: Rational(20)), "b": SourceFacts.film("b", seconds: Rational(20)),
        "m": SourceFacts.sound("m", seconds: Rational(30)),
    ]

    private static func clip(_ url: String, _ more: String = "") -> String {
        #"{"type": "av", "url": "\#(url)", "timeRange": {"start": 1, "duration": 5}\#(more)}"#
    }

    private static func draft(_ clips: [String], _ more: String = "") -> String {
        #"{"version": 1, "mainTrackClips": [\#(clips.joined(separator: ", "))]\#(more)}"#
    }

    private static func plan(_ json: String, parameters: [String: String] = [:]) throws -> RenderPlan {
        let (draft, diagnostics) = Draft.read(Data(json.utf8), parameters: parameters)
        #expect(diagnostics.isEmpty)
        return try Compiler(settings: ExportSettings(), facts: facts).compile(try #require(draft)).plan
    }

    @Test("A film with a true condition has the plan of the film without it, with all keys")
    func trueCondition() throws {
        let fade = #", "transition": {"type": "dissolve", "duration": 1}"#
        let layer = ##"{"timeRange": {"start": 1, "duration": 2}, "source": {"type": "solid", "color": "#FF0000""##
        let solid = #"\#(layer), "size": {"width": 64, "height": 64}}"#
        let plain = ConditionCompileTests.draft(
            [ConditionCompileTests.clip("a"), ConditionCompileTests.clip("b", fade)],
            #", "audioClips": [{"url": "m"}], "layers": [\#(solid)}]"#)
        let conditional = ConditionCompileTests.draft(
            [
                ConditionCompileTests.clip("a", #", "when": true"#),
                ConditionCompileTests.clip("b", fade + #", "when": "{{x}} == 'y'""#),
            ],
            #", "audioClips": [{"url": "m", "when": "{{x}} != 'z'"}], "layers": [\#(solid), "when": "{{x}} in ['y']"}]"#)
        #expect(
            try ConditionCompileTests.plan(conditional, parameters: ["x": "y"]) == ConditionCompileTests.plan(plain))
    }

    @Test("A film with a false condition has the plan of the film without the element", arguments: 0..<3)
    func falseCondition(removed: Int) throws {
        let fade = #", "transition": {"type": "dissolve", "duration": 1}"#
        let clips = [
            ConditionCompileTests.clip("a"), ConditionCompileTests.clip("b", fade), ConditionCompileTests.clip("a", fade),
        ]
        var conditional = clips
        conditional[removed].insert(
            contentsOf: #", "when": "{{x}} == 'y'""#, at: conditional[removed].index(before: conditional[removed].endIndex))
        var left = clips
        left.remove(at: removed)
        if removed == 0 { left[0] = ConditionCompileTests.clip("b") }
        #expect(
            try ConditionCompileTests.plan(ConditionCompileTests.draft(conditional), parameters: ["x": "n"])
                == ConditionCompileTests.plan(ConditionCompileTests.draft(left)))
    }

    @Test("What the compiler and the sources report names the document's places")
    func places() throws {
        let json = ConditionCompileTests.draft(
            [
                ConditionCompileTests.clip("a", #", "when": false"#), ConditionCompileTests.clip("b", #", "id": "x""#),
                ConditionCompileTests.clip("a", #", "when": false"#),
                ConditionCompileTests.clip("a", #", "id": "x", "speed": 2, "durationAtMainTrack": 5"#),
                #"{"type": "av", "url": "gone"}"#,
            ])
        let draft = try #require(Draft.read(Data(json.utf8)).draft)
        #expect(SourceUse.all(in: draft).map(\.path) == [1, 3, 4].map { "mainTrackClips[\($0)].url" })
        let found = SourceOutcomes(SourceUse.all(in: draft), reported: []) { use in
            ConditionCompileTests.facts[use.url].map(SourceOutcome.facts) ?? .failed(message: "does not exist", isMissing: true)
        }
        do {
            _ = try Compiler(settings: ExportSettings(), facts: found.facts).compile(draft, reported: found.diagnostics)
            Issue.record("the draft has errors")
        } catch let error as DraftError {
            #expect(
                error.diagnostics.map { Fault($0.path, $0.code) } == [
                    Fault("mainTrackClips[4].url", .missingSource), Fault("mainTrackClips[3].id", .duplicateID),
                    Fault("mainTrackClips[3].durationAtMainTrack", .conflict),
                ])
            #expect(error.diagnostics[1].message == "'x' is also the id of mainTrackClips[1]")
        }
    }

    @Test("A film whose conditions remove everything says so")
    func nothing() throws {
        let json = ConditionCompileTests.draft([ConditionCompileTests.clip("a", #", "when": false"#)])
        let draft = try #require(Draft.read(Data(json.utf8)).draft)
        let error = #expect(throws: DraftError.self) {
            try Compiler(settings: ExportSettings(), facts: ConditionCompileTests.facts).compile(draft)
        }
        #expect(error?.diagnostics.map(\.code) == [.noClips])
    }
}
