import ExactTime
import TestSupport
import Testing

@Suite("Exact arithmetic")
struct RationalArithmeticTests {
    @Test("A rational is in lowest terms with a positive denominator")
    func reduction() {
        #expect(Rational(6, 4) == Rational(3, 2))
        #expect(Rational(6, -4).numerator == -3)
        #expect(Rational(6, -4).denominator == 2)
        #expect(Rational(-6, -4) == Rational(3, 2))
        #expect(Rational(0, -9).denominator == 1)
        #expect(Rational(Int64.max, Int64.max) == .one)
        #expect(Set([Rational(1, 2), Rational(2, 4), Rational(-3, -6)]).count == 1)
    }

    @Test("A zero denominator gives nil, and zero has no reciprocal")
    func zeroDenominator() {
        #expect(Rational(1, over: 0) == nil)
        #expect(Rational(3, over: -6) == Rational(-1, 2))
        #expect(Rational.zero.reciprocal == nil)
        #expect(Rational(-2, 3).reciprocal == Rational(-3, 2))
    }

    @Test("Sums, differences, products and quotients that fit 64 bits are exact", arguments: Operation.all.indices)
    func exact(operation: Int) {
        let operation = Operation.all[operation]
        var numbers = RandomNumbers(seed: 1)
        var wrong: [String] = []
        for _ in 0..<5000 {
            let left = numbers.rational(below: 1 << 31)
            let right = numbers.rational(below: 1 << 31)
            if operation.name == "/", right == .zero { continue }
            let result = operation.rational(left, right)
            let expected = operation.witness(Fraction128(left), Fraction128(right))
            // Compares by cross multiplication. Both sides stay below 2^126.
            let equal = Int128(result.numerator) * expected.denominator == expected.numerator * Int128(result.denominator)
            if !equal || result.denominator < 1 || !isReduced(result) {
                wrong.append("\(left) \(operation.name) \(right) = \(result)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.prefix(3))")
    }

    @Test("Comparison agrees with the difference of cross products for values of any size")
    func comparison() {
        var numbers = RandomNumbers(seed: 2)
        var wrong: [String] = []
        for _ in 0..<5000 {
            let left = numbers.extremeRational()
            let right = Bool.random(using: &numbers) ? numbers.extremeRational() : left
            let difference = (Fraction128(left) - Fraction128(right)).numerator
            if (left < right) != (difference < 0) || (left == right) != (difference == 0) || (left > right) != (difference > 0) {
                wrong.append("\(left) against \(right)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.prefix(3))")
    }

    @Test("Neighbouring values that are equal as doubles compare as different")
    func closeNeighbours() {
        let left = Rational(Int64.max - 1, Int64.max)
        let right = Rational(Int64.max - 2, Int64.max - 1)
        #expect(left.doubleValue == right.doubleValue)
        #expect(right < left)
    }

    @Test("The sum of a thousand NTSC frames is exactly a thousand times one frame")
    func accumulation() {
        let frame = Rational(1001, 30000)
        let sum = (0..<1000).reduce(Rational.zero) { sum, _ in sum + frame }
        #expect(sum == Rational(1001, 30))
    }

    @Test("Negation and magnitude change only the sign")
    func sign() {
        #expect(-Rational(3, 7) == Rational(-3, 7))
        #expect(Rational(-3, 7).magnitude == Rational(3, 7))
        #expect(Rational(3, 7).magnitude == Rational(3, 7))
        #expect(-Rational.zero == .zero)
    }

    private func isReduced(_ value: Rational) -> Bool {
        var (large, small) = (value.numerator.magnitude, value.denominator.magnitude)
        while small != 0 { (large, small) = (small, large % small) }
        return large == 1
    }
}

extension RandomNumbers {
    /// A rational of either sign whose numerator and denominator stay below `limit`.
    mutating func rational(below limit: Int64) -> Rational {
        Rational(Int64.random(in: -limit + 1..<limit, using: &self), Int64.random(in: 1..<limit, using: &self))
    }
}
