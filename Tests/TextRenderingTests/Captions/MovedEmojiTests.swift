import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Tests emoji of events that rotate, stretch, tilt, animate, clip or scroll their text, or use karaoke. The reference
/// is libass itself: the emoji's outline is drawn row by row in the emoji's place, with the same tags. The coloured
/// emoji has to cover what libass covers.
@Suite struct MovedEmojiTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// The tags before the text; `before` has those immediately before the emoji.
        var tags: String
        var before = ""
        var effect = ""
        var style = Style()
        var time: Int64 = 500
        var count = 1
        var lead = "A"
        var testDescription: String { name }
    }

    struct Style: Sendable {
        var scaleX = 100
        var angle = 0
        var border = 1
    }

    static let cases = [
        Case(name: "rotated", tags: "\\an5\\pos(320,180)\\frz20"),
        Case(name: "upside down", tags: "\\an5\\pos(320,180)\\frz180"),
        Case(name: "rotated by its style", tags: "\\an5\\pos(320,180)", style: Style(angle: 35)),
        Case(name: "stretched by its style", tags: "\\an5\\pos(320,180)", style: Style(scaleX: 150)),
        Case(name: "stretched", tags: "\\an5\\pos(320,180)\\fscx250\\fscy140"),
        Case(name: "small", tags: "\\an5\\pos(320,180)\\fscx60\\fscy60"),
        Case(name: "mirrored", tags: "\\an5\\pos(320,180)\\fry180"),
        Case(name: "tilted in space", tags: "\\an5\\pos(320,180)\\frx50\\fry40\\frz10"),
        Case(name: "slanted", tags: "\\an5\\pos(320,180)\\fax0.5\\fay0.2"),
        Case(name: "rotated about another point", tags: "\\an5\\pos(320,180)\\org(300,100)\\frz40"),
        Case(name: "animated", tags: "\\an5\\pos(320,180)\\t(0,1000,\\frz90\\fscx200)"),
        Case(name: "rotated behind other tags", tags: "\\an5\\pos(320,180)", before: "\\fscx50\\r\\frz30\\t(0,2000,\\fscy180)"),
        Case(name: "moving and rotated", tags: "\\an5\\move(100,100,500,300)\\frz15"),
        Case(name: "sung already", tags: "\\an5\\pos(320,180)\\k10"),
        Case(name: "not yet sung", tags: "\\an5\\pos(320,180)\\k150", before: "\\k20"),
        Case(name: "half faded in", tags: "\\an5\\pos(320,180)\\frz20\\fad(1000,0)"),
        Case(name: "cut by a rectangle", tags: "\\an5\\pos(320,180)\\clip(0,0,330,190)"),
        Case(name: "cut out", tags: "\\an5\\pos(320,180)\\frz20\\iclip(320,0,335,360)"),
        Case(name: "cut by a shape", tags: "\\an5\\pos(320,180)\\clip(m 280 140 l 400 180 280 220)"),
        Case(name: "cut by an animation", tags: "\\an5\\pos(320,180)\\clip(0,0,200,360)\\t(0,1000,\\clip(0,0,460,360))"),
        Case(name: "cut away", tags: "\\an5\\pos(320,180)\\clip(0,0,10,10)"),
        Case(name: "a banner", tags: "", effect: "Banner;2"),
        Case(name: "a banner that comes in", tags: "", effect: "Banner;8;0;50", time: 640),
        Case(name: "scrolling up", tags: "", effect: "Scroll up;100;200;10", time: 700),
        Case(name: "scrolling out of its strip", tags: "", effect: "Scroll up;100;200;10", time: 1150),
        Case(name: "cut by the frame and rotated", tags: "\\an5\\pos(622,180)\\frz30"),
        Case(name: "cut by the frame's corner and rotated", tags: "\\an5\\pos(606,350)\\frz20"),
        Case(name: "two side by side", tags: "\\an5\\pos(320,180)\\frz25", count: 2),
        Case(name: "among letters that run to the left", tags: "\\an5\\pos(320,180)\\frz25", count: 2, lead: "שלום"),
    ]

    private static let size = 60.0

    private static func script(_ one: Case, _ content: String) -> String {
        let style = one.style
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: A,DejaVu Sans,\(Int(size)),&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,\(style.scaleX),100,0,\(style.angle),\(style.border),\(style.border == 3 ? 3 : 0),0,2,10,10,10,-1
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:00.00,0:00:02.00,A,,0,0,0,\(one.effect),\(content)
            """
    }

    /// Makes only the emoji visible; larger letters before and after it give the line its height.
    private static func text(_ one: Case, _ emoji: String) -> String {
        "{\(one.tags)\\fs90\\alpha&HFF&}\(one.lead){\\alpha&H00&\\fs60\(one.before)}\(emoji){\\alpha&HFF&\\fs90}A"
    }

    private static func alpha(_ text: String, at time: Int64) throws -> (alpha: [Double], picture: DrawnPicture?) {
        let picture = try Captioned.pictures(try Captioned.painter(text, .ass, nil), at: [time])[0]
        var alpha = [Double](repeating: 0, count: Captioned.size.width * Captioned.size.height)
        guard let picture else { return (alpha, nil) }
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                alpha[(y - picture.origin.y) * Captioned.size.width + x - picture.origin.x] =
                    Double(picture.pixels[(y * picture.width + x) * 4 + 3])
            }
        }
        return (alpha, picture)
    }

    /// The emoji's opaque pixels as a drawing of the same width and height.
    private static func drawing(_ cluster: String) throws -> String {
        let font = try ChosenFont("DejaVu Sans 100", in: FontLibrary())
        let em = (size / font.lineHeight * 4).rounded() / 4
        // The drawing is as high above the baseline as a letter, because libass slants from there.
        let ascent = (size * font.ascentShare * 64).rounded() / 64
        let text = try Typesetter(fonts: FontLibrary()).measure(
            TextContent(text: cluster, font: "Sans \(em)", color: RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)))
        let picture = text.picture
        var rows = ""
        for y in 0..<picture.height {
            var x = 0
            func isOpaque() -> Bool { x < picture.width && picture.pixels[(y * picture.width + x) * 4 + 3] > 127 }
            while x < picture.width {
                let start = x
                while isOpaque() { x += 1 }
                if x > start {
                    let (left, right) = (start - picture.origin.x, x - picture.origin.x)
                    let top = Double(y - picture.origin.y) - text.baseline + ascent
                    rows += " m \(left) \(top) l \(right) \(top) \(right) \(top + 1) \(left) \(top + 1)"
                } else {
                    x += 1
                }
            }
        }
        // Points without extent reserve the emoji's width, and the height down to 10 below the baseline.
        return "{\\pbo10\\p1}m 0 0 l 0 0 m \(text.width) \(ascent + 10) l \(text.width) \(ascent + 10)\(rows){\\p0}"
    }

    private static func difference(_ one: [Double], _ other: [Double], shiftedBy shift: Int = 0) -> Double {
        let sum = other.reduce(0, +)
        let unequal = one.indices.reduce(0.0) { total, index in
            total + abs(one[index] - (other.indices.contains(index - shift) ? other[index - shift] : 0))
        }
        return sum > 0 ? unequal / sum : (unequal > 0 ? .infinity : 0)
    }

    @Test("A transformed emoji has colours and covers what libass would cover", arguments: cases)
    func covers(_ one: Case) throws {
        let emoji = String(repeating: "😀", count: one.count)
        let drawn = try MovedEmojiTests.alpha(MovedEmojiTests.script(one, MovedEmojiTests.text(one, emoji)), at: one.time)
        let shapes = String(repeating: try MovedEmojiTests.drawing("😀"), count: one.count)
        let witness = try MovedEmojiTests.alpha(MovedEmojiTests.script(one, MovedEmojiTests.text(one, shapes)), at: one.time)
        let found = MovedEmojiTests.difference(drawn.alpha, witness.alpha)
        print("emoji beside libass: \(one.name): \(found)")
        #expect(found < 0.03)
        guard one.name != "cut away" else {
            #expect(witness.alpha.allSatisfy { $0 == 0 })
            return
        }
        // A shift of four pixels has to be noticed, which shows that the comparison is sensitive enough.
        #expect(MovedEmojiTests.difference(drawn.alpha, witness.alpha, shiftedBy: 4) > 0.06)
        let picture = try #require(drawn.picture)
        let seen = stride(from: 0, to: picture.pixels.count, by: 4).filter { picture.pixels[$0 + 3] > 100 }
        let colored = seen.filter { abs(Int(picture.pixels[$0]) - Int(picture.pixels[$0 + 2])) > 40 }
        #expect(seen.count > 100 && colored.count * 10 > seen.count * 7, "\(colored.count) of \(seen.count)")
    }

    @Test("A frame drawn alone is the same as in the whole film")
    func anyOrder() throws {
        let one = try #require(MovedEmojiTests.cases.first { $0.name == "cut by an animation" })
        let script = MovedEmojiTests.script(one, MovedEmojiTests.text(one, "😀"))
        let times: [Int64] = [0, 300, 600, 900, 1200]
        let all = try Captioned.pictures(try Captioned.painter(script, .ass, nil), at: times)
        for (index, time) in times.enumerated() {
            #expect(try Captioned.pictures(try Captioned.painter(script, .ass, nil), at: [time])[0] == all[index])
        }
    }

    @Test("In a style with boxes an emoji has a box as high as the letters' boxes")
    func boxes() throws {
        let one = Case(name: "boxes", tags: "", style: Style(border: 3))
        let picture = try #require(
            try Captioned.pictures(try Captioned.painter(MovedEmojiTests.script(one, "A😀A"), .ass, nil), at: [500])[0])
        let box = Captioned.ink(picture)
        func isBox(_ x: Int, _ y: Int) -> Bool {
            let place = ((y + picture.origin.y) * picture.width + x + picture.origin.x) * 4
            return picture.pixels[place + 3] == 255 && picture.pixels[place..<place + 3].allSatisfy { $0 < 8 }
        }
        let middle = (box.left + box.right) / 2
        #expect(isBox(middle, box.top + 2) && isBox(box.left + 2, box.top + 2))
        #expect(isBox(middle, box.bottom - 3) && isBox(box.left + 2, box.bottom - 3))
        let colored = stride(from: 0, to: picture.pixels.count, by: 4).count {
            abs(Int(picture.pixels[$0]) - Int(picture.pixels[$0 + 2])) > 60
        }
        #expect(colored > 500)
    }

    @Test("Letters in a colour that marks could have are still drawn as letters")
    func colors() throws {
        let one = Case(name: "colors", tags: "")
        // Marks have the colours 0x5B0000 to 0x800000 unless the script uses them.
        let reds = stride(from: 0x5B, through: 0x80, by: 1).map { "{\\1c&H0000\(String($0, radix: 16))&}l" }.joined()
        let script = MovedEmojiTests.script(one, "{\\frz5}😀\(reds)")
        let plain = MovedEmojiTests.script(one, "{\\frz5}😀" + reds.replacing("&H0000", with: "&H3300"))
        let (drawn, other) = (try MovedEmojiTests.alpha(script, at: 500), try MovedEmojiTests.alpha(plain, at: 500))
        #expect(drawn.alpha == other.alpha)
    }
}
