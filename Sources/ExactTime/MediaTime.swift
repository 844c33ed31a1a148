/// A point on, or a stretch of, a timeline in exact seconds: the role CMTime plays in AVFoundation.
///
/// Times add and subtract among themselves; a time times a rational (a speed) is a time, a time over a time is a
/// rational. There is no conversion from `Double`: times enter as exact text or as counts of a time base.
public struct MediaTime: Hashable, Sendable {
    /// Seconds, exact.
    public let seconds: Rational

    public static let zero = MediaTime(.zero)

    public init(_ seconds: Rational) {
        self.seconds = seconds
    }

    /// Whole seconds.
    public init(seconds: Int) {
        self.seconds = Rational(seconds)
    }

    /// `ticks` of a time base.
    /// - Parameters:
    ///   - ticks: a count, as containers store it.
    ///   - timeBase: seconds per tick.
    public init(ticks: Int64, timeBase: Rational) {
        seconds = Rational(ticks, 1) * timeBase
    }

    /// Where sample (or frame) `index` stands at `rate` per second.
    public init(index: Int, rate: Int) {
        seconds = Rational(Int64(index), Int64(rate))
    }

    /// For printing and for drawing only.
    public var doubleValue: Double { seconds.doubleValue }

    /// The nearest count of `rate` per second: a sample number for a sample rate.
    public func rounded(toRate rate: Int) -> Int { (seconds * Rational(rate)).rounded }

    public static func + (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.seconds + right.seconds) }
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.seconds - right.seconds) }
    public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }
    public static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }
    public static func * (time: MediaTime, factor: Rational) -> MediaTime { MediaTime(time.seconds * factor) }
    public static func / (time: MediaTime, divisor: Rational) -> MediaTime { MediaTime(time.seconds / divisor) }
    public static func / (left: MediaTime, right: MediaTime) -> Rational { left.seconds / right.seconds }
    public static prefix func - (time: MediaTime) -> MediaTime { MediaTime(-time.seconds) }
}

extension MediaTime: Comparable {
    public static func < (left: MediaTime, right: MediaTime) -> Bool { left.seconds < right.seconds }
}

extension MediaTime: CustomStringConvertible {
    /// Seconds, in text that reads back as the very time: `2.52`, and `10/3` where six decimals do not say it.
    public var description: String { seconds.shortDecimal ?? seconds.description }
}

extension MediaTime: Codable {
    public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
    public init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
}
