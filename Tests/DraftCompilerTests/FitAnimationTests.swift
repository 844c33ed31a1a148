import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// Layers that are fitted into animated rectangles.
@Suite struct FitAnimationTests {
    private let facts = ["i": SourceFacts.picture("i", size: FrameSize(width: 800, height: 600))]

    private func layer(_ rect: String, _ mode: String, _ animations: String, _ more: String = "") throws -> SampleDraft {
        try SampleDraft(
            json: """
                {"version": 1, "videoSize": {"width": 640, "height": 360}, "frameRate": 10, "mainTrackClips": [],
                 "layers": [{"timeRange": {"start": 0, "duration": 4}, "source": {"type": "image", "url": "i"},
                   "transform": {"fit": {"rect": \(rect), "mode": "\(mode)"}\(more)}, "animations": [\(animations)]}]}
                """, facts: facts)
    }

    /// The left, top, right and bottom edges of the drawn picture in canvas pixels.
    private func box(_ sample: SampleDraft, at time: MediaTime) throws -> [Double] {
        let transform = try #require(try sample.compose().instructions.first?.layers.last?.transform)
        let fit = transform.fit?.scale(ofWidth: 800, height: 600, at: time) ?? (x: 1, y: 1)
        let place = transform.place(at: time)
        let half = (
            x: transform.scale.x.value(at: time) * fit.x * 400, y: transform.scale.y.value(at: time) * fit.y * 300
        )
        return [place.x - half.x, place.y - half.y, place.x + half.x, place.y + half.y]
    }

    @Test(
        "An animated fit equals the constant fit at every moment, in pixels and in ratios",
        arguments: ["aspectFit", "aspectFill", "fill", "none"])
    func moments(_ mode: String) throws {
        let cases = [
            (
                #"{"x": 10, "y": 20, "width": 100, "height": 300}"#, [(50.0, 250.0), (400, 80)],
                { (w: Double, h: Double) in #"{"x": 10, "y": 20, "width": \#(w), "height": \#(h)}"# }
            ),
            (
                #"{"x": 0.1, "y": 0.2, "width": 0.5, "height": 0.5, "unit": "ratio"}"#, [(0.25, 0.75), (0.75, 0.125)],
                { (w: Double, h: Double) in #"{"x": 0.1, "y": 0.2, "width": \#(w), "height": \#(h), "unit": "ratio"}"# }
            ),
        ]
        for (rect, values, still) in cases {
            let moving = try layer(
                rect, mode,
                """
                {"keyPath": "transform.fit.rect.width", "keyTimes": [0, 4], "values": [\(values[0].0), \(values[1].0)]},
                {"keyPath": "transform.fit.rect.height", "keyTimes": [0, 4], "values": [\(values[0].1), \(values[1].1)]}
                """)
            for quarter in 0...4 {
                let share = Double(quarter) / 4
                let width = values[0].0 + (values[1].0 - values[0].0) * share
                let height = values[0].1 + (values[1].1 - values[0].1) * share
                let found = try box(moving, at: MediaTime(Rational(quarter)))
                let wanted = try box(try layer(still(width, height), mode, ""), at: .zero)
                #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found), not \(wanted) at \(share)")
            }
        }
    }

    @Test("A given centre is not moved by an animated fit")
    func center() throws {
        let animation = #"{"keyPath": "transform.fit.rect.x", "keyTimes": [0, 4], "values": [0, 100]}"#
        let rect = #"{"x": 0, "y": 0, "width": 100, "height": 100}"#
        let placed = try layer(rect, "fill", animation, #", "center": {"x": 0.5}"#)
        #expect(try box(placed, at: .zero)[0] == 270 && box(placed, at: MediaTime(seconds: 4))[0] == 270)
        let free = try layer(rect, "fill", animation)
        #expect(try box(free, at: MediaTime(seconds: 4))[0] == 100)
    }
}
