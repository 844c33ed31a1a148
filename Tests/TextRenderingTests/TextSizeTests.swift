import ExportPlan
import TextRendering
import Testing

/// Tests that texts beyond the limits are refused with a reason, and that none ends the process.
@Suite struct TextSizeTests {
    private func files(_ text: String, font: String = "Sans 64", box: TextContent.Box = .init()) throws {
        let typesetter = try Typesetter(fonts: FontLibrary())
        _ = try typesetter.fontFiles(of: TextContent(text: text, font: font, color: .black, box: box))
    }

    private func expectOverLimit(_ message: String, _ body: () throws -> Void) {
        let error = #expect(throws: TextRenderingError.self, performing: body)
        #expect(error?.code == .overLimit)
        #expect(error?.message.contains(message) == true)
    }

    @Test("A text of one byte more than the limit is refused, and one of 300 kB, too")
    func bytes() throws {
        try files(String(repeating: "letters and\n", count: 8333) + "1234")
        expectOverLimit("has 100001 bytes; the limit is ") {
            try files(String(repeating: "letters and\n", count: 8333) + "12345")
        }
        expectOverLimit("300000 bytes") { try files(String(repeating: "a", count: 300_000)) }
    }

    @Test("A paragraph that is wider than Pango can represent is refused", arguments: ["Sans 400", "Sans 4000"])
    func width(_ font: String) throws {
        expectOverLimit(" pixels long; break it into several, or shorten it") {
            try files(String(repeating: "W", count: 100_000), font: font)
        }
    }

    @Test("A paragraph is laid out up to the limit of its length, and refused with one letter more")
    func exactWidth() throws {
        // All letters of this font have the same width.
        func refusal(_ count: Int) -> TextRenderingError? {
            do {
                try files(String(repeating: "W", count: count), font: "DejaVu Sans Mono 400")
                return nil
            } catch { return error as? TextRenderingError }
        }
        var (accepted, refused) = (1, 20_000)
        while refused - accepted > 1 {
            let middle = (accepted + refused) / 2
            if refusal(middle) == nil { accepted = middle } else { refused = middle }
        }
        let error = try #require(refusal(refused))
        #expect(error.code == .overLimit)
        let width = try #require(error.message.split { !$0.isNumber }.first.flatMap { Double($0) })
        #expect(width > Double(TextContent.paragraphLimit))
        // The message leaves out the fraction of the last pixel.
        #expect(width / Double(refused) * Double(accepted) <= Double(TextContent.paragraphLimit))
        #expect(refusal(accepted) == nil)
    }

    @Test("A long paragraph is laid out in a narrow box")
    func narrowBox() throws {
        try files(String(repeating: "word ", count: 8000), font: "Sans 40", box: .init(width: 800))
    }

    @Test(
        "A huge or invalid font size is refused",
        arguments: ["Sans 1000000000", "Sans 1e300", "Sans -5", "Sans 0", "Sans 4001"])
    func fontSizes(_ font: String) throws {
        let error = #expect(throws: TextRenderingError.self) { try files("a", font: font) }
        #expect(error?.code == .invalidFont)
    }

    @Test("An error names only a few of the characters that no font has")
    func unknownCharacters() throws {
        // The characters are a hundred private use characters, each of them many times.
        let scalars = (0..<25_000).compactMap { Unicode.Scalar(0xF0000 + $0 % 100) }
        let text = String(String.UnicodeScalarView(scalars))
        let error = #expect(throws: TextRenderingError.self) { try files(text, font: "Sans 12", box: .init(width: 800)) }
        #expect(error?.code == .missingGlyph)
        #expect(error?.message.contains("and others") == true)
    }
}
