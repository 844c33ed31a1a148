import ExportPlan
import TextRendering
import Testing
import Vocabulary

/// Tests of the parts of a text that move by themselves.
@Suite struct UnitTests {
    private static let decorated = TextContent(
        text: "Hello, wide\nworld مرحبا 👩‍👩‍👧", font: "DejaVu Sans Bold 48", color: .white, alignment: .center,
        stroke: Stroke(color: .blue, width: 6), shadow: .init(color: .black, x: 5, y: 5, blur: 3),
        backgroundBox: .init(color: .red, padding: 20, cornerRadius: 12))

    private func count(_ text: String, _ unit: TextUnit) throws -> Int {
        try Drawing.units(TextContent(text: text, font: "DejaVu Sans 40", color: .white), by: unit).count
    }

    @Test("All parts in their places give the whole text", arguments: TextUnit.allCases)
    func whole(_ unit: TextUnit) throws {
        var decorated = UnitTests.decorated
        // Arabic letters touch; drawn alone, each has a soft edge where it joins the next one.
        if unit == .character { decorated.text.replace("مرحبا", with: "Greek") }
        for content in [
            decorated, TextContent(text: "Plain, wrapped", font: "Serif 40", color: .red, box: .init(width: 150)),
        ] {
            let whole = try Drawing.text(content)
            var joined = whole
            joined.pixels = [UInt8](repeating: 0, count: whole.pixels.count)
            for drawn in try Drawing.units(content, by: unit) { joined = joined.covered(by: drawn.picture) }
            let worst = zip(joined.pixels, whole.pixels).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(worst) <= 1)
        }
    }

    @Test("Characters are grapheme clusters, as readers see them")
    func characters() throws {
        #expect(try count("a b", .character) == 2)
        #expect(try count("e\u{301}x", .character) == 2)
        #expect(try count("👩‍👩‍👧👍🏽", .character) == 2)
        #expect(try count("مرحبا", .character) == 5)
        // DejaVu Sans has a single glyph for "ffi".
        #expect(try count("office", .character) == 4)
    }

    @Test("Words are separated by white space, and lines are those of the layout")
    func wordsAndLines() throws {
        #expect(try count("one, two\nthree  ", .word) == 3)
        #expect(try count("one two\nthree\n\nfour", .line) == 3)
        #expect(try count("", .line) == 0)
        let wrapped = TextContent(text: "one two three", font: "DejaVu Sans 40", color: .white, box: .init(width: 120))
        #expect(try Drawing.units(wrapped, by: .line).count == 3)
    }

    @Test("Parts come in reading order: backdrop, strokes, fills; right-to-left text from the right")
    func order() throws {
        let units = try Drawing.units(UnitTests.decorated, by: .word)
        #expect(
            units.map(\.part) == [.backdrop] + [DrawnUnit.Part](repeating: .outline, count: 4)
                + [DrawnUnit.Part](repeating: .filling, count: 5))
        #expect(units.filter { $0.part == .filling }.map(\.index) == [0, 1, 2, 3, 4])
        let hebrew = try Drawing.units(TextContent(text: "שלום", font: "Sans 40", color: .white), by: .character)
        let places = hebrew.map(\.box.x)
        #expect(places == places.sorted(by: >) && places.count == 4)
        #expect(hebrew.allSatisfy { $0.box.height > 40 && $0.box.width > 5 })
    }
}
