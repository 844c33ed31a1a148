/// What becomes of the times of a stretch of a timeline when it is moved, played at another speed, or held.
public enum Retiming: Hashable, Sendable {
    /// What stood at `from` stands at `to`, and what follows plays `speed` times as fast. A speed is above zero.
    case line(from: MediaTime, to: MediaTime, speed: Rational)
    /// Everything stays as it is at this instant.
    case held(at: MediaTime)

    /// Everything `offset` later.
    public static func shift(by offset: MediaTime) -> Retiming { .line(from: .zero, to: offset, speed: .one) }

    /// How much later everything is where it is only moved; nil where its speed changes.
    public var offset: MediaTime? {
        guard case .line(let from, let to, .one) = self else { return nil }
        return to - from
    }

    /// The time at which something is shown that was shown at `time`; nil where nothing moves on.
    public func newTime(of time: MediaTime) -> MediaTime? {
        switch self {
        case .line(let from, let to, let speed): to + (time - from) / speed
        case .held: nil
        }
    }

    /// The time at which was shown before what is shown at `time` now.
    public func oldTime(of time: MediaTime) -> MediaTime {
        switch self {
        case .line(let from, let to, let speed): from + (time - to) * speed
        case .held(let instant): instant
        }
    }

    /// How many times as fast everything plays; 0 where it is held.
    public var speed: Rational {
        switch self {
        case .line(_, _, let speed): speed
        case .held: .zero
        }
    }
}

extension TimeRange {
    /// When that is shown which was shown during this range; nil where nothing moves on.
    public func retimed(_ change: Retiming) -> TimeRange? {
        guard let start = change.newTime(of: start), let end = change.newTime(of: end) else { return nil }
        return TimeRange(from: start, to: end)
    }
}
