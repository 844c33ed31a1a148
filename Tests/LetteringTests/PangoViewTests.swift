import ExportPlan
import Lettering
import Testing
import Vocabulary

/// Texts beside `pango-view`, which has Pango's own painter. Its glyphs go to whole pixels, Spool's where they belong: edges
/// may differ by half a pixel.
@Suite struct PangoViewTests {
    @Test(
        "Ink is where pango-view has it, and as much of it",
        arguments: [
            ("DejaVu Sans 48", "Hamburgefonstiv"), ("DejaVu Sans Bold 64", "Spool 2026"), ("Noto Serif 40", "Office, affine?"),
            ("Noto Sans 40", "שלום עולם"), ("Noto Sans 40", "مرحبا بالعالم"), ("Noto Sans CJK JP 40", "こんにちは世界"),
            ("DejaVu Sans 40", "One line\nand another"),
        ])
    func plain(_ font: String, _ text: String) async throws {
        try await compare(TextContent(text: text, font: font, color: .white), options: [])
    }

    @Test("Wrapped and aligned lines are where pango-view has them", arguments: ["left", "center", "right"])
    func wrapped(_ alignment: String) async throws {
        let text = "The quick brown fox jumps over the lazy dog"
        let content = TextContent(
            text: text, font: "DejaVu Sans 32", color: .white, alignment: try #require(TextAlignment(rawValue: alignment)),
            box: .init(width: 300))
        try await compare(content, options: ["--width=300", "--align=\(alignment)"])
    }

    @Test("Line spacing and justified lines are pango-view's")
    func spaced() async throws {
        let text = "The quick brown fox jumps over the lazy dog"
        let content = TextContent(
            text: text, font: "DejaVu Sans 32", color: .white, alignment: .justified, box: .init(width: 300), lineSpacing: 1.5)
        try await compare(content, options: ["--width=300", "--justify", "--line-spacing=1.5"])
    }

    private func compare(_ content: TextContent, options: [String]) async throws {
        let found = try Drawing.text(content)
        let witness = try await PangoView(content.text, font: content.font, options: options)
        var (difference, sum, witnessSum) = (0, 0, 0)
        var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
        for y in -PangoView.margin..<(witness.height - PangoView.margin) {
            for x in -PangoView.margin..<(witness.width - PangoView.margin) {
                let (mine, theirs) = (Int(found.color(fromBox: x, y)[3]), Int(witness.alpha(fromBox: x, y)))
                difference += abs(mine - theirs)
                sum += mine
                witnessSum += theirs
                guard theirs > 40 else { continue }
                (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
            }
        }
        let ink = Ink(found, above: 40)
        let (columns, rows) = (try #require(ink.columns), try #require(ink.rows))
        let mean = Double(difference) / Double(witness.width * witness.height) / 255
        print("\(content.font) \(content.text.prefix(20)): mean difference \(mean), ink \(sum) of \(witnessSum)")
        #expect(abs(columns.lowerBound - left) <= 1 && abs(columns.upperBound - right) <= 1, "\(columns) \(left)...\(right)")
        #expect(abs(rows.lowerBound - top) <= 1 && abs(rows.upperBound - bottom) <= 1, "\(rows) \(top)...\(bottom)")
        #expect(mean < 0.02)
        #expect(abs(Double(sum) / Double(witnessSum) - 1) < 0.01)
    }
}
