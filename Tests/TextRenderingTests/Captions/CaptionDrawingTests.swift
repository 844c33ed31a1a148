import TextRendering
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Captions depend only on the file, the style and the time.
@Suite struct CaptionDrawingTests {
    private static let overlapping = (0..<6).map { index in
        "\(index + 1)\n00:00:0\(index),000 --> 00:00:0\(index + 1),600\ncaption \(index)\n\n"
    }.joined()

    @Test("A frame is the same drawn alone, in order, from the middle, backwards or after a jump")
    func anyOrder() throws {
        let grid = stride(from: Int64(0), to: 4200, by: 70).map { $0 }
        for (text, format) in [
            (CaptionDrawingTests.overlapping, CaptionFormat.srt), (Scripts.crowded, .ass), (Scripts.rich, .ass),
        ] {
            let look = format == .ass ? nil : Captioned.look()
            let inTurn = try Captioned.pictures(try Captioned.painter(text, format, look), at: grid)
            #expect(Set(inTurn.compactMap { $0 }).count > 3)
            let backwards = try Captioned.pictures(try Captioned.painter(text, format, look), at: grid.reversed())
            #expect(Array(backwards.reversed()) == inTurn)
            let fromTheMiddle = try Captioned.pictures(try Captioned.painter(text, format, look), at: Array(grid[25...]))
            #expect(fromTheMiddle == Array(inTurn[25...]))
            var random = RandomNumbers(seed: 7)
            let jumps = (0..<40).map { _ in Int.random(in: grid.indices, using: &random) }
            let jumped = try Captioned.pictures(try Captioned.painter(text, format, look), at: jumps.map { grid[$0] })
            #expect(jumped == jumps.map { inTurn[$0] })
            for index in stride(from: 0, to: grid.count, by: 9) {
                #expect(try Captioned.pictures(try Captioned.painter(text, format, look), at: [grid[index]])[0] == inTurn[index])
            }
        }
    }

    @Test("A caption keeps its position when the one below it disappears")
    func keepsItsPlace() throws {
        let text = "1\n00:00:00,000 --> 00:00:02,000\nbelow\n\n2\n00:00:01,000 --> 00:00:03,000\nabove\n"
        let alone = "1\n00:00:01,000 --> 00:00:03,000\nabove\n"
        let together = try Captioned.pictures(try Captioned.painter(text, .srt), at: [2500])[0]
        let single = try Captioned.pictures(try Captioned.painter(alone, .srt), at: [2500])[0]
        #expect(together?.pixels == single?.pixels)
        #expect((together?.origin.y ?? 0) > (single?.origin.y ?? 0), "an origin lies the further up the larger it is")
    }

    @Test("A caption is visible from its first millisecond up to but not including its end")
    func edges() throws {
        let painter = try Captioned.painter("1\n00:00:00,333 --> 00:00:00,667\nx\n", .srt)
        let seen = try [Rational(332_999, 1_000_000), Rational(333, 1000), Rational(666_999, 1_000_000), Rational(667, 1000)].map
        {
            time -> Bool? in
            switch try painter.draw(at: MediaTime(time)) {
            case .same: nil
            case .nothing: false
            case .picture: true
            }
        }
        #expect(seen == [nil, true, nil, false])
    }

    @Test("Captions stand at the style's side and height, within its margins")
    func places() throws {
        for (alignment, vertical) in [(TextAlignment.left, VerticalAlignment.top), (.right, .middle), (.center, .bottom)] {
            let look = Captioned.look { look in
                look.stroke = nil
                (look.alignment, look.verticalAlignment, look.marginX, look.marginY) = (alignment, vertical, 40, 30)
            }
            let painter = try Captioned.painter("1\n00:00:00,000 --> 00:00:01,000\nHgH\n", .srt, look)
            let picture = try #require(try Captioned.pictures(painter, at: [0])[0])
            let (left, top, right, bottom) = Captioned.ink(picture)
            switch alignment {
            case .left: #expect((40...46).contains(left))
            case .right: #expect((594...602).contains(right))
            default: #expect(abs((left + right) / 2 - 320) <= 2)
            }
            switch vertical {
            case .top: #expect((30...46).contains(top))
            case .middle: #expect(abs((top + bottom) / 2 - 180) <= 8)
            case .bottom: #expect((318...332).contains(bottom))
            }
        }
    }

    @Test("WebVTT settings position a cue")
    func settings() throws {
        func box(_ settings: String) throws -> (left: Int, top: Int, right: Int, bottom: Int) {
            let text = "WEBVTT\n\n00:00.000 --> 00:01.000 \(settings)\nHgH\n"
            let look = Captioned.look { $0.stroke = nil }
            let picture = try #require(try Captioned.pictures(try Captioned.painter(text, .webvtt, look), at: [0])[0])
            return Captioned.ink(picture)
        }
        let first = try box("line:10% position:25% align:start")
        #expect((160...166).contains(first.left) && (36...48).contains(first.top))
        let second = try box("line:90%,end position:75% align:end")
        #expect((472...482).contains(second.right) && (312...326).contains(second.bottom))
        let third = try box("line:50%,center position:30%,center align:center size:20%")
        #expect(abs((third.left + third.right) / 2 - 192) <= 2 && abs((third.top + third.bottom) / 2 - 180) <= 8)
        let fourth = try box("line:-1")
        #expect(fourth.bottom > 345 && abs((fourth.left + fourth.right) / 2 - 320) <= 2)
        #expect(try box("line:x size:200% region:r vertical:rl") == (try box("")))
    }

