import ExportPlan
import Lettering
import Testing

/// Texts that are too much: each is refused with a reason, and none ends the process.
@Suite struct TextSizeTests {
    private func files(_ text: String, font: String = "Sans 64", box: TextContent.Box = .init()) throws {
        let typesetter = try Typesetter(fonts: FontLibrary())
        _ = try typesetter.fontFiles(of: TextContent(text: text, font: font, color: .black, box: box))
    }

    private func expectOverLimit(_ message: String, _ body: () throws -> Void) {
        let error = #expect(throws: LetteringError.self, performing: body)
        #expect(error?.code == .overLimit)
        #expect(error?.message.contains(message) == true)
    }

    @Test("A text of a byte more than the limit is refused, and one of 300 kB, too")
    func bytes() throws {
        try files(String(repeating: "letters and\n", count: 8333) + "1234")
        expectOverLimit("100001 bytes") { try files(String(repeating: "letters and\n", count: 8333) + "12345") }
        expectOverLimit("300000 bytes") { try files(String(repeating: "a", count: 300_000)) }
    }

    @Test("A paragraph that is wider than Pango can count is refused", arguments: ["Sans 400", "Sans 4000"])
    func width(_ font: String) throws {
        expectOverLimit("pixels") { try files(String(repeating: "W", count: 100_000), font: font) }
    }

    @Test("A long paragraph is laid out in a narrow box")
    func narrowBox() throws {
        try files(String(repeating: "word ", count: 8000), font: "Sans 40", box: .init(width: 800))
    }

    @Test(
        "A font's size without end or sense is refused as no font",
        arguments: ["Sans 1000000000", "Sans 1e300", "Sans -5", "Sans 0", "Sans 4001"])
    func fontSizes(_ font: String) throws {
        let error = #expect(throws: LetteringError.self) { try files("a", font: font) }
        #expect(error?.code == .invalidFont)
    }

    @Test("Characters that no font has are named a few at a time, however many they are")
    func unknownCharacters() throws {
        // Private use: a hundred different ones, thousands of times.
        let scalars = (0..<25_000).compactMap { Unicode.Scalar(0xF0000 + $0 % 100) }
        let text = String(String.UnicodeScalarView(scalars))
        let error = #expect(throws: LetteringError.self) { try files(text, font: "Sans 12", box: .init(width: 800)) }
        #expect(error?.code == .missingGlyph)
        #expect(error?.message.contains("and others") == true)
    }
}
