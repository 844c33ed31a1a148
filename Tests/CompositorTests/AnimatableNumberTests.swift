import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Texts and shapes with animated numbers, compared with still ones that have the current values.
@Suite struct AnimatableNumberTests {
    private static let size = FrameSize(width: 240, height: 120)
    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
    private static let red = RGBAColor(red: 255, green: 0, blue: 0, alpha: 128)

    /// A value that goes from one number to another within ten frames.
    private func moving(_ from: Double, _ to: Double, _ easing: TimingFunction = .linear) -> AnimatedValue {
        AnimatedValue(keys: [
            .init(time: .zero, value: from, easing: easing), .init(time: MediaTime(Rational(10, 25)), value: to),
        ])
    }

    /// A text with everything that a number can apply to. Its box has whole pixels.
    private var text: TextContent {
        TextContent(
            text: "ab cd", font: "DejaVu Sans 24", color: AnimatableNumberTests.white, alignment: .center,
            box: .init(width: 90, height: 80), stroke: Stroke(color: AnimatableNumberTests.red, width: 2),
            shadow: .init(color: AnimatableNumberTests.red, x: 3, y: 3, blur: 2),
            backgroundBox: .init(color: AnimatableNumberTests.red, padding: 4, cornerRadius: 2))
    }

    private var shape: ShapeContent {
        ShapeContent(
            outline: .rect(width: 60, height: 40, cornerRadius: 5), fill: AnimatableNumberTests.white,
            stroke: Stroke(color: AnimatableNumberTests.red, width: 3, trim: .init(start: 0.1, end: 0.8, offset: 0.3)))
    }

    private func layer(_ content: Layer.Content) -> Layer { Layer(content: content, transform: .constant(x: 120, y: 60)) }

    private func frames(_ content: Layer.Content, _ numbers: [Int]) throws -> [PlanarPicture] {
        try frames(layer(content), numbers)
    }

    private func frames(_ layer: Layer, _ numbers: [Int]) throws -> [PlanarPicture] {
        try composed([.solid(.black), layer], canvas: AnimatableNumberTests.size, [:], frames: numbers)
    }

    @Test("At every frame a text equals one with the current number, bit for bit", arguments: TextNumber.allCases)
    func texts(_ number: TextNumber) throws {
        var changing = text
        changing.set(number, to: moving(2, 12))
        for (frame, picture) in try frames(.text(changing), Array(0...11)).enumerated() {
            let moment = Double(min(12, 2 + frame))
            var still = text
            if number.changesSize {
                // Moving glyphs are placed at fractions of a pixel. The still text has to be placed in the same method.
                still.numbers = [number: AnimatedValue(keys: [.init(time: .zero, value: moment, easing: .linear)])]
            } else {
                still.set(number, to: moment)
            }
            #expect(try frames(.text(still), [0])[0] == picture, "frame \(frame)")
        }
    }

