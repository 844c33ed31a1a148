import ExportPlan
import TextRendering
import Testing
import Vocabulary

/// Texts with several styles, compared with what `pango-view` draws of the same attributes as markup.
@Suite struct RunTests {
    /// A run and the attributes of its markup.
    private struct Part {
        var text: String
        var markup = ""
        var style: (inout TextRun) -> Void = { _ in }

        /// The text in its markup.
        var marked: String {
            if markup.isEmpty { return text }
            guard markup.hasPrefix("<") else { return "<span \(markup)>\(text)</span>" }
            return "\(markup)\(text)</\(markup.dropFirst())"
        }
    }

    private func content(_ parts: [Part], font: String = "DejaVu Sans 40", _ change: (inout TextContent) -> Void = { _ in })
        -> TextContent
    {
        var content = TextContent(text: parts.map(\.text).joined(), font: font, color: .white)
        content.runs = parts.map { part in
            var run = TextRun(byteCount: part.text.utf8.count)
            part.style(&run)
            return run
        }
        change(&content)
        return content
    }

    /// Compares every pixel, each channel within one code value: straight colours are rounded in the tool's PNG.
    /// - Parameters:
    ///   - most: how many pixels may differ.
    ///   - channels: the channels that are compared.
    private func compare(
        _ parts: [Part], font: String = "DejaVu Sans 40", options: [String] = [], except most: Int = 0,
        channels: Range<Int> = 0..<4, _ change: (inout TextContent) -> Void = { _ in }
    ) async throws {
        let content = content(parts, font: font, change)
        let found = try Drawing.text(content)
        try await Drawing.show(found, as: "runs-\(parts[0].text.prefix(6))")
        let witness = try await PangoView(parts.map(\.marked).joined(), font: font, options: ["--markup"] + options)
        #expect(witness.alpha.contains(255), "nothing is drawn")
        var (differences, worst) = (0, 0)
        for y in -PangoView.margin..<(witness.height - PangoView.margin) {
            for x in -PangoView.margin..<(witness.width - PangoView.margin) {
                let (one, other) = (found.color(fromBox: x, y), witness.color(fromBox: x, y))
                let difference = channels.map { abs(Int(one[$0]) - Int(other[$0])) }.max() ?? 0
                worst = max(worst, difference)
                if difference > 1 { differences += 1 }
            }
        }
        print("pango-view of '\(content.text)': worst difference \(worst), \(differences) pixels")
        #expect(differences <= most, "\(differences) of \(witness.width * witness.height) pixels, worst \(worst)")
    }

    private static let red = RGBAColor(red: 255, green: 64, blue: 32, alpha: 255)
    private static let blue = RGBAColor(red: 32, green: 96, blue: 255, alpha: 128)

    @Test("Colours, fonts and sizes of runs are those of pango-view")
    func fonts() async throws {
        try await compare([
            Part(text: "Plain "), Part(text: "bold ", markup: "weight=\"bold\"") { $0.font = "Bold" },
            Part(text: "red ", markup: "foreground=\"#ff4020\"") { $0.color = Self.red },
            Part(text: "serif", markup: "font=\"Noto Serif Italic 60px\" foreground=\"#ff4020\"") {
                ($0.font, $0.color) = ("Noto Serif Italic 60", Self.red)
            },
            Part(text: " wide", markup: "letter_spacing=\"5120\"") { $0.letterSpacing = 5 },
        ])
        try await compare(
            [
                Part(text: "half", markup: "foreground=\"#2060ff\" alpha=\"32896\"") { $0.color = Self.blue },
                Part(text: " small", markup: "font=\"DejaVu Sans 20px\"") { $0.font = "20" },
            ])
    }

