import ExactTime
import TestSupport
import Testing

@Suite("Rounding of rationals")
struct RationalRoundingTests {
    @Test(
        "Floor rounds down, ceil rounds up and halves go away from zero, on both sides of zero",
        arguments: [
            (Rational(7, 2), 3, 4, 4), (Rational(-7, 2), -4, -3, -4), (Rational(1, 3), 0, 1, 0), (Rational(-1, 3), -1, 0, 0),
            (Rational(2, 3), 0, 1, 1), (Rational(-2, 3), -1, 0, -1), (Rational(5), 5, 5, 5), (Rational(-5), -5, -5, -5),
            (Rational(1, 2), 0, 1, 1), (Rational(-1, 2), -1, 0, -1), (.zero, 0, 0, 0),
        ])
    func table(value: Rational, floor: Int, ceil: Int, rounded: Int) {
        #expect(value.floor == floor)
        #expect(value.ceil == ceil)
        #expect(value.rounded == rounded)
    }

    @Test("Floor, ceil and rounded agree with 128-bit division for values of any size")
    func againstWitness() {
        var numbers = RandomNumbers(seed: 6)
        var wrong: [String] = []
        for _ in 0..<10_000 {
            let value = numbers.extremeRational()
            let top = Int128(value.numerator)
            let bottom = Int128(value.denominator)
            let down = flooredQuotient(top, bottom)
            let up = -flooredQuotient(-top, bottom)
            // Half is added to the magnitude, so that halves are rounded away from zero.
            let nearest =
                top < 0 ? -flooredQuotient(-2 * top + bottom, 2 * bottom) : flooredQuotient(2 * top + bottom, 2 * bottom)
            if Int128(value.floor) != down { wrong.append("floor of \(value) is \(value.floor)") }
            if Int128(value.ceil) != up { wrong.append("ceil of \(value) is \(value.ceil)") }
            if Int128(value.rounded) != nearest { wrong.append("\(value) rounded is \(value.rounded), not \(nearest)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.prefix(3))")
    }

    private func flooredQuotient(_ top: Int128, _ bottom: Int128) -> Int128 {
        let (quotient, remainder) = top.quotientAndRemainder(dividingBy: bottom)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
