import ExportPlan
import TextRendering
import Testing
import Vocabulary

/// Texts whose font becomes smaller until they fit, compared with texts of every smaller font.
@Suite struct FitBoxTests {
    private struct Sample: Sendable, CustomTestStringConvertible {
        var text: String
        var size: Double
        var box: TextContent.Box
        var letterSpacing = 0.0
        var alignment = TextAlignment.center
        var testDescription: String { text }

        /// The text in 1/256 of its size `step` times.
        func content(_ step: Int, in box: TextContent.Box) -> TextContent {
            let scale = Double(step) / 256
            return TextContent(
                text: text, font: "DejaVu Sans \(size * scale)", color: .white, alignment: alignment, box: box,
                letterSpacing: letterSpacing * scale)
        }
    }

    private static let samples = [
        Sample(text: "A title that is far too long for its box", size: 90, box: .init(width: 300, height: 120)),
        Sample(text: "Donaudampfschifffahrt", size: 64, box: .init(width: 180)),
        Sample(text: "One\nTwo\nThree", size: 80, box: .init(height: 100)),
        Sample(
            text: "justified lines of a fractional width", size: 50, box: .init(width: 200.7, height: 120),
            alignment: .justified),
        Sample(text: "spaced out letters", size: 60, box: .init(width: 250, height: 90), letterSpacing: 12),
    ]

    @Test("The font is the largest one in which the text fits and no word is broken", arguments: samples)
    private func largest(_ sample: Sample) throws {
        func fits(_ step: Int) throws -> Bool {
            let words = sample.text.split(whereSeparator: \.isWhitespace).map(String.init)
            let widest =
                try words.map { word in
                    var single = sample.content(step, in: .init())
                    single.text = word
                    return try Typesetter(fonts: FontLibrary()).measure(single).width
                }.max() ?? 0
            let picture = try Drawing.text(sample.content(step, in: .init(width: sample.box.width)))
            return widest <= sample.box.width ?? .infinity && picture.boxHeight <= sample.box.height ?? .infinity
        }
        var fitted = sample.content(256, in: sample.box)
        fitted.fitsBox = true
        let drawn = try Drawing.text(fitted)
        let step = try #require(try (1...256).reversed().first { try fits($0) })
        #expect(step < 250)
        #expect(try drawn == Drawing.text(sample.content(step, in: sample.box)), "\(step)")
        let ink = Ink(drawn)
        if let width = sample.box.width { #expect(ink.width <= Int(width) + 2) }
        if let height = sample.box.height { #expect(ink.height <= Int(height)) }
        #expect(drawn.pixels.contains { $0 > 200 })
    }

    @Test("A text that fits keeps its size, and one that fits in no size is cut off")
    func ends() throws {
        var small = TextContent(text: "Hi", font: "DejaVu Sans 30", color: .white, box: .init(width: 200, height: 100))
        let plain = try Drawing.text(small)
        small.fitsBox = true
        #expect(try Drawing.text(small) == plain)
        let lines = Array(repeating: "line", count: 400).joined(separator: "\n")
        var high = TextContent(text: lines, font: "DejaVu Sans 30", color: .white, box: .init(width: 200, height: 20))
        high.fitsBox = true
        #expect(try Drawing.text(high).boxHeight == 20)
    }
}