    @Test("Letters that drift apart slowly do not jump by whole pixels: each is at its computed place")
    func drift() throws {
        var changing = TextContent(text: "lllllllll", font: "DejaVu Sans 24", color: AnimatableNumberTests.white)
        changing.set(.letterSpacing, to: moving(4, 5))
        // The last of the nine letters is four spacings away from the middle one, which does not move.
        let places = try frames(.text(changing), Array(0...10)).map { picture in
            let row = picture.planes[0][(60 * 240)..<(61 * 240)].map { Double($0) - 16 }
            let last = try #require(row.lastIndex { $0 > 100 })
            let ink = row[(last - 2)...min(239, last + 3)].enumerated()
            return ink.reduce(0) { $0 + Double($1.offset + last - 2) * $1.element } / ink.reduce(0) { $0 + $1.element }
        }
        for (earlier, later) in zip(places, places.dropFirst()) { #expect(abs(later - earlier - 0.4) < 0.1) }
    }

    @Test("At every frame a shape equals one with the current number, bit for bit", arguments: ShapeNumber.allCases)
    func shapes(_ number: ShapeNumber) throws {
        let unit = number.range.upperBound < 100 ? number.range.upperBound / 64 : 1
        var changing = shape
        if number == .morph {
            changing.outline = .path(data: "M0 0H60V40Z", width: 60, height: 40)
            changing.morph = .init(Array(repeating: ["M60 0H10V40Z", "M9 9L40 0V40Z"], count: 8).flatMap(\.self), place: 0)
        }
        let before = changing
        changing.set(number, to: moving(10 * unit, 60 * unit))
        var seen: Set<[UInt8]> = []
        for (frame, picture) in try frames(.shape(changing), Array(0...11)).enumerated() {
            var still = before
            still.set(number, to: Double(min(60, 10 + 5 * frame)) * unit)
            #expect(try frames(.shape(still), [0])[0] == picture, "frame \(frame)")
            seen.insert(picture.planes[0])
        }
        // A radius of more than half of the height does not change the shape, nor an offset by whole lengths.
        #expect(seen.count >= (number == .trimOffset ? 1 : 2))
    }

    @Test("A slowly growing shape grows evenly on both sides, and its middle does not jump")
    func middle() throws {
        var changing = ShapeContent(outline: .ellipse(width: 50, height: 40), fill: AnimatableNumberTests.white)
        changing.set(.width, to: moving(50, 52.5))
        for picture in try frames(.shape(changing), Array(0...10)) {
            var (light, moment) = (0.0, 0.0)
            for (index, luma) in picture.planes[0].enumerated() {
                light += Double(luma) - 16
                moment += (Double(luma) - 16) * (Double(index % 240) + 0.5)
            }
            #expect(abs(moment / light - 120) < 0.02)
        }
    }

    @Test("Values that overshoot are limited to their permitted range")
    func overshooting() throws {
        var changing = shape
        changing.set(.strokeWidth, to: moving(0, 8, .penner(.back, .in)))
        var still = shape
        still.set(.strokeWidth, to: 0)
        let drawn = try frames(.shape(changing), [0, 2, 3])
        #expect(try drawn.allSatisfy { try $0 == frames(.shape(still), [0])[0] })
    }

    @Test("A frame drawn alone equals the frame in a sequence, across cuts, in groups and in masks")
    func anywhere() throws {
        var changing = text
        changing.set(.letterSpacing, to: moving(0, 9.5, .easeInOut))
        changing.set(.strokeWidth, to: moving(0, 5))
        var outline = shape
        outline.set(.width, to: moving(10, 200))
        var masked = Layer(
            content: .group(layers: [layer(.text(changing))], size: AnimatableNumberTests.size),
            transform: .constant(x: 120, y: 60))
        masked.mask = LayerMask(
            layers: [layer(.shape(outline))], size: AnimatableNumberTests.size, channel: .alpha, feather: .constant(0),
            isInverted: false)
        for layer in [layer(.text(changing)), layer(.shape(outline)), masked] {
            let all = try frames(layer, Array(0...12))
            #expect(all[3] != all[4])
            #expect(try frames(layer, [7])[0] == all[7])
            let range = TimeRange(start: MediaTime(Rational(5, 25)), duration: MediaTime(Rational(4, 25)))
            let cut = try #require(layer.restricted(to: range)?.shifted(by: MediaTime(Rational(-5, 25))))
            #expect(try frames(cut, [0, 1, 2, 3]) == Array(all[5..<9]))
        }
    }

    @Test("A text whose units animate in can have animated numbers at the same time")
    func unitsComingIn() throws {
        let animation = TextAnimation(
            unit: .character, start: .zero, delay: MediaTime(Rational(1, 25)), duration: MediaTime(Rational(5, 25)),
            easing: .linear, from: .init(opacity: 0, x: 0, y: 20, scale: 1, rotation: 0))
        var changing = text
        changing.animation = animation
        changing.set(.strokeWidth, to: moving(0, 10))
        for (frame, picture) in try frames(.text(changing), Array(0...10)).enumerated() {
            var still = text
            still.animation = animation
            still.set(.strokeWidth, to: Double(frame))
            #expect(try frames(.text(still), [frame])[0] == picture, "frame \(frame)")
        }
    }
}