    @Test("A box extends around all lines by its padding, in its colour")
    func box() throws {
        let look = Captioned.look { look in
            look.stroke = nil
            look.backgroundBox = .init(color: RGBAColor(red: 200, green: 100, blue: 50, alpha: 128), padding: 12)
        }
        let text = "1\n00:00:00,000 --> 00:00:01,000\nHH\na longer line\n"
        let boxed = try #require(try Captioned.pictures(try Captioned.painter(text, .srt, look), at: [0])[0])
        let bare = try #require(
            try Captioned.pictures(try Captioned.painter(text, .srt, Captioned.look { $0.stroke = nil }), at: [0])[0])
        #expect((bare.width + 18...bare.width + 32).contains(boxed.width))
        // Only the box covers the corners: they are premultiplied and all the same.
        let corner = Array(boxed.pixels[((4 * boxed.width + 4) * 4)..<((4 * boxed.width + 4) * 4 + 4)])
        for (found, wanted) in zip(corner, [100, 50, 25, 128]) { #expect(abs(Int(found) - wanted) <= 1) }
        let far = ((boxed.height - 5) * boxed.width + boxed.width - 5) * 4
        #expect(Array(boxed.pixels[far..<(far + 4)]) == corner)
    }

    @Test("Everything is twice as large at twice the size")
    func scale() throws {
        let text = "1\n00:00:00,000 --> 00:00:01,000\nHgH\n"
        let small = try #require(try Captioned.pictures(try Captioned.painter(text, .srt), at: [0])[0])
        let double = FrameSize(width: 1280, height: 720)
        let large = try #require(try Captioned.pictures(try Captioned.painter(text, .srt, size: double), at: [0])[0])
        let (one, two) = (Captioned.ink(small), Captioned.ink(large))
        #expect(abs(two.left - 2 * one.left) <= 2 && abs(two.top - 2 * one.top) <= 2)
        #expect(abs(two.right - 2 * one.right) <= 2 && abs(two.bottom - 2 * one.bottom) <= 2)
    }

    @Test("An em is as high as in a text of the same font")
    func emHeight() throws {
        let look = Captioned.look { look in
            look.font = "DejaVu Sans 100"
            look.stroke = nil
        }
        let caption = try #require(
            try Captioned.pictures(try Captioned.painter("1\n00:00:00,000 --> 00:00:01,000\nH\n", .srt, look), at: [0])[0])
        let title = try Typesetter(fonts: FontLibrary()).draw(
            TextContent(text: "H", font: "DejaVu Sans 100", color: RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)))
        func rows(_ picture: DrawnPicture) -> Int {
            (0..<picture.height).filter { y in
                (0..<picture.width).contains { picture.pixels[(y * picture.width + $0) * 4 + 3] > 128 }
            }.count
        }
        #expect(abs(rows(caption) - rows(title)) <= 1)
    }

    @Test("Errors name a missing font of the style or the file, and a missing character")
    func missing() throws {
        func failure(_ body: () throws -> CaptionPainter) -> CaptionError? {
            #expect(throws: CaptionError.self) { _ = try body() }
        }
        let subRip = "1\n00:00:00,000 --> 00:00:01,000\n"
        let style = failure { try Captioned.painter(subRip + "x", .srt, Captioned.look { $0.font = "No Such Font 20" }) }
        #expect(style?.code == .missingFont && style?.description.contains("No Such Font") == true)
        let file = failure { try Captioned.painter(Scripts.written(in: "Nor This One", "x"), .ass, nil) }
        #expect(
            file?.code == .missingFont
                && file?.message == "is written in the font 'Nor This One', which is not installed on this machine")
        let character = failure { try Captioned.painter(subRip + "a\u{10FFFD}", .srt) }
        #expect(character?.code == .missingFont && character?.description.contains("U+10FFFD") == true)
        #expect(
            character?.message.hasPrefix("has characters that no font on this machine can draw: ") == true)
        let bare = failure { try Captioned.painter(subRip + "x", .srt, nil) }
        #expect(bare?.description.contains("have no style, and their file has none") == true)
        #expect(style?.failureClass == .environment && file?.failureClass == .environment)
        // No text uses the style's font.
        _ = try Captioned.painter(Scripts.written(in: "Nor This One", "{\\r}x"), .ass, nil)
    }

    @Test("A picture that covers the frame is the small picture on a transparent background")
    func covering() throws {
        let text = "1\n00:00:00,000 --> 00:00:01,000\nx\n"
        let small = try Captioned.pictures(try Captioned.painter(text, .srt), at: [0])[0]
        let large = try #require(try Captioned.pictures(try Captioned.painter(text, .srt, coversFrame: true), at: [0])[0])
        #expect(large.width == 640 && large.height == 360 && large.origin == .init(x: 0, y: 0))
        #expect(Captioned.onGray(small) == Captioned.onGray(large))
    }
}
