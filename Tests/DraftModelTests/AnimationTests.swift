import DraftModel
import ExactTime
import TestSupport
import Testing

@Suite("Animations of a clip")
struct AnimationTests {
    private static func animation(_ fields: String) -> String { DraftText.withClip(#""animations": [{\#(fields)}]"#) }

    @Test("Keys, values and timing functions are read exactly")
    func read() throws {
        let text = AnimationTests.animation(
            #""keyPath": "opacity", "keyTimes": [0, "1/3", 2.5], "values": [0, 1, 0.25], "timingFunctions": ["quadOut", "cubicBezier(0.1,0,1,1)"]"#
        )
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        #expect(
            draft?.mainTrackClips[0].animations == [
                Animation(
                    keyPath: "opacity", keyTimes: [.zero, MediaTime(Rational(1, 3)), MediaTime(Rational(5, 2))],
                    values: [0, 1, 0.25],
                    timingFunctions: [.penner(.quad, .out), .cubicBezier(x1: 0.1, y1: 0, x2: 1, y2: 1)])
            ])
    }

    @Test(
        "What is wrong is named with its place",
        arguments: [
            (#""keyPath": "opacity", "keyTimes": [0, 1], "values": [0]"#, "values", DraftDiagnostic.Code.conflict),
            (#""keyPath": "opacity", "keyTimes": [1, 1], "values": [0, 1]"#, "keyTimes[1]", .invalidValue),
            (#""keyPath": "opacity", "keyTimes": [-1, 1], "values": [0, 1]"#, "keyTimes[0]", .outOfRange),
            (#""keyPath": "opacity", "keyTimes": [], "values": []"#, "keyTimes", .invalidValue),
            (#""keyPath": "opacity", "keyTimes": [0, "x"], "values": [0, 1]"#, "keyTimes[1]", .invalidValue),
            (#""keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 2]"#, "values[1]", .outOfRange),
            (#""keyPath": "opacity", "keyTimes": [0], "values": 1"#, "values", .wrongType),
            (#""keyPath": "opacity", "keyTimes": [0]"#, "values", .missingField),
            (#""keyPath": "opacty", "keyTimes": [0], "values": [1]"#, "keyPath", .invalidValue),
            (
                #""keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 1], "timingFunctions": []"#, "timingFunctions",
                .conflict
            ),
            (
                #""keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 1], "timingFunctions": ["ease"]"#,
                "timingFunctions[0]", .invalidValue
            ),
            (#""keyPath": "opacity", "keyTimes": [0], "values": [1], "times": []"#, "times", .unknownField),
        ])
    func faults(fields: String, place: String, code: DraftDiagnostic.Code) {
        #expect(
            Draft.faults(in: AnimationTests.animation(fields)) == [Fault("mainTrackClips[0].animations[0].\(place)", code)])
    }

    @Test("A property has one animation, and no value beside it")
    func once() {
        let animation = #"{"keyPath": "opacity", "keyTimes": [0], "values": [1]}"#
        #expect(
            Draft.faults(in: DraftText.withClip(#""animations": [\#(animation), \#(animation)]"#)) == [
                Fault("mainTrackClips[0].animations[1].keyPath", .conflict)
            ])
        #expect(
            Draft.faults(in: DraftText.withClip(#""opacity": 0.5, "animations": [\#(animation)]"#)) == [
                Fault("mainTrackClips[0].opacity", .conflict)
            ])
    }
}
