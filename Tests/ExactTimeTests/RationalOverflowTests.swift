import ExactTime
import TestSupport
import Testing

/// A result that no 64-bit fraction holds exactly is rounded to a nearby one. Nothing traps or wraps.
@Suite("Rationals that do not fit 64 bits")
struct RationalOverflowTests {
    /// Every value in this range has a 64-bit fraction within one part in 2^60.
    private static let representable = 0x1p-61...0x1p61

    @Test("A result in the range of 64-bit fractions is accurate to 1e-12", arguments: Operation.all.indices)
    func rounded(operation: Int) {
        let operation = Operation.all[operation]
        var wrong: [String] = []
        var tried = 0
        forExtremePairs(seed: 3) { left, right in
            let expected = operation.witness(Fraction128(left), Fraction128(right)).doubleValue
            guard Self.representable.contains(abs(expected)) else { return }
            tried += 1
            let result = operation.rational(left, right)
            if abs(result.doubleValue - expected) > 1e-12 * abs(expected) {
                wrong.append("\(left) \(operation.name) \(right) = \(result), not \(expected)")
            }
        }
        #expect(tried > 5000)
        #expect(wrong.isEmpty, "\(wrong.count) of \(tried) wrong, first \(wrong.prefix(3))")
    }

    @Test("A result too large for 64 bits becomes the largest value of its sign", arguments: Operation.all.indices)
    func saturates(operation: Int) {
        let operation = Operation.all[operation]
        var wrong: [String] = []
        forExtremePairs(seed: 4) { left, right in
            let expected = operation.witness(Fraction128(left), Fraction128(right)).doubleValue
            guard abs(expected) >= 0x1.001p63 else { return }
            let result = operation.rational(left, right)
            if result != Rational(expected > 0 ? Int64.max : -Int64.max, 1) {
                wrong.append("\(left) \(operation.name) \(right) = \(result), not \(expected)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.prefix(3))")
    }

    @Test("A result too small for 64 bits is close to zero and keeps its sign", arguments: Operation.all.indices)
    func vanishes(operation: Int) {
        let operation = Operation.all[operation]
        var wrong: [String] = []
        forExtremePairs(seed: 5) { left, right in
            let expected = operation.witness(Fraction128(left), Fraction128(right)).doubleValue
            guard abs(expected) < Self.representable.lowerBound else { return }
            let result = operation.rational(left, right)
            if abs(result.doubleValue - expected) > 0x1p-61 || result.doubleValue * expected < 0 {
                wrong.append("\(left) \(operation.name) \(right) = \(result), not \(expected)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong, first \(wrong.prefix(3))")
    }

    @Test("The largest integer plus one stays the largest, and the smallest keeps its magnitude")
    func edges() {
        let largest = Rational(Int.max)
        #expect(largest + .one == largest)
        #expect(-largest - .one == -largest)
        #expect((-Rational(Int.min)).doubleValue == 0x1p63)
        #expect(Rational(Int64.min, 1).doubleValue == -0x1p63)
        #expect(Rational(Int64.min, 3).doubleValue == -0x1p63 / 3)
    }

    private func forExtremePairs(seed: UInt64, _ body: (Rational, Rational) -> Void) {
        var numbers = RandomNumbers(seed: seed)
        for _ in 0..<20_000 { body(numbers.extremeRational(), numbers.extremeRational()) }
    }
}
