import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Compares the emoji of captions with the same emoji in texts: the typesetter's picture has to occur in the caption,
/// pixel by pixel.
@Suite struct CaptionEmojiTests {
    private static func drawn(_ text: String, _ format: CaptionFormat = .srt, at time: Int64 = 500) throws -> DrawnPicture {
        let look = format == .ass ? nil : Captioned.look()
        return try #require(try Captioned.pictures(try Captioned.painter(text, format, look), at: [time])[0])
    }

    private static func cue(_ text: String) -> String { "1\n00:00:00,000 --> 00:00:02,000\n\(text)\n" }

    private static func emoji(_ cluster: String, em: Double) throws -> DrawnPicture {
        try Typesetter(fonts: FontLibrary()).draw(
            TextContent(text: cluster, font: "DejaVu Sans \(em)", color: RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)))
    }

    /// The positions at which the opaque pixels of a picture occur in another one, all with the same colours.
    private static func places(of small: DrawnPicture, in large: DrawnPicture) -> [(x: Int, y: Int)] {
        let opaque = (0..<(small.width * small.height)).filter { small.pixels[$0 * 4 + 3] == 255 }
        var found: [(Int, Int)] = []
        for y in -small.height...large.height {
            for x in -small.width...large.width {
                let isHere = opaque.allSatisfy { index in
                    let (column, row) = (x + index % small.width, y + index / small.width)
                    guard (0..<large.width).contains(column), (0..<large.height).contains(row) else { return false }
                    let place = (row * large.width + column) * 4
                    return (0..<4).allSatisfy { large.pixels[place + $0] == small.pixels[index * 4 + $0] }
                }
                if isHere { found.append((x, y)) }
            }
        }
        return found
    }

    @Test("A caption's emoji is the coloured one of a text of that size", arguments: ["😀", "❤️", "👩‍🚀", "🇯🇵", "☝🏽"])
    func oneLook(_ cluster: String) throws {
        let emoji = try CaptionEmojiTests.emoji(cluster, em: 28)
        let colors = Set(stride(from: 0, to: emoji.pixels.count, by: 4).map { Array(emoji.pixels[$0..<$0 + 3]) })
        try #require(colors.contains { Set($0).count > 1 }, "the text's emoji has no colours")
        let caption = try CaptionEmojiTests.drawn(CaptionEmojiTests.cue("Hello \(cluster) there"))
        #expect(CaptionEmojiTests.places(of: emoji, in: caption).count == 1)
    }

    @Test("Consecutive emoji stand side by side on one line, in the order of the text")
    func neighbours() throws {
        let pair = try CaptionEmojiTests.drawn(CaptionEmojiTests.cue("a 😀😀🍎 b"))
        let smiles = CaptionEmojiTests.places(of: try CaptionEmojiTests.emoji("😀", em: 28), in: pair).sorted { $0.x < $1.x }
        let apples = CaptionEmojiTests.places(of: try CaptionEmojiTests.emoji("🍎", em: 28), in: pair)
        try #require(smiles.count == 2 && apples.count == 1)
        let advance = try Typesetter(fonts: FontLibrary()).measure(
            TextContent(text: "😀", font: "DejaVu Sans 28", color: .black)
        ).width
        #expect(abs(Double(smiles[1].x - smiles[0].x) - advance) <= 1)
        #expect(apples[0].x > smiles[1].x && abs(apples[0].y - smiles[0].y) <= 2)
    }

    @Test("Text after an emoji keeps its colour and its outline")
    func restored() throws {
        let with = try CaptionEmojiTests.drawn(CaptionEmojiTests.cue("<font color=\"#00ff00\">l😀l</font>"))
        // Counts pixels of the fill's pure green and of the outline's black, to the left and right of the emoji.
        func count(_ color: [UInt8], _ columns: Range<Int>) -> Int {
            (0..<with.height).reduce(0) { sum, y in
                sum
                    + columns.count { x in
                        Array(with.pixels[((y * with.width + x) * 4)..<((y * with.width + x) * 4 + 4)]) == color
                    }
            }
        }
        let halves = [0..<8, (with.width * 2 / 3)..<with.width]
        for half in halves {
            #expect(count([0, 255, 0, 255], half) > 10)
            #expect(count([0, 0, 0, 255], half) > 10)
        }
    }

    @Test("A script's emoji have colours and the text's alpha, whatever its tags")
    func scripts() throws {
        func script(_ text: String) -> String {
            """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: A,DejaVu Sans,40,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,10,1
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,0:00:02.00,A,,0,0,0,,\(text)
            """
        }
        func isColored(_ picture: DrawnPicture) -> Bool {
            stride(from: 0, to: picture.pixels.count, by: 4).contains { place in
                let (red, blue) = (Int(picture.pixels[place]), Int(picture.pixels[place + 2]))
                return abs(red - blue) > 60
            }
        }
        let plain = try CaptionEmojiTests.drawn(script("{\\b1}Go 😀{\\b0} now"), .ass)
        #expect(isColored(plain))
        let faint = try CaptionEmojiTests.drawn(script("{\\1a&H80&\\bord0}😀"), .ass)
        let alphas = stride(from: 3, to: faint.pixels.count, by: 4).map { faint.pixels[$0] }
        #expect(isColored(faint) && alphas.max().map { (126...128).contains($0) } == true)
        // The sun exists in an outline font, so libass could draw it.
        #expect(isColored(try CaptionEmojiTests.drawn(script("{\\t(\\fs60)}☀️"), .ass)))
        #expect(isColored(try CaptionEmojiTests.drawn(script("{\\frz20}☀️"), .ass)))
        #expect(isColored(try CaptionEmojiTests.drawn(script("☀️"), .ass)))
    }

    @Test("The plan's font files include the emoji font, and no other emoji font is used")
    func planned() throws {
        let text = CaptionEmojiTests.cue("sun 😀")
        let file = try CaptionFile(text, .srt, subject: "words")
        let files = try CaptionFonts.files(of: file, font: "DejaVu Sans 28", in: FontLibrary(), subject: "words")
        let emoji = try Typesetter(fonts: FontLibrary()).fontFiles(
            of: TextContent(text: "😀", font: "DejaVu Sans 28", color: .black))
        #expect(emoji.count == 1 && files.contains(emoji[0]) && files.count == 2)
        _ = try Captioned.painter(text, .srt, planned: files)
        let others = files.filter { $0 != emoji[0] }
        #expect(throws: CaptionError.self) { try Captioned.painter(text, .srt, planned: others) }
    }

    @Test("Emoji in a film of half the size have half the size and the same position")
    func scaled() throws {
        let half = FrameSize(width: 320, height: 180)
        let painter = try Captioned.painter(CaptionEmojiTests.cue("Hi 😀"), .srt, size: half)
        let picture = try #require(try Captioned.pictures(painter, at: [100])[0])
        #expect(CaptionEmojiTests.places(of: try CaptionEmojiTests.emoji("😀", em: 14), in: picture).count == 1)
    }
}
