import ExportPlan
import Lettering
import Testing
import Vocabulary

/// The pieces that move by themselves.
@Suite struct UnitTests {
    private static let decorated = TextContent(
        text: "Hello, wide\nworld مرحبا 👩‍👩‍👧", font: "DejaVu Sans Bold 48", color: .white, alignment: .center,
        stroke: Stroke(color: .blue, width: 6), shadow: .init(color: .black, x: 5, y: 5, blur: 3),
        backgroundBox: .init(color: .red, padding: 20, cornerRadius: 12))

    private func count(_ text: String, _ unit: TextUnit) throws -> Int {
        try Drawing.units(TextContent(text: text, font: "DejaVu Sans 40", color: .white), by: unit).count
    }

    @Test("All pieces in their places give the whole text", arguments: TextUnit.allCases)
    func whole(_ unit: TextUnit) throws {
        var decorated = UnitTests.decorated
        // Arabic letters touch: by themselves each has a soft edge where it joins the next.
        if unit == .character { decorated.text.replace("مرحبا", with: "Greek") }
        for content in [
            decorated, TextContent(text: "Plain, wrapped", font: "Serif 40", color: .red, box: .init(width: 150)),
        ] {
            let whole = try Drawing.text(content)
            var joined = whole
            joined.pixels = [UInt8](repeating: 0, count: whole.pixels.count)
            for piece in try Drawing.units(content, by: unit) { joined = joined.covered(by: piece.picture) }
            let worst = zip(joined.pixels, whole.pixels).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(worst) <= 1)
        }
    }

    @Test("Characters are what readers take for one")
    func characters() throws {
        #expect(try count("a b", .character) == 2)
        #expect(try count("e\u{301}x", .character) == 2)
        #expect(try count("👩‍👩‍👧👍🏽", .character) == 2)
        #expect(try count("مرحبا", .character) == 5)
        // DejaVu Sans has one glyph for "ffi".
        #expect(try count("office", .character) == 4)
    }

    @Test("Words stand between blanks, lines are as they are laid out")
    func wordsAndLines() throws {
        #expect(try count("one, two\nthree  ", .word) == 3)
        #expect(try count("one two\nthree\n\nfour", .line) == 3)
        #expect(try count("", .line) == 0)
        let wrapped = TextContent(text: "one two three", font: "DejaVu Sans 40", color: .white, box: .init(width: 120))
        #expect(try Drawing.units(wrapped, by: .line).count == 3)
    }

    @Test("Pieces come in reading order: backdrop, strokes, fillings; right to left from the right")
    func order() throws {
        let pieces = try Drawing.units(UnitTests.decorated, by: .word)
        #expect(
            pieces.map(\.part) == [.backdrop] + [DrawnUnit.Part](repeating: .outline, count: 4)
                + [DrawnUnit.Part](repeating: .filling, count: 5))
        #expect(pieces.filter { $0.part == .filling }.map(\.index) == [0, 1, 2, 3, 4])
        let hebrew = try Drawing.units(TextContent(text: "שלום", font: "Sans 40", color: .white), by: .character)
        let places = hebrew.map(\.box.x)
        #expect(places == places.sorted(by: >) && places.count == 4)
        #expect(hebrew.allSatisfy { $0.box.height > 40 && $0.box.width > 5 })
    }
}
