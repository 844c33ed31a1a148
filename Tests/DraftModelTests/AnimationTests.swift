import DraftModel
import ExactTime
import TestSupport
import Testing

@Suite("Animations of clips and layers")
struct AnimationTests {
    private static func animation(_ fields: String) -> String { DraftText.withClip(#""animations": [{\#(fields)}]"#) }

    @Test("Key times, values and timing functions are read exactly")
    func read() throws {
        let text = AnimationTests.animation(
            #""keyPath": "opacity", "keyTimes": [0, "1/3", 2.5], "values": [0, 1, 0.25], "timingFunctions": ["quadOut", "cubicBezier(0.1,0,1,1)"]"#
        )
        let (draft, diagnostics) = Draft.read(text)
        #expect(diagnostics.isEmpty)
        #expect(
            draft?.mainTrackClips[0].animations == [
                Animation(
                    keyPath: "opacity",
                    KeyedCurve(
                        keyTimes: [.zero, MediaTime(Rational(1, 3)), MediaTime(Rational(5, 2))], values: [0, 1, 0.25],
                        timingFunctions: [.penner(.quad, .out), .cubicBezier(x1: 0.1, y1: 0, x2: 1, y2: 1)]))
            ])
    }

    @Test(
        "A faulty animation is reported with its path",
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
                #""keyPath": "opacity", "keyTimes": [0, 1], "values": [0, 1], "timingFunctions": ["eased"]"#,
                "timingFunctions[0]", .invalidValue
            ),
            (#""keyPath": "opacity", "keyTimes": [0], "values": [1], "times": []"#, "times", .unknownField),
        ])
    func faults(fields: String, place: String, code: DraftDiagnostic.Code) {
        #expect(
            Draft.faults(in: AnimationTests.animation(fields)) == [Fault("mainTrackClips[0].animations[0].\(place)", code)])
    }

    @Test("A property with two animations, or with a value and an animation, is a conflict")
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

    private static func layer(_ source: String, _ keyPath: String, _ value: Double = 1, _ more: String = "") -> String {
        let animation = #"{"keyPath": "\#(keyPath)", "keyTimes": [0], "values": [\#(value)]}"#
        return DraftText.with(
            #""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": {\#(source)}, \#(more) "animations": [\#(animation)]}]"#
        )
    }

    @Test("Crops and volumes can be animated within their ranges on sources with picture and sound")
    func cropsAndVolumes() {
        let video = #""type": "video", "url": "a.mp4""#
        let text = #""type": "text", "text": "a""#
        let clip = AnimationTests.animation
        let place = "layers[0].animations[0]"
        #expect(Draft.faults(in: clip(#""keyPath": "cropRect.x", "keyTimes": [0], "values": [20]"#)).isEmpty)
        #expect(Draft.faults(in: clip(#""keyPath": "volume", "keyTimes": [0], "values": [8]"#)).isEmpty)
        #expect(
            Draft.faults(in: clip(#""keyPath": "volume", "keyTimes": [0], "values": [9]"#)) == [
                Fault("mainTrackClips[0].animations[0].values[0]", .outOfRange)
            ])
        #expect(Draft.faults(in: AnimationTests.layer(video, "audio.volume")).isEmpty)
        #expect(Draft.faults(in: AnimationTests.layer(video, "cropRect.height")).isEmpty)
        #expect(Draft.faults(in: AnimationTests.layer(text, "cropRect.x")) == [Fault("\(place).keyPath", .invalidValue)])
        #expect(Draft.faults(in: AnimationTests.layer(text, "audio.volume")) == [Fault("\(place).keyPath", .invalidValue)])
        #expect(
            Draft.faults(in: AnimationTests.layer(video, "transform.fit.rect.x")) == [Fault("\(place).keyPath", .invalidValue)])
        let ratio = #""cropRect": {"x": 0, "y": 0, "width": 1, "height": 1, "unit": "ratio"},"#
        #expect(
            Draft.faults(in: AnimationTests.layer(video, "cropRect.x", 2, ratio)) == [Fault("\(place).values[0]", .outOfRange)])
        #expect(
            Draft.faults(in: AnimationTests.layer(video, "audio.volume", 1, #""audio": {"volume": 1},"#)) == [
                Fault("layers[0].audio.volume", .conflict)
            ])
        let mask = #""mask": {"source": {"type": "image", "url": "m.png"}},"#
        #expect(Draft.faults(in: AnimationTests.layer(video, "cropRect.x", 1, mask)) == [Fault("layers[0].mask", .conflict)])
    }

    @Test("Numbers of texts and shapes can be animated if the object that they belong to is present")
    func drawings() {
        let text = ##""type": "text", "text": "a", "letterSpacing": 1, "stroke": {"color": "#FF0000", "width": 2}"##
        let rect = #""type": "shape", "shape": "rect", "size": {"width": 20, "height": 10}, "cornerRadius": 2"#
        let ellipse = #""type": "shape", "shape": "ellipse", "size": {"width": 20, "height": 10}"#
        let noPath = [Fault("layers[0].animations[0].keyPath", .invalidValue)]
        func faults(_ source: String, _ path: String, _ value: Double = 1) -> [Fault] {
            Draft.faults(in: AnimationTests.layer(source, path, value))
        }
        for path in ["lineSpacing", "box.width", "stroke.width"] { #expect(faults(text, "source.\(path)").isEmpty) }
        #expect(faults(text, "source.letterSpacing") == [Fault("layers[0].source.letterSpacing", .conflict)])
        #expect(faults(text, "source.shadow.blur") == noPath && faults(text, "source.size.width") == noPath)
        #expect(faults(text, "source.stroke.width", -1) == [Fault("layers[0].animations[0].values[0]", .outOfRange)])
        #expect(faults(rect, "source.size.width").isEmpty && faults(ellipse, "source.size.height", 16_384).isEmpty)
        #expect(faults(rect, "source.cornerRadius") == [Fault("layers[0].source.cornerRadius", .conflict)])
        #expect(faults(ellipse, "source.cornerRadius") == noPath && faults(ellipse, "source.stroke.width") == noPath)
        let mask = #""mask": {"source": {\#(rect)}},"#
        #expect(
            Draft.faults(in: AnimationTests.layer(#""type": "video", "url": "a""#, "mask.source.size.width", 1, mask)).isEmpty)
    }
}