    @Test("Letters join and ligatures stay whole across the borders of runs, in both directions")
    func shaping() async throws {
        // Where letters of two colours touch, the tool draws them in another order.
        try await compare(
            [
                Part(text: "مرح"), Part(text: "با بال", markup: "foreground=\"#ff4020\"") { $0.color = Self.red },
                Part(text: "عالم"),
            ],
            font: "Noto Sans 40", except: 12)
        // The tool gives a ligature the style of the run that it ends in.
        try await compare(
            [Part(text: "Of"), Part(text: "fice", markup: "foreground=\"#ff4020\"") { $0.color = Self.red }],
            font: "Noto Serif 40", channels: 3..<4)
        try await compare(
            [Part(text: "one שלו"), Part(text: "ם two", markup: "foreground=\"#ff4020\"") { $0.color = Self.red }],
            font: "Noto Sans 40")
        // Neither run would be drawn like this alone.
        let whole = try Drawing.text(TextContent(text: "مرحبا", font: "Noto Sans 40", color: .white))
        let parts = try Drawing.text(content([Part(text: "مر"), Part(text: "حبا")], font: "Noto Sans 40"))
        #expect(whole == parts)
    }

    @Test("Lines under and through letters, backgrounds and raised letters are those of pango-view")
    func decorations() async throws {
        // The tool's line goes from the ink of the first letter to that of the last one, and here along their whole width.
        try await compare(
            [
                Part(text: "go "), Part(text: "jump now", markup: "underline=\"single\"") { $0.isUnderlined = true },
                Part(text: " on"),
            ], except: 12)
        try await compare(
            [Part(text: "go "), Part(text: "old", markup: "strikethrough=\"true\"") { $0.isStruckThrough = true }], except: 24)
        try await compare([
            Part(text: "on "),
            Part(text: "green", markup: "background=\"#20a040\"") {
                $0.background = RGBAColor(red: 32, green: 160, blue: 64, alpha: 255)
            },
            Part(text: " up", markup: "rise=\"10240\"") { $0.baselineOffset = 10 },
        ])
        try await compare([
            Part(text: "E = mc"), Part(text: "2", markup: "<sup>") { $0.script = .superscript }, Part(text: ", H"),
            Part(text: "2", markup: "<sub>") { $0.script = .subscript }, Part(text: "O"),
        ])
    }

    @Test("Runs wrap and are aligned as one text", arguments: ["left", "center", "right"])
    func wrapped(_ alignment: String) async throws {
        try await compare(
            [
                Part(text: "The quick "), Part(text: "brown fox jumps ", markup: "weight=\"bold\"") { $0.font = "Bold" },
                Part(text: "over the lazy dog", markup: "foreground=\"#ff4020\" underline=\"single\"") {
                    ($0.color, $0.isUnderlined) = (Self.red, true)
                },
            ], font: "DejaVu Sans 32", options: ["--width=300", "--align=\(alignment)"]
        ) {
            ($0.alignment, $0.box.width) = (TextAlignment(rawValue: alignment) ?? .left, 300)
        }
    }

    @Test("A run of nothing but its text is drawn like a text without runs, with strokes, shadows and gradients")
    func plain() throws {
        var text = TextContent(text: "Aéb مرحبا", font: "Noto Sans 40", color: Self.red)
        text.stroke = Stroke(color: .black, width: 3)
        text.shadow = .init(color: Self.blue, x: 3, y: 4, blur: 2)
        var runs = text
        runs.runs = [TextRun(byteCount: text.text.utf8.count)]
        #expect(try Drawing.text(runs) == Drawing.text(text))
        text.gradient = Gradient(
            .linear, [.init(color: .black, location: 0), .init(color: .white, location: 1)], from: .init(x: 0, y: 0),
            to: .init(x: 1, y: 0))
        runs.gradient = text.gradient
        #expect(try Drawing.text(runs) == Drawing.text(text))
    }

