import ExportPlan
import TextRendering
import Testing
import Vocabulary

/// Properties that hold for all texts.
@Suite struct TextTests {
    private static let long = "The quick brown fox leaps over the lazy dog and sleeps"

    @Test("Drawing the same text twice gives the same bytes")
    func deterministic() async throws {
        let content = TextContent(
            text: "Spool ✂ 2026\nساعة 世界", font: "Sans Bold 48", color: .white, alignment: .center,
            stroke: Stroke(color: .blue, width: 4), shadow: .init(color: .black, x: 6, y: 6, blur: 5),
            backgroundBox: .init(color: .red, padding: 20, cornerRadius: 16))
        let first = try Drawing.text(content)
        #expect(first == (try Drawing.text(content)))
        let typesetter = try Typesetter(fonts: FontLibrary())
        #expect(first == (try typesetter.draw(content)))
        #expect(first == (try typesetter.draw(content)))
        try await Drawing.show(first, as: "everything")
    }

    @Test(
        "Arabic, Hebrew, Chinese, Japanese, Korean and emoji are drawn",
        arguments: [
            ("arabic", "مرحبا بالعالم"), ("hebrew", "שָׁלוֹם עולם"), ("han", "你好，世界 こんにちは 안녕"), ("emoji", "🎬 👩‍👩‍👧 🇩🇪 👍🏽"),
            ("mixed", "Film שלום 42 مرحبا end"),
        ])
    func scripts(_ name: String, _ text: String) async throws {
        do {
            let picture = try Drawing.text(TextContent(text: text, font: "Sans 64", color: .white))
            #expect(Ink(picture).area > 500)
            try await Drawing.show(picture, as: name)
            if name == "emoji" {
                let isColored = stride(from: 0, to: picture.pixels.count, by: 4).contains {
                    Int(picture.pixels[$0]) > Int(picture.pixels[$0 + 2]) + 60
                }
                #expect(isColored)
            }
        } catch let error as TextRenderingError where error.code == .missingGlyph {
            print("skipped \(name): \(error); see scripts/install-dependencies for the fonts")
        }
    }

    @Test("Every wrapped line lies inside the box", arguments: TextAlignment.allCases)
    func wrapping(_ alignment: TextAlignment) async throws {
        let picture = try Drawing.text(
            TextContent(
                text: TextTests.long, font: Drawing.font, color: .white, alignment: alignment, box: .init(width: 400)))
        // A letter may extend beyond the box by a fraction of a pixel.
        let ink = Ink(picture, above: 40)
        #expect(picture.boxSize.width == 400)
        let (columns, rows) = (try #require(ink.columns), try #require(ink.rows))
        #expect(columns.lowerBound >= 0 && columns.upperBound < 400, "\(columns)")
        #expect(rows.lowerBound >= 0 && rows.upperBound < picture.boxSize.height)
        #expect(picture.boxSize.height > 4 * 48)
        try await Drawing.show(picture, as: "wrapped-\(alignment)")
    }

    @Test("A word that is wider than the box is broken")
    func longWord() throws {
        let picture = try Drawing.text(
            TextContent(text: "Donaudampfschifffahrt", font: Drawing.font, color: .white, box: .init(width: 200)))
        #expect(try #require(Ink(picture).columns).upperBound < 200)
    }

    @Test("Text that is higher than the box is cut off")
    func cutting() throws {
        let whole = TextContent(text: TextTests.long, font: Drawing.font, color: .white, box: .init(width: 400))
        var cut = whole
        cut.box.height = 100
        let picture = try Drawing.text(cut)
        #expect(picture.boxSize == FrameSize(width: 400, height: 100))
        #expect(try #require(Ink(picture).rows).upperBound == 99)
        let all = try Drawing.text(whole)
        for y in 0..<100 {
            for x in 0..<400 { #expect(picture.color(fromBox: x, y) == all.color(fromBox: x, y)) }
        }
    }

    @Test("Alignment moves the text to its side, in every script", arguments: ["short", "שלום"])
    func alignment(_ text: String) throws {
        func columns(_ alignment: TextAlignment) throws -> ClosedRange<Int> {
            let content = TextContent(
                text: text, font: Drawing.font, color: .white, alignment: alignment, box: .init(width: 600))
            return try #require(Ink(Drawing.text(content), above: 20).columns)
        }
        let (left, center, right) = (try columns(.left), try columns(.center), try columns(.right))
        #expect(left.lowerBound < 10)
        #expect(right.upperBound > 590)
        #expect(abs((left.lowerBound + right.lowerBound) / 2 - center.lowerBound) <= 1)
    }

    @Test("A stroke widens the text by its width")
    func stroke() async throws {
        var content = TextContent(text: "Hello", font: Drawing.font, color: .white)
        let plain = Ink(try Drawing.text(content), above: 127)
        for width in [4.0, 10] {
            content.stroke = Stroke(color: .blue, width: width)
            let picture = try Drawing.text(content)
            let stroked = Ink(picture, above: 127)
            #expect(abs(stroked.width - plain.width - Int(width)) <= 1)
            #expect(abs(stroked.height - plain.height - Int(width)) <= 1)
            try await Drawing.show(picture, as: "stroke-\(Int(width))")
        }
    }

    @Test("Letter spacing is added between characters, and line spacing is a factor")
    func spacing() throws {
        var content = TextContent(text: "HHHHH", font: Drawing.font, color: .white)
        let plain = Ink(try Drawing.text(content), above: 20).width
        content.letterSpacing = 10
        #expect(abs(Ink(try Drawing.text(content), above: 20).width - plain - 40) <= 1)
        content = TextContent(text: "H\nH\nH", font: Drawing.font, color: .white)
        func distance(_ factor: Double) throws -> Int {
            content.lineSpacing = factor
            return Ink(try Drawing.text(content), above: 127).height
        }
        let (one, nearlyOne, two) = (try distance(1), try distance(1.0001), try distance(2))
        #expect(abs(one - nearlyOne) <= 1)
        // Two of three lines move by the font's line distance, 1.164 em.
        #expect(abs(Double(two - one) - 2 * 1.164 * 48) <= 2)
    }

    @Test("A background box extends by its padding and has round corners")
    func background() throws {
        let content = TextContent(
            text: "Box", font: Drawing.font, color: .white, backgroundBox: .init(color: .red, padding: 12, cornerRadius: 10))
        let picture = try Drawing.text(content)
        let ink = Ink(picture, above: 127)
        #expect(abs(ink.width - picture.boxSize.width - 24) <= 1 && abs(ink.height - picture.boxSize.height - 24) <= 1)
        #expect(picture.color(fromBox: -12, -12) == [0, 0, 0, 0])
        #expect(picture.color(fromBox: -1, -1) == [255, 0, 0, 255])
    }

    @Test("A transparent colour has the same alpha everywhere, also where strokes cross")
    func translucent() throws {
        let half = RGBAColor(red: 255, green: 255, blue: 255, alpha: 128)
        let picture = try Drawing.text(
            TextContent(text: "WAWA", font: "DejaVu Sans Bold 64", color: half, letterSpacing: -12))
        #expect(picture.pixels.max() == 128)
    }

    @Test("An empty text is an empty picture")
    func empty() throws {
        for text in ["", " ", "\n"] {
            #expect(Ink(try Drawing.text(TextContent(text: text, font: Drawing.font, color: .white))).area == 0)
        }
    }
}
