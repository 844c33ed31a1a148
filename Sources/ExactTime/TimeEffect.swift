/// A change of a timeline: a stretch of it plays at another speed or again, or an instant of it is held.
public enum TimeEffect: Hashable, Sendable {
    /// A range plays `speed` times as fast, above zero.
    case speed(range: TimeRange, speed: Rational)
    /// A range plays `count` times in all, at least once.
    case repetition(range: TimeRange, count: Int)
    /// What is seen at an instant is held for a while, and then everything goes on from there.
    case freeze(at: MediaTime, duration: MediaTime)

    /// How much longer the timeline is with it.
    public var lengthening: MediaTime {
        switch self {
        case .speed(let range, let speed): range.duration / speed - range.duration
        case .repetition(let range, let count): range.duration * Rational(count - 1)
        case .freeze(_, let duration): duration
        }
    }

    /// The first place at which is shown, with the effect, what was shown at `time`.
    public func apply(to time: MediaTime) -> MediaTime {
        switch self {
        case .speed(let range, let speed):
            if time >= range.end { return time + lengthening }
            return time <= range.start ? time : range.start + (time - range.start) / speed
        case .repetition(let range, _): return time < range.end ? time : time + lengthening
        case .freeze(let instant, _): return time <= instant ? time : time + lengthening
        }
    }

    /// What was shown before at the place that `time` is with the effect.
    public func remove(from time: MediaTime) -> MediaTime {
        switch self {
        case .speed(let range, let speed):
            if time >= range.end + lengthening { return time - lengthening }
            return time <= range.start ? time : range.start + (time - range.start) * speed
        case .repetition(let range, _):
            if time >= range.end + lengthening { return time - lengthening }
            guard time >= range.end, range.duration > .zero else { return time }
            let passed = time - range.start
            return range.start + passed - range.duration * Rational((passed / range.duration).floor)
        case .freeze(let instant, let duration):
            return time <= instant ? time : max(instant, time - duration)
        }
    }

    /// The range that begins where the first, and ends where the last instant of `range` is shown first.
    public func apply(to range: TimeRange) -> TimeRange {
        guard !range.isEmpty else { return TimeRange(start: apply(to: range.start), duration: .zero) }
        let start = apply(to: range.start)
        // What ends where the repeated range does is there for the first time before it is repeated.
        if case .repetition(let repeated, _) = self, range.end == repeated.end { return TimeRange(from: start, to: range.end) }
        return TimeRange(from: start, to: apply(to: range.end))
    }

    /// The smallest range that holds everything that is shown, with the effect, during `range`.
    public func remove(from range: TimeRange) -> TimeRange {
        guard !range.isEmpty else { return TimeRange(start: remove(from: range.start), duration: .zero) }
        switch self {
        case .speed, .freeze: return TimeRange(from: remove(from: range.start), to: remove(from: range.end))
        case .repetition(let repeated, _):
            let rounds = TimeRange(start: repeated.start, duration: repeated.duration + lengthening)
            let inside = range.intersection(rounds)
            guard !inside.isEmpty else { return TimeRange(from: remove(from: range.start), to: remove(from: range.end)) }
            let first = ((inside.start - repeated.start) / repeated.duration).floor
            let last = ((inside.end - repeated.start) / repeated.duration).ceil - 1
            let (from, to): (MediaTime, MediaTime)
            if first == last {
                let offset = repeated.duration * Rational(first)
                (from, to) = (inside.start - offset, inside.end - offset)
            } else {
                (from, to) = (repeated.start, repeated.end)
            }
            return TimeRange(
                from: range.start < rounds.start ? range.start : from,
                to: range.end > rounds.end ? range.end - lengthening : to)
        }
    }
}

/// Effects one after the other, each on the timeline that those before it have made.
public struct TimeEffects: Hashable, Sendable {
    public let effects: [TimeEffect]
    /// Of the timeline before all of them.
    public let originalDuration: MediaTime

    public init(_ effects: [TimeEffect], originalDuration: MediaTime) {
        self.effects = effects
        self.originalDuration = originalDuration
    }

    /// Of the timeline after all of them.
    public var duration: MediaTime { effects.reduce(originalDuration) { $0 + $1.lengthening } }

    /// The first place after the effects of what is shown at `time` before them: Movieous's `applyEffectToTime`.
    public func apply(to time: MediaTime) -> MediaTime { effects.reduce(time) { $1.apply(to: $0) } }

    /// What is shown before the effects at the place that `time` is after them: `removeEffectFromTime`.
    public func remove(from time: MediaTime) -> MediaTime { effects.reversed().reduce(time) { $1.remove(from: $0) } }

    /// From the first place of a range's first instant to that of its last: `applyEffectToTimeRange`.
    public func apply(to range: TimeRange) -> TimeRange { effects.reduce(range) { $1.apply(to: $0) } }

    /// The smallest range that holds all that is shown during a range after the effects: `removeEffectFromTimeRange`.
    public func remove(from range: TimeRange) -> TimeRange { effects.reversed().reduce(range) { $1.remove(from: $0) } }
}
