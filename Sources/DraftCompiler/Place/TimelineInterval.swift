import ExactTime
import ExportPlan

/// An interval of a timeline that time effects can cut and play differently. A timeline is an array of them.
protocol TimelineInterval {
    var timeRange: TimeRange { get }
    /// The part of the interval inside a range. The two must overlap.
    func restricted(to range: TimeRange) -> Self
    /// The interval with its times changed.
    /// - Parameter change: the change of times that moves it.
    func retimed(_ change: Retiming) -> Self
}

/// The intervals of a timeline are in ascending order and do not overlap.

extension Array where Element: TimelineInterval {
    /// The timeline with a range that plays at another speed or repeatedly or is cut out, or with an instant that is held.
    /// - Parameter held: returns what is shown or heard at the start of a range, held for the range's duration.
    func applying(_ effect: TimeEffect, held: (TimeRange) -> [Element]) -> [Element] {
        switch effect {
        case .speed(let range, let speed):
            let fast = inside(range).map { $0.retimed(.line(from: range.start, to: range.start, speed: speed)) }
            return before(range.start) + fast + after(range.end, later: effect.addedDuration)
        case .repetition(let range, let count):
            let repetitions = (0..<count).flatMap { repetition in
                inside(range).map { $0.retimed(.shift(by: range.duration * Rational(repetition))) }
            }
            return before(range.start) + repetitions + after(range.end, later: effect.addedDuration)
        case .freeze(let instant, let duration):
            return before(instant) + held(TimeRange(start: instant, duration: duration))
                + after(instant, later: effect.addedDuration)
        case .cut(let range):
            return before(range.start) + after(range.end, later: effect.addedDuration)
        }
    }

    func inside(_ range: TimeRange) -> [Element] {
        let first = firstIndexSorted { $0.timeRange.end > range.start }
        let end = firstIndexSorted { $0.timeRange.start >= range.end }
        guard first < end else { return [] }
        return self[first..<end].filter { !$0.timeRange.intersection(range).isEmpty }.map { $0.restricted(to: range) }
    }

    private func before(_ instant: MediaTime) -> [Element] {
        guard let start = first?.timeRange.start, start < instant else { return [] }
        return inside(TimeRange(from: start, to: instant))
    }

    private func after(_ instant: MediaTime, later offset: MediaTime) -> [Element] {
        guard let end = last?.timeRange.end, instant < end else { return [] }
        return inside(TimeRange(from: instant, to: end)).map { $0.retimed(.shift(by: offset)) }
    }
}

extension Instruction: TimelineInterval {
    func restricted(to range: TimeRange) -> Instruction {
        let seen = timeRange.intersection(range)
        return Instruction(timeRange: seen, layers: layers.compactMap { $0.restricted(to: seen) })
    }

    func retimed(_ change: Retiming) -> Instruction {
        Instruction(timeRange: timeRange.retimed(change) ?? timeRange, layers: layers.map { $0.retimed(change) })
    }

    /// The picture at the start of a range, held for its duration.
    func held(during range: TimeRange) -> Instruction {
        Instruction(
            timeRange: range,
            layers: layers.filter { $0.isVisible(at: range.start) }.map { $0.retimed(.held(at: range.start)) })
    }
}

/// An interval of the film during which the main track's sound plays at one speed.
struct SoundInterval: TimelineInterval, Equatable {
    /// The range in the film.
    var timeRange: TimeRange
    /// Its start on the main track before all time effects.
    var trackStart: MediaTime
    /// Seconds of the main track per second of the film.
    var speed: Rational

    /// The range on the main track.
    var trackRange: TimeRange { TimeRange(start: trackStart, duration: timeRange.duration * speed) }

    func restricted(to range: TimeRange) -> SoundInterval {
        let heard = timeRange.intersection(range)
        return SoundInterval(
            timeRange: heard, trackStart: trackStart + (heard.start - timeRange.start) * speed, speed: speed)
    }

    func retimed(_ change: Retiming) -> SoundInterval {
        SoundInterval(
            timeRange: timeRange.retimed(change) ?? timeRange, trackStart: trackStart, speed: speed * change.speed)
    }
}

extension SoundInterval {
    /// The whole main track, without effects.
    init(whole duration: MediaTime) {
        self.init(timeRange: TimeRange(start: .zero, duration: duration), trackStart: .zero, speed: .one)
    }
}

/// The main track's sound in the film. It is silent where no interval covers the film.
func soundIntervals(_ effects: [PlacedEffect], duration: MediaTime) -> [SoundInterval] {
    var intervals = [SoundInterval(whole: duration)]
    for effect in effects {
        guard case .time(let change, let continuesSound) = effect else { continue }
        intervals = intervals.applying(change) { range in continuesSound ? intervals.inside(range) : [] }
    }
    return intervals
}
