/// A change of a timeline: a range plays at another speed or repeatedly, or is cut out, or an instant is held.
package enum TimeEffect: Hashable, Sendable {
    /// A range plays at `speed`, a factor above zero.
    case speed(range: TimeRange, speed: Rational)
    /// A range plays `count` times in all, at least once.
    case repetition(range: TimeRange, count: Int)
    /// The content at an instant is held for a duration; then the timeline continues from there.
    case freeze(at: MediaTime, duration: MediaTime)
    /// A range is removed, and what follows it begins where it began.
    case cut(range: TimeRange)

    /// The duration that the effect adds to the timeline; negative if it shortens it.
    package var addedDuration: MediaTime {
        switch self {
        case .speed(let range, let speed): range.duration / speed - range.duration
        case .repetition(let range, let count): range.duration * Rational(count - 1)
        case .freeze(_, let duration): duration
        case .cut(let range): -range.duration
        }
    }

    /// The first time, with the effect, at which the content at `time` is shown; for content that is cut out, the time of
    /// the cut.
    package func apply(to time: MediaTime) -> MediaTime {
        switch self {
        case .speed(let range, let speed):
            if time >= range.end { return time + addedDuration }
            return time <= range.start ? time : range.start + (time - range.start) / speed
        case .repetition(let range, _): return time < range.end ? time : time + addedDuration
        case .freeze(let instant, _): return time <= instant ? time : time + addedDuration
        case .cut(let range): return time < range.end ? min(time, range.start) : time + addedDuration
        }
    }

    /// The time, before the effect, of the content that is shown at `time` with the effect.
    package func remove(from time: MediaTime) -> MediaTime {
        switch self {
        case .speed(let range, let speed):
            if time >= range.end + addedDuration { return time - addedDuration }
            return time <= range.start ? time : range.start + (time - range.start) * speed
        case .repetition(let range, _):
            if time >= range.end + addedDuration { return time - addedDuration }
            guard time >= range.end, range.duration > .zero else { return time }
            let passed = time - range.start
            return range.start + passed - range.duration * Rational((passed / range.duration).floor)
        case .freeze(let instant, let duration):
            return time <= instant ? time : max(instant, time - duration)
        case .cut(let range): return time < range.start ? time : time + range.duration
        }
    }

    /// The range from the first time at which the start of `range` is shown to the first time at which its end is
    /// shown.
    package func apply(to range: TimeRange) -> TimeRange {
        guard !range.isEmpty else { return TimeRange(start: apply(to: range.start), duration: .zero) }
        let start = apply(to: range.start)
        // A range that ends with the repeated range is first shown before the repetitions.
        if case .repetition(let repeated, _) = self, range.end == repeated.end { return TimeRange(from: start, to: range.end) }
        return TimeRange(from: start, to: apply(to: range.end))
    }

    /// The smallest range, before the effect, that contains all content shown during `range` with the effect.
    package func remove(from range: TimeRange) -> TimeRange {
        guard !range.isEmpty else { return TimeRange(start: remove(from: range.start), duration: .zero) }
        switch self {
        case .speed, .freeze: return TimeRange(from: remove(from: range.start), to: remove(from: range.end))
        case .cut(let removed):
            // A range that ends at the cut shows nothing of what follows it.
            return TimeRange(
                from: remove(from: range.start), to: range.end <= removed.start ? range.end : range.end + removed.duration)
        case .repetition(let repeated, _):
            let repeatedRange = TimeRange(start: repeated.start, duration: repeated.duration + addedDuration)
            let inside = range.intersection(repeatedRange)
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
                from: range.start < repeatedRange.start ? range.start : from,
                to: range.end > repeatedRange.end ? range.end - addedDuration : to)
        }
    }
}

/// Effects in sequence. Each applies to the timeline that results from those before it.
package struct TimeEffects: Hashable, Sendable {
    package let effects: [TimeEffect]
    /// The duration of the timeline before all effects.
    package let originalDuration: MediaTime

    package init(_ effects: [TimeEffect], originalDuration: MediaTime) {
        self.effects = effects
        self.originalDuration = originalDuration
    }

    /// The duration of the timeline after all effects.
    package var duration: MediaTime { effects.reduce(originalDuration) { $0 + $1.addedDuration } }

    /// The first time, after the effects, at which the content at `time` is shown. It corresponds to Movieous's
    /// `applyEffectToTime`.
    package func apply(to time: MediaTime) -> MediaTime { effects.reduce(time) { $1.apply(to: $0) } }

    /// The time, before the effects, of the content shown at `time` after them. It corresponds to
    /// `removeEffectFromTime`.
    package func remove(from time: MediaTime) -> MediaTime { effects.reversed().reduce(time) { $1.remove(from: $0) } }

    /// The range from the first time of a range's start to that of its end, after the effects. It corresponds to
    /// `applyEffectToTimeRange`.
    package func apply(to range: TimeRange) -> TimeRange { effects.reduce(range) { $1.apply(to: $0) } }

    /// The smallest range, before the effects, that contains all content shown during a range after them. It
    /// corresponds to `removeEffectFromTimeRange`.
    package func remove(from range: TimeRange) -> TimeRange { effects.reversed().reduce(range) { $1.remove(from: $0) } }
}
