import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Lowering of animated numbers of texts and shapes.
@Suite struct DrawnNumberLoweringTests {
    private func sample(_ layer: String) throws -> SampleDraft {
        let text = """
            {"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [{"type": "av", "url": "a"}],
             "layers": [{"timeRange": {"start": 1, "duration": 2}, \(layer)}]}
            """
        return try SampleDraft(json: text, facts: ["a": .film("a")])
    }

    private func content(_ layer: String) throws -> Layer.Content {
        try #require(try sample(layer).compose().instructions.first?.layers.last).content
    }

    private func animation(_ path: String, _ from: Double, _ to: Double) -> String {
        #""animations": [{"keyPath": "\#(path)", "keyTimes": [0, 2], "values": [\#(from), \#(to)]}]"#
    }

    private static let words =
        ##""source": {"type": "text", "text": "a", "stroke": {"color": "#FF0000", "width": 3}, "shadow": {"color": "#FF0000"}, "backgroundBox": {"color": "#FF0000"}}"##
    private static let rect =
        ##""source": {"type": "shape", "shape": "rect", "size": {"width": 90, "height": 50}, "stroke": {"color": "#FF0000", "width": 3, "trim": {}}}"##
    private static let path =
        ##""source": {"type": "shape", "shape": "path", "path": "M0 0H9", "morphTo": ["M0 9H9", "M0 8H9", "M0 7H9", "M0 6H9"], "size": {"width": 90, "height": 50}}"##

    @Test("Every number of a text is animated in the layer's time", arguments: TextNumber.allCases)
    func texts(_ number: TextNumber) throws {
        guard
            case .text(let text) = try content(
                "\(DrawnNumberLoweringTests.words), \(animation("source.\(number.rawValue)", 2, 4))")
        else {
            Issue.record("it is no text")
            return
        }
        #expect(text.numbers?.count == 1)
        let value = try #require(text.numbers?[number])
        #expect(value.value(at: MediaTime(seconds: 1)) == 2 && value.value(at: MediaTime(seconds: 2)) == 3)
        var still = try #require(try still(DrawnNumberLoweringTests.words).text)
        still.set(number, to: 3)
        #expect(text.drawn(at: MediaTime(seconds: 2)) == still)
    }

    @Test(
        "Every number of a shape is animated in the layer's time and replaces the constant value",
        arguments: ShapeNumber.allCases)
    func shapes(_ number: ShapeNumber) throws {
        let (from, to) = number.range.upperBound > 1 ? (2.0, 4.0) : (0.5, 1.0)
        let source = number == .morph ? DrawnNumberLoweringTests.path : DrawnNumberLoweringTests.rect
        guard case .shape(let shape) = try content("\(source), \(animation("source.\(number.rawValue)", from, to))") else {
            Issue.record("it is no shape")
            return
        }
        let value = try #require(shape.numbers?[number])
        #expect(value.value(at: MediaTime(seconds: 3)) == to)
        var still = try #require(try still(source).shape)
        still.set(number, to: to)
        #expect(shape.drawn(at: MediaTime(seconds: 3)) == still)
    }

    @Test("A path turns only into paths with the same segments, and other shapes into none")
    func morphs() throws {
        func faults(_ shape: String) throws -> [Fault] {
            let source = #""source": {"type": "shape", "size": {"width": 9, "height": 9}, \#(shape)}"#
            return try sample(source).faults()
        }
        let place = "layers[0].source"
        let path = #""shape": "path", "path": "M0 0L9 9Z""#
        #expect(try faults(#"\#(path), "morphTo": ["M1 1L9 9Z", "M0 0C1 1 2 2 3 3Z"], "morph": 2"#) == [])
        #expect(try faults(#"\#(path), "morphTo": ["M1 1L9 9Z", "M0 0L1 1L2 2Z"]"#) == [Fault("\(place).morphTo[1]", .conflict)])
        #expect(try faults(#"\#(path), "morphTo": ["M1 1L9"]"#) == [Fault("\(place).morphTo[0]", .invalidValue)])
    }

    private func still(_ layer: String) throws -> (text: TextContent?, shape: ShapeContent?) {
        switch try content(layer) {
        case .text(let text): (text, nil)
        case .shape(let shape): (nil, shape)
        default: (nil, nil)
        }
    }

    @Test("An animated number with equal keyframes gives the same plan as a constant number")
    func equalKeys() throws {
        let given = #""source": {"type": "text", "text": "a", "letterSpacing": 7}"#
        let keyed = #""source": {"type": "text", "text": "a"}, \#(animation("source.letterSpacing", 7, 7))"#
        #expect(try sample(given).plan() == sample(keyed).plan())
    }

    @Test("Numbers of texts and shapes in masks and groups are animated")
    func inside() throws {
        let mask = ##""source": {"type": "solid", "color": "#FF0000"}, "mask": {\##(DrawnNumberLoweringTests.rect)}"##
        let masked = try #require(
            try sample("\(mask), \(animation("mask.source.size.width", 2, 4))").compose().instructions.first?.layers.last)
        guard case .shape(let shape)? = masked.mask?.layers.first?.content else {
            Issue.record("the mask is no shape")
            return
        }
        #expect(shape.numbers?[.width]?.value(at: MediaTime(seconds: 2)) == 3)
        let inner =
            #"{"timeRange": {"start": 0.5, "duration": 1}, \#(DrawnNumberLoweringTests.words), \#(animation("source.stroke.width", 2, 4))}"#
        guard case .group(let layers, _) = try content(#""source": {"type": "group", "layers": [\#(inner)]}"#),
            case .text(let text)? = layers.first?.content
        else {
            Issue.record("there is no text in the group")
            return
        }
        #expect(text.numbers?[.strokeWidth]?.value(at: MediaTime(Rational(5, 2))) == 3)
    }
}
