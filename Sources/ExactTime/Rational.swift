/// An exact fraction of two 64-bit integers, used for all times, speeds and rates.
///
/// It is always in lowest terms with a positive denominator, so equal values have equal bits. Arithmetic is done in 128
/// bits. If the reduced numerator or denominator of a result does not fit 64 bits, the result becomes a nearby fraction
/// that fits, or the largest value. Nothing traps or wraps. Values in drafts stay far below these limits.
package struct Rational: Hashable, Sendable {
    package let numerator: Int64
    package let denominator: Int64

    package static let zero = Rational(0)
    package static let one = Rational(1)

    package init(_ value: Int) {
        self.init(reducing: Int128(value), 1)
    }

    /// - Returns: nil when `denominator` is zero.
    package init?(_ numerator: Int64, over denominator: Int64) {
        guard denominator != 0 else { return nil }
        self.init(reducing: Int128(numerator), Int128(denominator))
    }

    /// For constants and checked values. A zero denominator is a programming error.
    package init(_ numerator: Int64, _ denominator: Int64) {
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

    /// The last convergent of the continued fraction that fits 64 bits, which is among the best approximations. A value
    /// that is too large for any fraction becomes the largest one.
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

    package var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The greatest integer less than or equal to the value.
    package var floor: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator < 0 ? quotient - 1 : quotient)
    }

    /// The least integer greater than or equal to the value.
    package var ceil: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator > 0 ? quotient + 1 : quotient)
    }

    /// The nearest integer; halves are rounded away from zero.
    package var rounded: Int {
        let quotient = numerator / denominator
        let rest = numerator % denominator
        guard rest.magnitude >= denominator.magnitude - rest.magnitude else { return Int(quotient) }
        return Int(quotient) + (numerator < 0 ? -1 : 1)
    }

    /// The reciprocal.
    /// - Returns: nil for zero.
    package var reciprocal: Rational? {
        numerator == 0 ? nil : Rational(denominator, numerator)
    }

    package var magnitude: Rational { numerator < 0 ? -self : self }

    package static func + (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator)
                + Int128(right.numerator) * Int128(left.denominator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    package static func - (left: Rational, right: Rational) -> Rational { left + (-right) }

    package static prefix func - (value: Rational) -> Rational {
        Rational(reducing: -Int128(value.numerator), Int128(value.denominator))
    }

    package static func * (left: Rational, right: Rational) -> Rational {
        Rational(
            reducing: Int128(left.numerator) * Int128(right.numerator),
            Int128(left.denominator) * Int128(right.denominator))
    }

    /// Division by zero is a programming error, because speeds and rates are checked when they are read.
    package static func / (left: Rational, right: Rational) -> Rational {
        precondition(right.numerator != 0, "division of a rational by zero")
        return Rational(
            reducing: Int128(left.numerator) * Int128(right.denominator),
            Int128(left.denominator) * Int128(right.numerator))
    }
}

extension Rational: Comparable {
    package static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator)
            < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational: CustomStringConvertible {
    package var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
