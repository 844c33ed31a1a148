import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Tests emoji of events that animate the size of letters. Each case names a size that letters have at one instant.
/// libass itself confirms that size, with letters only; the emoji has to be as large, and stand in the same place, as in
/// a caption that always has that size.
@Suite struct AnimatedSizeEmojiTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The tags that animate the size, which is 40 before them.
        var tags: String
        /// Milliseconds after the event's start.
        var time: Int64
        /// Tags that give letters the same look at all times.
        var constant: String
        var style = Style()
        var testDescription: String { "\(tags) after \(time) ms" }
    }

    struct Style: Sendable {
        var font = "DejaVu Sans"
        var border = 1
    }

    static let cases = [
        Case(tags: "\\t(\\fs80)", time: 0, constant: "\\fs40"),
        Case(tags: "\\t(\\fs80)", time: 500, constant: "\\fs50"),
        Case(tags: "\\t(\\fs80)", time: 1500, constant: "\\fs70"),
        Case(tags: "\\t(500,1500,\\fs80)", time: 250, constant: "\\fs40"),
        Case(tags: "\\t(500,1500,\\fs80)", time: 1000, constant: "\\fs60"),
        Case(tags: "\\t(500,1500,\\fs80)", time: 1750, constant: "\\fs80"),
        Case(tags: "\\t(0,1000,2,\\fs80)", time: 500, constant: "\\fs50"),
        Case(tags: "\\t(2,\\fs80)", time: 1000, constant: "\\fs50"),
        Case(tags: "\\fs80\\t(0,1000,\\fs20)", time: 500, constant: "\\fs50"),
        Case(tags: "\\t(0,400,\\fs80)\\t(400,800,\\fs40)", time: 600, constant: "\\fs60"),
        Case(tags: "\\t(0,1000,\\frz30)\\t(0,1000,\\fs(80))", time: 500, constant: "\\frz15\\fs60"),
        // Sizes relative to the one before.
        Case(tags: "\\fs+5", time: 500, constant: "\\fs60"),
        Case(tags: "\\t(0,1000,\\fs+5)", time: 500, constant: "\\fs50"),
        Case(tags: "\\fs80\\t(0,1000,\\fs-5)", time: 500, constant: "\\fs60"),
        // A tag without a value sets the style's size at once.
        Case(tags: "\\fs80\\t(0,1000,\\fs)", time: 10, constant: "\\fs40"),
        Case(tags: "\\fs80\\t(0,1000,\\r\\fs60)", time: 500, constant: "\\fs50"),
        // An animation inside of another one has times of its own.
        Case(tags: "\\t(0,1000,\\fs80\\t(0,2000,\\fs20))", time: 500, constant: "\\fs50"),
        // The first closing parenthesis ends the animation.
        Case(tags: "\\t(0,1000,\\clip(0,0,640,360)\\fs60)", time: 100, constant: "\\fs60"),
        // libass ignores an animation with too many numbers.
        Case(tags: "\\t(0,1000,1,1,\\fs80)", time: 500, constant: "\\fs40"),
        // Other animations at the same time.
        Case(tags: "\\t(0,1000,\\fs80\\fscx150)", time: 500, constant: "\\fs60\\fscx125"),
        Case(tags: "\\frz20\\t(0,1000,\\fs80)", time: 500, constant: "\\frz20\\fs60"),
        Case(tags: "\\clip(0,0,330,360)\\t(0,1000,\\fs80)", time: 500, constant: "\\clip(0,0,330,360)\\fs60"),
        Case(tags: "\\t(0,1000,\\fs80)", time: 500, constant: "\\fs60", style: Style(font: "DejaVu Serif")),
        Case(tags: "\\t(0,1000,\\fs80)", time: 500, constant: "\\fs60", style: Style(border: 3)),
    ]

    private static func script(_ texts: [String], _ style: Style = Style()) -> String {
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: A,\(style.font),40,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,\(style.border),\(style.border == 3 ? 3 : 0),0,2,10,10,10,-1
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """ + texts.map { "Dialogue: 0,0:00:00.00,0:00:02.00,A,,0,0,0,,\($0)\n" }.joined()
    }

    private static func text(_ tags: String, _ content: String) -> String { "{\\an5\\pos(320,180)\(tags)}\(content)" }

    /// Makes only the emoji visible among letters.
    private static func hidingLetters(_ emoji: String) -> String { "{\\alpha&HFF&}A{\\alpha&H00&}\(emoji){\\alpha&HFF&}g" }

    private static func drawn(_ text: String, _ style: Style = Style(), at time: Int64) throws -> DrawnPicture? {
        try Captioned.pictures(try Captioned.painter(script([text], style), .ass, nil), at: [time])[0]
    }

    /// The share of the visible pixels that have colours.
    private static func coloredShare(_ picture: DrawnPicture) -> Double {
        let seen = stride(from: 0, to: picture.pixels.count, by: 4).filter { picture.pixels[$0 + 3] > 100 }
        let colored = seen.filter { abs(Int(picture.pixels[$0]) - Int(picture.pixels[$0 + 2])) > 40 }
        return seen.isEmpty ? 0 : Double(colored.count) / Double(seen.count)
    }

    /// The greatest distance between corresponding edges of what is seen in two pictures.
    private static func distance(_ one: DrawnPicture, _ other: DrawnPicture) -> Int {
        let (a, b) = (Captioned.ink(one), Captioned.ink(other))
        return [a.left - b.left, a.top - b.top, a.right - b.right, a.bottom - b.bottom].map(abs).max() ?? 0
    }

    @Test("An emoji has colours, and the size that letters have at that instant", arguments: cases)
    func sizes(_ one: Case) throws {
        func picture(_ tags: String, _ content: String) throws -> DrawnPicture {
            try #require(try AnimatedSizeEmojiTests.drawn(AnimatedSizeEmojiTests.text(tags, content), one.style, at: one.time))
        }
        let letters = try picture(one.tags, "Ag")
        #expect(letters == (try picture(one.constant, "Ag")), "libass draws letters in another size than the case expects")

        let content = one.style.border == 3 ? "A😀g" : AnimatedSizeEmojiTests.hidingLetters("😀")
        let emoji = try picture(one.tags, content)
        let constant = try picture(one.constant, content)
        #expect(AnimatedSizeEmojiTests.distance(emoji, constant) <= 1)
        // Boxes and letters are black and white.
        #expect(AnimatedSizeEmojiTests.coloredShare(emoji) > (one.style.border == 3 ? 0.1 : 0.7))
        // A tenth more has to be noticed, which shows that the comparison is sensitive enough.
        let larger = try picture(one.constant + "\\fs+1", content)
        #expect(AnimatedSizeEmojiTests.distance(emoji, larger) > 1)
    }

    @Test("Letters beside an emoji stand where they stand in a caption of the same constant size")
    func neighbours() throws {
        let one = "A{\\alpha&HFF&}😀😀{\\alpha&H00&}g"
        let animated = try #require(
            try AnimatedSizeEmojiTests.drawn(AnimatedSizeEmojiTests.text("\\t(0,1000,\\fs80)", one), at: 500))
        let constant = try #require(try AnimatedSizeEmojiTests.drawn(AnimatedSizeEmojiTests.text("\\fs60", one), at: 500))
        let smaller = try #require(try AnimatedSizeEmojiTests.drawn(AnimatedSizeEmojiTests.text("\\fs50", one), at: 500))
        #expect(AnimatedSizeEmojiTests.distance(animated, constant) <= 1)
        #expect(AnimatedSizeEmojiTests.distance(constant, smaller) > 4)
    }

    @Test("A frame drawn alone is the same as in the whole film, forwards and backwards")
    func anyOrder() throws {
        let script = AnimatedSizeEmojiTests.script([
            "{\\t(0,1600,\\fs90)}a 😀😀🍎", "{\\an8\\fs20\\t(400,1200,\\fs+10)\\t(400,1200,\\frz10)}b 😀", "c 😀",
        ])
        let times: [Int64] = [0, 250, 251, 800, 1300, 1999, 2500]
        let painter = try Captioned.painter(script, .ass, nil)
        let forwards = try Captioned.pictures(painter, at: times)
        let backwards = Array(try Captioned.pictures(painter, at: times.reversed()).reversed())
        for (index, time) in times.enumerated() {
            let alone = try Captioned.pictures(try Captioned.painter(script, .ass, nil), at: [time])[0]
            #expect(alone == forwards[index] && alone == backwards[index], "after \(time) ms")
        }
        #expect(forwards[1] != forwards[3] && forwards.last == .some(nil))
    }

    @Test("Emoji that begin almost invisible or grow beyond the frame need no other font than the planned ones")
    func extremes() throws {
        for size in ["0.01", "60"] {
            for end in ["0.01", "60", "1e30"] {
                for border in [1, 3] {
                    let text = AnimatedSizeEmojiTests.text("\\fs\(size)\\t(0,1000,\\fs\(end))", "😀")
                    let script = AnimatedSizeEmojiTests.script([text], Style(border: border))
                    let file = try CaptionFile(script, .ass, subject: "words")
                    let files = try CaptionFonts.files(of: file, font: "DejaVu Sans 28", in: FontLibrary(), subject: "words")
                    let emoji = try Typesetter(fonts: FontLibrary()).fontFiles(
                        of: TextContent(text: "😀", font: "Sans 28", color: .black))
                    #expect(Set(files).isSuperset(of: emoji))
                    let painter = try Captioned.painter(script, .ass, nil, planned: files)
                    let pictures = try Captioned.pictures(painter, at: [0, 10, 500, 1000, 1500])
                    if end == "60", border == 1 {
                        let last = try #require(pictures[3])
                        #expect(AnimatedSizeEmojiTests.coloredShare(last) > 0.7, "from \(size)")
                    }
                }
            }
        }
    }
}
