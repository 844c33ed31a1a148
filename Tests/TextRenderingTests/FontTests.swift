import ContentHashing
import ExportPlan
import TextRendering
import TestSupport
import Testing
import FoundationEssentials

/// Tests with installed and with missing fonts.
@Suite struct FontTests {
    private func error(_ text: String, _ font: String) -> TextRenderingError? {
        #expect(throws: TextRenderingError.self) { try Drawing.text(TextContent(text: text, font: font, color: .white)) }
    }

    @Test("A font that is not installed is an environment error that names it")
    func missing() throws {
        let found = error("Hello", "Nowhere Grotesk Bold 40")
        #expect(found?.code == .missingFont && found?.failureClass == .environment)
        #expect(found?.description.contains("Nowhere Grotesk") == true)
        // fontconfig would substitute a font with the same metrics, which the draft did not ask for.
        #expect(try !FontLibrary().has(family: "Nowhere Grotesk"))
    }

    @Test("A font that is asked for by its file or its PostScript name, and is not there, is named with what to do")
    func missingFile() throws {
        let error = try #require(throws: TextRenderingError.self) { try FontLibrary().file(named: "NowhereGrotesk-Bold") }
        #expect(error.code == .missingFont && error.subject == "NowhereGrotesk-Bold")
        #expect(
            error.message == "is not a font of this machine or the draft; install it, or add its file to the draft")
    }

    @Test(
        "Installed families, generic families and lists with an installed family are drawn",
        arguments: [
            "Sans 20", "Serif Italic 20", "Monospace 20", "dejavu sans 20", "Nowhere Grotesk,DejaVu Sans 20",
            "DejaVu Sans Mono Bold 20",
        ])
    func present(_ font: String) throws {
        #expect(Ink(try Drawing.text(TextContent(text: "Hi", font: font, color: .white))).area > 10)
    }

    @Test("A character that no font has is an error that names it")
    func missingGlyph() {
        let found = error("a\u{10FFFD}b", Drawing.font)
        #expect(found?.code == .missingGlyph && found?.failureClass == .environment)
        #expect(found?.message.hasPrefix("and all other fonts on this machine lack ") == true)
        #expect(found?.description.contains("U+10FFFD") == true)
    }

    @Test("Many threads draw with more fonts than cairo keeps open")
    func threads() async throws {
        let families = Set(try FontLibrary().fonts.map(\.family)).sorted().prefix(40)
        try #require(families.count > 10)
        let drawn = try await withThrowingTaskGroup(of: Int.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var count = 0
                    for index in 0..<100 {
                        let family = families[(index * 7 + thread * 11) % families.count]
                        let content = TextContent(text: "Ab 1", font: "\(family) \(20 + thread)", color: .white)
                        count += Ink(try Drawing.text(content)).area > 10 ? 1 : 0
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(drawn == 800)
    }

    @Test("Missing family or size, control characters and huge lengths are input errors")
    func invalid() {
        #expect(error("a", "Bold 20")?.code == .invalidFont)
        #expect(error("a", "DejaVu Sans")?.code == .invalidFont)
        #expect(error("a", "DejaVu Sans 100000")?.code == .invalidFont)
        #expect(error("a\u{0}b", Drawing.font)?.code == .invalidText)
        let wide = error(String(repeating: "wide ", count: 400), Drawing.font)
        #expect(wide?.code == .overLimit && wide?.message.hasSuffix(" pixels a side are the most; make it smaller") == true)
        #expect(error("a", "Bold 20")?.message == "names no font family; try \"Sans Bold 64\"")
        #expect(error("a", "DejaVu Sans")?.message.hasPrefix("needs a size in pixels, up to ") == true)
        #expect(error("a", "DejaVu Sans")?.message.hasSuffix(", at its end; try \"DejaVu Sans 64\"") == true)
        #expect(error("a\u{0}b", Drawing.font)?.message == "has the control character U+0 in it")
        let box = #expect(throws: TextRenderingError.self) {
            try Drawing.text(TextContent(text: "a", font: Drawing.font, color: .white, box: .init(width: .nan)))
        }
        #expect(box?.message.hasPrefix("has to be within 1.0...") == true)
    }

    @Test("The font size is the height of an em in pixels")
    func size() throws {
        // A capital H of DejaVu Sans is 0.729 em high.
        let ink = Ink(try Drawing.text(TextContent(text: "H", font: "DejaVu Sans 200", color: .white)), above: 127)
        #expect(abs(ink.height - 146) <= 1)
    }

    @Test("Fonts of a directory are drawn, and a directory without fonts is an error")
    func directories() throws {
        let directory = try TemporaryDirectory()
        let failure = #expect(throws: TextRenderingError.self) { try FontLibrary(directories: [directory.path]) }
        #expect(failure?.code == .missingFontFiles && failure?.subject == directory.path)
        #expect(throws: TextRenderingError.self) { try FontLibrary(directories: [directory.file("nowhere")]) }

        guard RenamedFont.isPossible else { return }
        try RenamedFont.write(to: directory.file("own.ttf"))
        let library = try FontLibrary(directories: [directory.path])
        #expect(library.has(family: "QejaVu Sans"))
        #expect(try !FontLibrary().has(family: "QejaVu Sans"))
        let typesetter = try Typesetter(fonts: library)
        let own = try typesetter.draw(TextContent(text: "Own", font: "QejaVu Sans 40", color: .white))
        #expect(own == (try typesetter.draw(TextContent(text: "Own", font: "DejaVu Sans 40", color: .white))))
    }

    @Test("A font file with any name is drawn, and a file that is not a font is refused by name")
    func files() throws {
        let directory = try TemporaryDirectory()
        try Data("no font".utf8).write(to: URL(fileURLWithPath: directory.file("words")))
        let failure = #expect(throws: TextRenderingError.self) { try FontLibrary(files: [directory.file("words")]) }
        #expect(failure?.code == .malformedFont && failure?.subject == directory.file("words"))
        #expect(failure?.message == "is not a readable font file")
        guard RenamedFont.isPossible else { return }
        try RenamedFont.write(to: directory.file("0123abcd"))
        #expect(try FontLibrary(files: [directory.file("0123abcd")]).has(family: RenamedFont.family))
    }

    @Test("A text's font files are the hashes of its font and of the fallback fonts")
    func drawnWith() throws {
        guard RenamedFont.isPossible else { return }
        let directory = try TemporaryDirectory()
        let path = directory.file("own.ttf")
        try RenamedFont.write(to: path)
        let own = try ContentHash.ofFile(path).hash
        let typesetter = try Typesetter(fonts: try FontLibrary(files: [path]))
        func files(_ text: String) throws -> [FontFile] {
            try typesetter.fontFiles(of: TextContent(text: text, font: "\(RenamedFont.family) 20", color: .white))
        }
        #expect(try files("plain").map(\.contentHash) == [own])
        #expect(try files("plain").map(\.name) == ["QejaVuSans"])
        let mixed = try files("\u{6F22}a")
        #expect(mixed.count == 2 && mixed.contains { $0.contentHash == own })
    }

    @Test("Drawing a text with another version of its font is an environment error")
    func planned() throws {
        var text = TextContent(text: "a", font: Drawing.font, color: .white)
        let files = try Typesetter(fonts: FontLibrary()).fontFiles(of: text)
        text.fonts = files
        #expect(throws: Never.self) { try Drawing.text(text) }
        text.fonts = files.map { FontFile(contentHash: String($0.contentHash.reversed()), name: $0.name) }
        let failure = #expect(throws: TextRenderingError.self) { try Drawing.text(text) }
        #expect(failure?.code == .otherFont && failure?.failureClass == .environment)
        #expect(
            failure?.message.hasPrefix("would be used on this machine, in this version; the film was planned with '")
                == true)
    }
}
