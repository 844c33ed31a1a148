/// An exact fraction of two 64-bit integers: the number beneath every time, speed and rate.
///
/// Always in lowest terms with a positive denominator, so equal values are equal bit for bit. Arithmetic is done in
/// 128 bits. A result whose reduced numerator or denominator does not fit 64 bits is replaced by the nearest fraction
/// that does (relative error below 2^-60); nothing traps and nothing wraps. Drafts stay far away from that.
public struct Rational: Hashable, Sendable {
    public let numerator: Int64
    public let denominator: Int64

    public static let zero = Rational(0)
    public static let one = Rational(1)

    public init(_ value: Int) {
        numerator = Int64(value)
        denominator = 1
    }

    /// - Returns: nil when `denominator` is zero.
    public init?(_ numerator: Int64, over denominator: Int64) {
        guard denominator != 0 else { return nil }
        self.init(reducing: Int128(numerator), Int128(denominator))
    }

    /// For constants and values known to be sound; a zero denominator is a programming error.
    public init(_ numerator: Int64, _ denominator: Int64) {
        precondition(denominator != 0, "a rational needs a denominator")
        self.init(reducing: Int128(numerator), Int128(denominator))
    }

    /// Reduces a 128-bit fraction; rounds it only if it cannot be held exactly.
    init(reducing numerator: Int128, _ denominator: Int128) {
        var top = numerator
        var bottom = denominator
        if bottom < 0 {
            top = -top
            bottom = -bottom
        }
        let divisor = Rational.greatestCommonDivisor(top.magnitude, bottom.magnitude)
        if divisor > 1 {
            top /= Int128(divisor)
            bottom /= Int128(divisor)
        }
        let limit = Int128(Int64.max)
        while top > limit || top < -limit || bottom > limit {
            // Halving both keeps the ratio to one part in 2^62 and ends in at most 65 steps.
            top = Rational.halve(top)
            bottom = max(1, Rational.halve(bottom))
            if bottom == 1 { top = min(max(top, -limit), limit) }
        }
        let again = Rational.greatestCommonDivisor(top.magnitude, bottom.magnitude)
        self.numerator = Int64(top / Int128(max(1, again)))
        self.denominator = Int64(bottom / Int128(max(1, again)))
    }

    private static func halve(_ value: Int128) -> Int128 {
        value >= 0 ? (value + 1) / 2 : (value - 1) / 2
    }

    private static func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
        var (large, small) = (first, second)
        while small != 0 { (large, small) = (small, large % small) }
        return large
    }

    public var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The greatest integer that is not above the value.
    public var floor: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator < 0 ? quotient - 1 : quotient)
    }

    /// The least integer that is not below the value.
    public var ceil: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator > 0 ? quotient + 1 : quotient)
    }

    /// The nearest integer; halves go away from zero.
    public var rounded: Int {
        let half = Rational(1, 2)
        return numerator >= 0 ? (self + half).floor : (self - half).ceil
    }

    /// The reciprocal.
    /// - Returns: nil for zero.
    public var reciprocal: Rational? {
        numerator == 0 ? nil : Rational(denominator, numerator)
    }

    public var magnitude: Rational { numerator < 0 ? -self : self }

    public static func + (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator)
                + Int128(right.numerator) * Int128(left.denominator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    public static func - (left: Rational, right: Rational) -> Rational { left + (-right) }

    public static prefix func - (value: Rational) -> Rational {
        Rational(reducing: -Int128(value.numerator), Int128(value.denominator))
    }

    public static func * (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.numerator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    /// Division by zero is a programming error: speeds and rates are checked where they enter.
    public static func / (left: Rational, right: Rational) -> Rational {
        precondition(right.numerator != 0, "division of a rational by zero")
        return Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator),
            Int128(left.denominator) * Int128(right.numerator))
    }
}

extension Rational: Comparable {
    public static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator)
            < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational: CustomStringConvertible {
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
