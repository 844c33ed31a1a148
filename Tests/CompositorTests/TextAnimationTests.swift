import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

/// Texts that animate in, unit by unit.
@Suite struct TextAnimationTests {
    private static let size = FrameSize(width: 240, height: 80)
    private static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)

    /// It starts at frame 5. A unit starts every five frames, and each takes ten.
    private func animation(
        _ unit: TextUnit, opacity: Double = 1, y: Double = 0, scale: Double = 1, rotation: Double = 0
    ) -> TextAnimation {
        TextAnimation(
            unit: unit, start: MediaTime(Rational(1, 5)), delay: MediaTime(Rational(1, 5)), duration: MediaTime(Rational(2, 5)),
            easing: .linear, from: .init(opacity: opacity, x: 0, y: y, scale: scale, rotation: rotation))
    }

    private func text(_ text: String, _ animation: TextAnimation?, movedBy y: Double = 0) -> Layer {
        let content = TextContent(text: text, font: "DejaVu Sans 32", color: TextAnimationTests.white, animation: animation)
        return Layer(content: .text(content), transform: .constant(x: 120, y: 40 + y))
    }

    private func frames(_ layer: Layer, _ numbers: [Int]) throws -> [PlanarPicture] {
        try composed([.solid(.black), layer], canvas: TextAnimationTests.size, [:], frames: numbers)
    }

    /// Brightness of a part of a picture.
    private func light(_ picture: PlanarPicture, columns: Range<Int>) -> Int {
        (0..<80).reduce(0) { sum, y in sum + columns.reduce(0) { $0 + Int(picture.planes[0][y * 240 + $1]) - 16 } }
    }

    @Test("When every unit has arrived, the text equals the text at rest, bit for bit", arguments: TextUnit.allCases)
    func over(_ unit: TextUnit) throws {
        let still = try frames(text("ab cd", nil), [0])[0]
        let moving = text("ab cd", animation(unit, opacity: 0, y: 20, scale: 0.3, rotation: 90))
        let end = 5 + 10 + 5 * (unit == .character ? 3 : unit == .word ? 1 : 0)
        let drawn = try frames(moving, [0, end - 1, end, end + 40])
        #expect(drawn[0] == flatPicture(.black, TextAnimationTests.size), "nothing is seen before it begins")
        #expect(drawn[1] != still)
        #expect(drawn[2] == still && drawn[3] == still)
    }

    @Test("A moving unit is where the curve says, within one code value of a text moved there")
    func offset() throws {
        let moving = text("word", animation(.word, y: 20))
        for (frame, y) in [(5, 20.0), (7, 16), (10, 10), (12, 6)] {
            let moved = try frames(text("word", nil, movedBy: y), [0])[0]
            #expect(try frames(moving, [frame])[0].largestDifference(from: moved) <= 1)
        }
    }

    @Test("Units arrive one after the other, in reading order")
    func order() throws {
        let drawn = try frames(text("HHHH HHHH", animation(.word, opacity: 0)), [0, 10, 14, 20, 25])
        let left = drawn.map { light($0, columns: 0..<120) }
        let right = drawn.map { light($0, columns: 120..<240) }
        #expect(left[0] == 0 && right[0] == 0)
        #expect(right[1] == 0, "the second begins when the first is half there")
        #expect(abs(Double(left[1]) / Double(left[4]) - 0.5) < 0.02)
        #expect(left[3] == left[4] && abs(Double(right[2]) / Double(right[4]) - 0.4) < 0.02)
    }

    @Test("A frame drawn alone equals the frame in a sequence, also when the layer is shifted in time")
    func anywhere() throws {
        let layer = text("ab cd", animation(.character, opacity: 0, y: 9, scale: 2, rotation: -30))
        let all = try frames(layer, Array(0..<32))
        #expect(try frames(layer, [13])[0] == all[13])
        let range = TimeRange(start: MediaTime(Rational(12, 25)), duration: MediaTime(seconds: 1))
        let later = try #require(layer.restricted(to: range)?.shifted(by: MediaTime(Rational(-12, 25))))
        #expect(try frames(later, [1])[0] == all[13])
        let over = try #require(layer.restricted(to: TimeRange(start: MediaTime(seconds: 2), duration: MediaTime(seconds: 1))))
        guard case .text(let text) = over.content else {
            Issue.record("it is a text no more")
            return
        }
        #expect(text.animation == nil, "nothing of it is left in the keys of later segments")
    }
}
