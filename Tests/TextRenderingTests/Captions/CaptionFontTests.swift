import TextRendering
import ContentHashing
import ExactTime
import ExportPlan
import TestSupport
import Testing

/// The font files that captions are drawn with, identified by their bytes.
@Suite struct CaptionFontTests {
    private static let subRip = "1\n00:00:00,000 --> 00:00:01,000\nplain\n\n2\n00:00:02,000 --> 00:00:03,000\n\u{6F22}\n"

    private func files(_ text: String, _ format: CaptionFormat, font: String, in fonts: FontLibrary) throws -> [FontFile] {
        try CaptionFonts.files(of: CaptionFile(text, format, subject: "words"), font: font, in: fonts, subject: "words")
    }

    @Test(
        "The draft's own font and the fallback fonts are found in every caption", arguments: [false, true])
    func found(inDirectory: Bool) throws {
        guard RenamedFont.isPossible else { return }
        let directory = try TemporaryDirectory()
        let path = directory.file("own.ttf")
        try RenamedFont.write(to: path)
        let own = try ContentHash.ofFile(path).hash
        let fonts =
            inDirectory ? try FontLibrary(directories: [directory.path]) : try FontLibrary(directories: [], files: [path])
        let font = "\(RenamedFont.family) 20"
        let found = try files(CaptionFontTests.subRip, .srt, font: font, in: fonts)
        #expect(found.count == 2 && found.contains { $0.contentHash == own && $0.name == "QejaVuSans" })
        let script = try files(Scripts.written(in: RenamedFont.family, "x"), .ass, font: "Sans 48", in: fonts)
        // libass also opens the style's own font.
        #expect(script.contains { $0.contentHash == own })
        let look = Captioned.look { $0.font = font }
        let painter = try Captioned.painter(CaptionFontTests.subRip, .srt, look, fonts: fonts, planned: found)
        #expect(try Captioned.pictures(painter, at: [0, 2500]).allSatisfy { $0 != nil })
    }

    @Test("A character that no font has is reported, also between braces", arguments: ["\u{378}", "{\u{378}}", "a {b\u{378}"])
    func missingCharacter(_ text: String) throws {
        let failure = #expect(throws: CaptionError.self) {
            let painter = try Captioned.painter("1\n00:00:00,000 --> 00:00:01,000\n\(text)\n", .srt)
            _ = try painter.draw(at: .zero)
        }
        #expect(failure?.message.contains("U+378") == true, "\(String(describing: failure))")
    }

    @Test("Drawing captions with fonts other than the planned ones is an environment error")
    func planned() throws {
        let other = FontFile(contentHash: String(repeating: "0", count: 64), name: "Other")
        let painter = try Captioned.painter(CaptionFontTests.subRip, .srt, planned: [other])
        let failure = #expect(throws: CaptionError.self) { _ = try painter.draw(at: .zero) }
        #expect(failure?.failureClass == .environment && failure?.message.contains("'Other'") == true)
    }
}