    @Test("A run's stroke replaces the text's, and its colour the gradient")
    func paint() throws {
        func drawn(_ change: (inout TextContent) -> Void) throws -> DrawnPicture {
            try Drawing.text(content([Part(text: "II"), Part(text: "II")], font: "DejaVu Sans Bold 60", change))
        }
        let right = try drawn { $0.runs?[1].stroke = Stroke(color: Self.red, width: 6) }
        func reds(_ picture: DrawnPicture, _ columns: Range<Int>) -> Int {
            columns.reduce(0) { sum, x in
                sum
                    + (0..<picture.boxSize.height).count {
                        let pixel = picture.color(fromBox: x, $0)
                        return pixel[3] > 128 && Int(pixel[0]) > Int(pixel[2]) + 40
                    }
            }
        }
        let middle = right.boxSize.width / 2
        #expect(reds(right, 0..<(middle - 6)) == 0)
        #expect(reds(right, middle..<right.boxSize.width) > 50)
        let left = try drawn {
            $0.stroke = Stroke(color: Self.red, width: 6)
            $0.runs?[1].stroke = Stroke(color: .black, width: 0)
        }
        #expect(reds(left, 0..<middle) > 50)
        #expect(reds(left, (middle + 6)..<left.boxSize.width) == 0)
        let painted = try drawn {
            $0.gradient = Gradient(
                .linear, [.init(color: .black, location: 0), .init(color: .black, location: 1)], from: .init(x: 0, y: 0),
                to: .init(x: 1, y: 0))
            $0.runs?[1].color = Self.red
        }
        #expect(reds(painted, 0..<(middle - 1)) == 0)
        #expect(reds(painted, middle..<painted.boxSize.width) > 50)
    }

    @Test("A text with runs shrinks as a whole until it fits into its box")
    func fitted() throws {
        func parts(_ scale: Double) -> [Part] {
            [
                Part(text: "Small and "),
                Part(text: "large") {
                    ($0.font, $0.baselineOffset, $0.letterSpacing) = ("\(80 * scale)", 8 * scale, 4 * scale)
                },
            ]
        }
        let fitted = try Drawing.text(content(parts(1)) { ($0.box, $0.fitsBox) = (.init(width: 600, height: 50), true) })
        // The step that is chosen is the largest of 256 that fits.
        var largest: DrawnPicture?
        for step in stride(from: 256, to: 0, by: -1) where largest == nil {
            let scale = Double(step) / 256
            let whole = try Drawing.text(content(parts(scale), font: "DejaVu Sans \(40 * scale)"))
            if whole.boxWidth <= 600, whole.boxHeight <= 50 {
                largest = try Drawing.text(
                    content(parts(scale), font: "DejaVu Sans \(40 * scale)") { $0.box = .init(width: 600, height: 50) })
            }
        }
        #expect(fitted.pixels == largest?.pixels)
    }

    @Test("Words of several runs move as one unit, with the lines under them", arguments: [TextUnit.word, .character, .line])
    func units(_ unit: TextUnit) throws {
        let text = content([
            Part(text: "on") { $0.isUnderlined = true },
            Part(text: "ly this") { ($0.color, $0.background) = (Self.red, Self.blue) },
        ])
        let units = try Drawing.units(text, by: unit)
        #expect(units.filter { $0.part == .backdrop }.count == 1)
        let moving = units.filter { $0.part == .filling }
        #expect(moving.count == [TextUnit.word: 2, .character: 8, .line: 1][unit])
        #expect(Set(moving.map(\.index)).count == moving.count)
    }

    @Test("Fonts of runs that are not there, are no fonts or too large are errors")
    func faults() {
        func error(_ change: @escaping (inout TextRun) -> Void) -> TextRenderingError? {
            let content = content([Part(text: "a"), Part(text: "b", style: change)])
            return #expect(throws: TextRenderingError.self) { try Drawing.text(content) }
        }
        #expect(error { $0.font = "Nowhere Grotesk" }?.code == .missingFont)
        #expect(error { $0.font = "9999" }?.code == .invalidFont)
        let length = error { $0.byteCount = 7 }
        #expect(length?.code == .invalidText && length?.message == "has runs of another length than its own")
        #expect(error { $0.letterSpacing = 1e9 }?.code == .overLimit)
        #expect(error { $0.baselineOffset = .nan }?.code == .overLimit)
    }

    @Test("The fonts of a text are those of its runs")
    func files() throws {
        let names = try Typesetter(fonts: FontLibrary()).fontFiles(
            of: content([Part(text: "a"), Part(text: "b") { $0.font = "Noto Serif" }])
        ).map(\.name)
        #expect(names.contains { $0.contains("DejaVu") } && names.contains { $0.contains("NotoSerif") })
    }
}
