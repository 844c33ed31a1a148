import ExactTime
import TestSupport

/// The reference for the arithmetic tests: an unreduced fraction of two 128-bit integers. It holds the sum and the
/// product of any two rationals exactly.
struct Fraction128 {
    var numerator: Int128
    /// Above zero.
    var denominator: Int128

    init(_ numerator: Int128, _ denominator: Int128) {
        self.numerator = denominator < 0 ? -numerator : numerator
        self.denominator = denominator < 0 ? -denominator : denominator
    }

    init(_ value: Rational) {
        self.init(Int128(value.numerator), Int128(value.denominator))
    }

    static func + (left: Fraction128, right: Fraction128) -> Fraction128 {
        Fraction128(
            left.numerator * right.denominator + right.numerator * left.denominator, left.denominator * right.denominator)
    }

    static func - (left: Fraction128, right: Fraction128) -> Fraction128 {
        Fraction128(
            left.numerator * right.denominator - right.numerator * left.denominator, left.denominator * right.denominator)
    }

    static func * (left: Fraction128, right: Fraction128) -> Fraction128 {
        Fraction128(left.numerator * right.numerator, left.denominator * right.denominator)
    }

    static func / (left: Fraction128, right: Fraction128) -> Fraction128 {
        Fraction128(left.numerator * right.denominator, left.denominator * right.numerator)
    }

    /// Accurate to a few parts in 2^53, because neither conversion cancels digits.
    var doubleValue: Double { Double(numerator) / Double(denominator) }
}

/// The four operations, each as the library and as the reference computes it.
struct Operation: Sendable {
    let name: String
    let rational: @Sendable (Rational, Rational) -> Rational
    let witness: @Sendable (Fraction128, Fraction128) -> Fraction128

    static let all = [
        Operation(name: "+", rational: { $0 + $1 }, witness: { $0 + $1 }),
        Operation(name: "-", rational: { $0 - $1 }, witness: { $0 - $1 }),
        Operation(name: "*", rational: { $0 * $1 }, witness: { $0 * $1 }),
        Operation(name: "/", rational: { $0 / $1 }, witness: { $0 / $1 }),
    ]
}

extension RandomNumbers {
    /// An integer with a random number of bits, so that small, medium and extreme values are combined; never zero.
    mutating func integerOfAnySize() -> Int64 {
        let bits = Int.random(in: 1...63, using: &self)
        let limit = Int64.max >> (63 - bits)
        return Int64.random(in: max(1, limit >> 1)...limit, using: &self)
    }

    mutating func extremeRational() -> Rational {
        let edges: [Int64] = [1, 2, 3, 1001, 1 << 31, 1 << 32, 1 << 62, .max - 1, .max]
        func side(_ generator: inout RandomNumbers) -> Int64 {
            Bool.random(using: &generator)
                ? generator.integerOfAnySize() : edges[Int.random(in: 0..<edges.count, using: &generator)]
        }
        let numerator = side(&self)
        return Rational(Bool.random(using: &self) ? numerator : -numerator, side(&self))
    }
}
