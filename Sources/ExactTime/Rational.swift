/// An exact fraction of two 64-bit integers: the number beneath every time, speed and rate.
///
/// Always in lowest terms with a positive denominator, so equal values are equal bit for bit. Arithmetic is done in
/// 128 bits. A result whose reduced numerator or denominator does not fit 64 bits is replaced by a best approximation that
/// does, or the largest value; nothing traps and nothing wraps. Drafts stay far away from that.
public struct Rational: Hashable, Sendable {
    public let numerator: Int64
    public let denominator: Int64

    public static let zero = Rational(0)
    public static let one = Rational(1)

    public init(_ value: Int) {
        self.init(reducing: Int128(value), 1)
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
        let isNegative = (numerator < 0) != (denominator < 0)
        var top = numerator.magnitude
        var bottom = denominator.magnitude
        let divisor = Rational.greatestCommonDivisor(top, bottom)
        if divisor > 1 {
            top /= divisor
            bottom /= divisor
        }
        if top > Rational.limit || bottom > Rational.limit { (top, bottom) = Rational.nearest(top, bottom) }
        self.numerator = isNegative ? -Int64(top) : Int64(top)
        self.denominator = Int64(bottom)
    }

    /// - Returns: nil when the fraction cannot be held exactly.
    init?(exactly numerator: Int128, _ denominator: Int128) {
        let divisor = Rational.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        guard divisor > 0, numerator.magnitude / divisor <= Rational.limit, denominator.magnitude / divisor <= Rational.limit
        else { return nil }
        self.init(reducing: numerator, denominator)
    }

    private static let limit = UInt128(Int64.max)

    /// The last convergent of the continued fraction that fits: among the best approximations there are. What is too
    /// large for any fraction becomes the largest.
    private static func nearest(_ numerator: UInt128, _ denominator: UInt128) -> (UInt128, UInt128) {
        guard numerator / denominator <= limit else { return (limit, 1) }
        var (top, bottom) = (numerator, denominator)
        var last: (UInt128, UInt128) = (1, 0)
        var before: (UInt128, UInt128) = (0, 1)
        while bottom != 0 {
            let quotient = top / bottom
            let (scaledTop, overflowTop) = quotient.multipliedReportingOverflow(by: last.0)
            let (scaledBottom, overflowBottom) = quotient.multipliedReportingOverflow(by: last.1)
            guard !overflowTop, !overflowBottom, scaledTop <= limit, scaledBottom <= limit,
                scaledTop + before.0 <= limit, scaledBottom + before.1 <= limit
            else { break }
            (before, last) = (last, (scaledTop + before.0, scaledBottom + before.1))
            (top, bottom) = (bottom, top % bottom)
        }
        return last
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
        let quotient = numerator / denominator
        let rest = numerator % denominator
        guard rest.magnitude >= denominator.magnitude - rest.magnitude else { return Int(quotient) }
        return Int(quotient) + (numerator < 0 ? -1 : 1)
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
