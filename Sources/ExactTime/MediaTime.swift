/// A time or a duration in exact seconds, like AVFoundation's `CMTime`.
///
/// Times can be added and subtracted. A time multiplied by a rational, such as a speed, is a time; a time divided by a
/// time is a rational. There is no conversion from `Double`: times are made from exact text or from ticks of a time
/// base.
package struct MediaTime: Hashable, Sendable {
    /// Seconds, exact.
    package let seconds: Rational

    package static let zero = MediaTime(.zero)

    package init(_ seconds: Rational) {
        self.seconds = seconds
    }

    /// Whole seconds.
    package init(seconds: Int) {
        self.seconds = Rational(seconds)
    }

    /// `ticks` of a time base.
    /// - Parameters:
    ///   - ticks: a count, as containers store it.
    ///   - timeBase: seconds per tick.
    package init(ticks: Int64, timeBase: Rational) {
        seconds = Rational(ticks, 1) * timeBase
    }

    /// The time of sample (or frame) `index` at `rate` per second.
    package init(index: Int, rate: Int) {
        seconds = Rational(Int64(index), Int64(rate))
    }

    /// For printing and for drawing only.
    package var doubleValue: Double { seconds.doubleValue }

    /// The nearest count of `rate` per second: a sample number for a sample rate.
    package func rounded(toRate rate: Int) -> Int { (seconds * Rational(rate)).rounded }

    package static func + (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.seconds + right.seconds) }
    package static func - (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.seconds - right.seconds) }
    package static func += (left: inout MediaTime, right: MediaTime) { left = left + right }
    package static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }
    package static func * (time: MediaTime, factor: Rational) -> MediaTime { MediaTime(time.seconds * factor) }
    package static func / (time: MediaTime, divisor: Rational) -> MediaTime { MediaTime(time.seconds / divisor) }
    package static func / (left: MediaTime, right: MediaTime) -> Rational { left.seconds / right.seconds }
    package static prefix func - (time: MediaTime) -> MediaTime { MediaTime(-time.seconds) }
}

extension MediaTime: Comparable {
    package static func < (left: MediaTime, right: MediaTime) -> Bool { left.seconds < right.seconds }
}

extension MediaTime: CustomStringConvertible {
    /// Seconds as text that reads back as exactly this time: decimal, as in `2.52`, or a fraction, as in `10/3`, if six
    /// decimals cannot express it.
    package var description: String { seconds.shortDecimal ?? seconds.description }
}

extension MediaTime: Codable {
    package func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
    package init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
}
