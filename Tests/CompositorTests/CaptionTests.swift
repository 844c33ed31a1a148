import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Caption layers.
@Suite struct CaptionTests {
    private static let canvas = FrameSize(width: 320, height: 180)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)
    private let directory: TemporaryDirectory
    private let source: SourceReference

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("words.srt")
        let text = (0..<5).map { "\($0 + 1)\n00:00:0\($0),200 --> 00:00:0\($0 + 1),500\nwords <b>\($0)</b>\n\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        source = SourceReference(facts: try SourceProbe.facts(ofFile: path), path: path)
    }

    private func layer(from start: Rational = .zero, color: RGBAColor = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255))
        -> Layer
    {
        let look = CaptionContent.Look(
            font: "DejaVu Sans 24", color: color, stroke: Stroke(color: .black, width: 4), backgroundBox: nil, alignment: .center,
            verticalAlignment: .bottom, marginX: 10, marginY: 10)
        let half = LayerTransform.Pair(x: .constant(0.5), y: .constant(0.5))
        return Layer(
            content: .captions(
                CaptionContent(
                    source: source.facts.contentHash, start: MediaTime(start), size: CaptionTests.canvas,
                    layoutSize: CaptionTests.canvas, look: look)),
            transform: LayerTransform(
                position: .init(x: .constant(160), y: .constant(90)), anchor: half,
                scale: .init(x: .constant(1), y: .constant(1)), rotation: .constant(0)))
    }

    private func frames(_ layers: [Layer], _ frames: [Int]) throws -> [PlanarPicture] {
        try composed(
            [.solid(CaptionTests.blue)] + layers, canvas: CaptionTests.canvas, [source.facts.contentHash: source], frames: frames)
    }

    @Test("A layer that was shifted and cut shows the same frames as the whole layer")
    func segments() throws {
        let whole = layer()
        let all = try frames([whole], Array(0..<120))
        #expect(Set(all.map(\.bytes)).count > 8)
        for first in [13, 40, 77] {
            let range = TimeRange(start: .zero, duration: MediaTime(Rational(30, 25)))
            let segment = try #require(whole.shifted(by: -MediaTime(Rational(Int64(first), 25))).restricted(to: range))
            #expect(try frames([segment], Array(0..<30)) == Array(all[first..<(first + 30)]))
            #expect(try frames([segment], [17])[0] == all[first + 17])
        }
    }

    @Test("Pixels without a caption stay bit-identical, and so do frames without a caption")
    func untouched() throws {
        let flat = flatPicture(CaptionTests.blue, CaptionTests.canvas)
        let drawn = try frames([layer()], [0, 10])
        #expect(drawn[0] == flat && drawn[1] != flat)
        #expect(drawn[1].planes[0].prefix(320 * 120) == flat.planes[0].prefix(320 * 120))
    }

    @Test("Opacity and operations work on captions as on any picture")
    func operations() throws {
        var inverted = layer()
        inverted.operations = [Operation(name: "invert")]
        var plain = layer(color: .black)
        // The negative of a black outline is a white one.
        guard case .captions(var content) = plain.content else { return }
        content.look?.stroke?.color = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
        plain.content = .captions(content)
        let pictures = try (frames([inverted], [10])[0], frames([plain], [10])[0])
        #expect(pictures.0.largestDifference(from: pictures.1) <= 2)
        var faint = layer()
        faint.opacity = .constant(0.5)
        let (full, half, none) = try (
            frames([layer()], [10])[0], frames([faint], [10])[0], flatPicture(CaptionTests.blue, CaptionTests.canvas)
        )
        for place in half.planes[0].indices {
            let mean = (Double(full.planes[0][place]) + Double(none.planes[0][place])) / 2
            #expect(abs(Double(half.planes[0][place]) - mean) <= 1)
        }
    }
}
