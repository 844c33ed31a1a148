import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Animated crops: they are lowered without rounding and checked at their keyframes.
@Suite struct CropAnimationTests {
    private let facts = [
        "a": SourceFacts.film("a", size: FrameSize(width: 1920, height: 1080)),
        "tall": .film("tall", size: FrameSize(width: 1920, height: 1080), quarterTurns: 1), "i": .picture("i"),
    ]

    private func clip(_ fields: String, url: String = "a", _ more: String = "") throws -> SampleDraft {
        try SampleDraft(
            json: """
                {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [{"type": "av", "url": "\(url)", \(fields)}]
                 \(more)}
                """, facts: facts)
    }

    private func layer(_ fields: String) throws -> SampleDraft {
        try clip(
            #""opacity": 1"#, #", "layers": [{"timeRange": {"start": 1, "duration": 2}, \#(fields)}]"#)
    }

    private func animation(_ part: String, _ values: [Double]) -> String {
        let times = values.indices.map { "\($0)" }.joined(separator: ", ")
        return #"{"keyPath": "cropRect.\#(part)", "keyTimes": [\#(times)], "values": \#(values)}"#
    }

    private func shown(_ sample: SampleDraft) throws -> Layer {
        try #require(try sample.compose().instructions.first?.layers.last)
    }

    @Test("A clip's animated crop is in pixels of the upright source and is fitted by the scaling mode")
    func clips() throws {
        let shown = try shown(
            clip(
                #""scalingMode": "aspectFill", "animations": [\#(animation("x", [0, 480])), \#(animation("width", [1920, 960]))]"#
            ))
        let crop = try #require(shown.crop)
        #expect(crop.fit == .init(width: 640, height: 360, mode: .aspectFill))
        #expect(crop.x.value(at: .zero) == 0 && crop.x.value(at: MediaTime(seconds: 1)) == 480)
        #expect(crop.width.value(at: MediaTime(Rational(1, 2))) == 1440)
        #expect(crop.y.constantValue == 0 && crop.height.constantValue == 1080)
        #expect(shown.placement?.region == .whole)
        #expect(shown.transform?.scale.x.constantValue == 1)
        #expect(shown.transform?.position.x.constantValue == 320)
    }

    @Test("An animated crop has the unit of the given rectangle, and its other numbers are kept")
    func ratio() throws {
        let rect = #""cropRect": {"x": 0.25, "y": 0.5, "width": 0.5, "height": 0.5, "unit": "ratio"}"#
        let crop = try #require(try shown(clip(#"\#(rect), "animations": [\#(animation("x", [0, 0.5]))]"#)).crop)
        #expect(crop.x.value(at: MediaTime(seconds: 1)) == 960)
        #expect(crop.y.constantValue == 540 && crop.width.constantValue == 960 && crop.height.constantValue == 540)
    }

    @Test("The crop's pixels are those of the upright picture")
    func upright() throws {
        let crop = try #require(
            try shown(clip(#""animations": [\#(animation("y", [0, 100])), \#(animation("height", [1920, 1820]))]"#, url: "tall"))
                .crop)
        #expect(crop.width.constantValue == 1080)
        #expect(crop.height.value(at: MediaTime(seconds: 1)) == 1820)
    }

    @Test("With scaling mode none a pixel of the crop is a pixel of videoSize")
    func unscaled() throws {
        let shown = try shown(
            clip(#""scalingMode": "none", "animations": [\#(animation("x", [0, 480])), \#(animation("width", [960, 960]))]"#))
        #expect(shown.crop?.fit == nil)
        #expect(shown.transform?.scale.x.constantValue == 1)
    }

    @Test("An animated crop with equal keyframes gives the same plan as a constant crop")
    func equalKeys() throws {
        let keys = [("x", 0.1), ("y", 0.0), ("width", 0.3), ("height", 1.0)].map { animation($0.0, [$0.1, $0.1]) }
        let unit = #""cropRect": {"x": 0, "y": 0, "width": 1, "height": 1, "unit": "ratio"}"#
        let still = #""cropRect": {"x": 0.1, "y": 0, "width": 0.3, "height": 1, "unit": "ratio"}"#
        let moving = "\(unit), \"animations\": [\(keys.joined(separator: ", "))]"
        #expect(try clip(moving).plan() == clip(still).plan())
        let source = #""source": {"type": "image", "url": "i"}"#
        #expect(try layer("\(source), \(moving)").plan() == layer("\(source), \(still)").plan())
    }

    @Test("A layer's animated crop keeps its size or is fitted into the layer's rectangle, also in groups")
    func layers() throws {
        let moving =
            #""source": {"type": "image", "url": "i"}, "animations": [\#(animation("x", [0, 400])), \#(animation("width", [800, 400]))]"#
        let own = try shown(layer(moving))
        #expect(own.crop?.fit == nil && own.crop?.x.value(at: MediaTime(seconds: 2)) == 400)
        let fit =
            #""transform": {"fit": {"rect": {"x": 0, "y": 0, "width": 0.5, "height": 0.5, "unit": "ratio"}, "mode": "aspectFill"}}"#
        #expect(try shown(layer("\(moving), \(fit)")).crop?.fit == .init(width: 320, height: 180, mode: .aspectFill))
        let inner = #"{"timeRange": {"start": 0, "duration": 1}, \#(moving)}"#
        guard case .group(let layers, _) = try shown(layer(#""source": {"type": "group", "layers": [\#(inner)]}"#)).content else {
            Issue.record("it is no group")
            return
        }
        #expect(layers.first?.crop?.x.value(at: MediaTime(seconds: 2)) == 400)
    }

    @Test("A crop of a solid or a group is a conflict")
    func uncropped() throws {
        let crop = #""cropRect": {"x": 0, "y": 0, "width": 9, "height": 9}"#
        let wanted = [Fault("layers[0].cropRect", .conflict)]
        #expect(try layer(#""source": {"type": "group", "layers": []}, \#(crop)"#).faults() == wanted)
        #expect(try layer(##""source": {"type": "solid", "color": "#FF0000"}, \##(crop)"##).faults() == wanted)
    }

    @Test("A blurred background has the same animated crop as the clip")
    func background() throws {
        let sample = try clip(#""animations": [\#(animation("width", [1920, 960]))]"#, #", "background": {"type": "blur"}"#)
        let layers = try #require(try sample.compose().instructions.first?.layers)
        guard layers.count == 3, case .blurred(let inner, _) = layers[1].content else {
            Issue.record("there is no blurred background")
            return
        }
        #expect(inner.crop?.fit == .init(width: 640, height: 360, mode: .aspectFill))
        #expect(inner.crop?.width == layers[2].crop?.width)
    }

    @Test("A crop that is empty or leaves the picture at a keyframe is an error at that keyframe")
    func faults() throws {
        func faults(_ animations: [String]) throws -> [Fault] {
            try clip("\"animations\": [\(animations.joined(separator: ", "))]").faults()
        }
        let place = "mainTrackClips[0].animations"
        #expect(
            try faults([animation("width", [1920, 960]), animation("x", [0, 961])]) == [
                Fault("\(place)[0].values[1]", .outOfRange)
            ])
        #expect(try faults([animation("x", [0, 1])]) == [Fault("\(place)[0].values[1]", .outOfRange)])
        #expect(try faults([animation("height", [1080, 0.5])]) == [Fault("\(place)[0].values[1]", .outOfRange)])
        #expect(try faults([animation("height", [1081, 1081])]) == [Fault("mainTrackClips[0].cropRect", .outOfRange)])
        #expect(try faults([animation("width", [0, 0])]) == [Fault("mainTrackClips[0].cropRect", .outOfRange)])
        #expect(try faults([animation("width", [1920, 960]), animation("x", [0, 960])]).isEmpty)
    }
}
