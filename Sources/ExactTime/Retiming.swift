/// A change of times on a timeline: a move, another speed, or a held instant.
package enum Retiming: Hashable, Sendable {
    /// The content at `from` moves to `to`, and what follows plays at `speed`, which is above zero.
    case line(from: MediaTime, to: MediaTime, speed: Rational)
    /// The content at this instant is shown at all times.
    case held(at: MediaTime)

    /// A move to `offset` later.
    package static func shift(by offset: MediaTime) -> Retiming { .line(from: .zero, to: offset, speed: .one) }

    /// The offset of a pure move; nil if the speed changes or the content is held.
    package var offset: MediaTime? {
        guard case .line(let from, let to, .one) = self else { return nil }
        return to - from
    }

    /// The new time of the content at `time`; nil if the content is held.
    package func newTime(of time: MediaTime) -> MediaTime? {
        switch self {
        case .line(let from, let to, let speed): to + (time - from) / speed
        case .held: nil
        }
    }

    /// The time before the change of the content that is now at `time`.
    package func oldTime(of time: MediaTime) -> MediaTime {
        switch self {
        case .line(let from, let to, let speed): from + (time - to) * speed
        case .held(let instant): instant
        }
    }

    /// The speed as a factor; 0 for held content.
    package var speed: Rational {
        switch self {
        case .line(_, _, let speed): speed
        case .held: .zero
        }
    }
}

extension TimeRange {
    /// The new range of the content in this range; nil if the content is held.
    package func retimed(_ change: Retiming) -> TimeRange? {
        guard let start = change.newTime(of: start), let end = change.newTime(of: end) else { return nil }
        return TimeRange(from: start, to: end)
    }
}
