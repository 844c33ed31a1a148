import ExportPlan
import TextRendering
import Testing
import Vocabulary

/// Compares texts with `pango-view`, which uses Pango's own renderer; every pixel has to be the same.
@Suite struct PangoViewTests {
    @Test(
        "A text is the same as pango-view's in every pixel",
        arguments: [
            ("DejaVu Sans 48", "Hamburgefonstiv"), ("DejaVu Sans Bold 64", "Spool 2026"), ("Noto Serif 40", "Office, affine?"),
            ("Noto Sans 40", "שלום עולם"), ("Noto Sans 40", "مرحبا بالعالم"), ("Noto Sans CJK JP 40", "こんにちは世界"),
            ("DejaVu Sans 40", "One line\nand another"), ("Noto Serif Italic 13", "small, slanted: fjord"),
            ("DejaVu Sans Bold 300", "Øj"),
            ("Noto Sans 33", "naïve ♥ שלום 123 مرحبا"),
        ])
    func plain(_ font: String, _ text: String) async throws {
        try await compare(TextContent(text: text, font: font, color: .white), options: [])
    }

    @Test("Wrapped and aligned lines are the same as pango-view's", arguments: ["left", "center", "right"])
    func wrapped(_ alignment: String) async throws {
        let text = "The quick brown fox jumps over the lazy dog"
        let content = TextContent(
            text: text, font: "DejaVu Sans 32", color: .white, alignment: try #require(TextAlignment(rawValue: alignment)),
            box: .init(width: 300))
        try await compare(content, options: ["--width=300", "--align=\(alignment)"])
    }

    @Test("Line spacing and justified lines are the same as pango-view's")
    func spaced() async throws {
        let text = "The quick brown fox jumps over the lazy dog"
        let content = TextContent(
            text: text, font: "DejaVu Sans 32", color: .white, alignment: .justified, box: .init(width: 300), lineSpacing: 1.5)
        try await compare(content, options: ["--width=300", "--justify", "--line-spacing=1.5"])
    }

    private func compare(_ content: TextContent, options: [String]) async throws {
        let found = try Drawing.text(content)
        let witness = try await PangoView(content.text, font: content.font, options: options)
        #expect(witness.alpha.contains(255), "nothing is drawn")
        var differences = 0
        for y in -PangoView.margin..<(witness.height - PangoView.margin) {
            for x in -PangoView.margin..<(witness.width - PangoView.margin)
            where found.color(fromBox: x, y)[3] != witness.alpha(fromBox: x, y) {
                differences += 1
            }
        }
        #expect(differences == 0, "\(differences) of \(witness.width * witness.height) pixels")
    }
}
