import ExactTime
import ExportPlan

/// A stretch of a timeline that time effects can cut and play differently. Several of them follow one another.
protocol TimelinePiece {
    var timeRange: TimeRange { get }
    /// The part of it inside a range that it meets.
    func restricted(to range: TimeRange) -> Self
    /// - Parameter change: moves on.
    func retimed(_ change: Retiming) -> Self
}

/// Pieces of a timeline are in its order and do not overlap.

extension Array where Element: TimelinePiece {
    /// With a range playing at another speed, or again, or with an instant held.
    /// - Parameter held: what stands at an instant, for as long as a range that begins there.
    func applying(_ effect: TimeEffect, held: (TimeRange) -> [Element]) -> [Element] {
        switch effect {
        case .speed(let range, let speed):
            let fast = inside(range).map { $0.retimed(.line(from: range.start, to: range.start, speed: speed)) }
            return before(range.start) + fast + after(range.end, later: effect.lengthening)
        case .repetition(let range, let count):
            let rounds = (0..<count).flatMap { round in
                inside(range).map { $0.retimed(.shift(by: range.duration * Rational(round))) }
            }
            return before(range.start) + rounds + after(range.end, later: effect.lengthening)
        case .freeze(let instant, let duration):
            return before(instant) + held(TimeRange(start: instant, duration: duration))
                + after(instant, later: effect.lengthening)
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

extension Instruction: TimelinePiece {
    func restricted(to range: TimeRange) -> Instruction {
        let seen = timeRange.intersection(range)
        return Instruction(timeRange: seen, layers: layers.compactMap { $0.restricted(to: seen) })
    }

    func retimed(_ change: Retiming) -> Instruction {
        Instruction(timeRange: timeRange.retimed(change) ?? timeRange, layers: layers.map { $0.retimed(change) })
    }

    /// What is seen at the start of a range, for as long as that lasts.
    func held(during range: TimeRange) -> Instruction {
        Instruction(
            timeRange: range,
            layers: layers.filter { $0.isVisible(at: range.start) }.map { $0.retimed(.held(at: range.start)) })
    }
}

/// A stretch of the film during which the main track's sound runs at one speed.
struct SoundPiece: TimelinePiece, Equatable {
    /// In the film.
    var timeRange: TimeRange
    /// Where it begins on the main track, before all time effects.
    var trackStart: MediaTime
    /// Seconds of the main track per second of the film.
    var speed: Rational

    /// On the main track.
    var trackRange: TimeRange { TimeRange(start: trackStart, duration: timeRange.duration * speed) }

    func restricted(to range: TimeRange) -> SoundPiece {
        let heard = timeRange.intersection(range)
        return SoundPiece(
            timeRange: heard, trackStart: trackStart + (heard.start - timeRange.start) * speed, speed: speed)
    }

    func retimed(_ change: Retiming) -> SoundPiece {
        SoundPiece(
            timeRange: timeRange.retimed(change) ?? timeRange, trackStart: trackStart, speed: speed * change.speed)
    }
}

extension SoundPiece {
    /// All of a main track that no effect has changed.
    init(whole duration: MediaTime) {
        self.init(timeRange: TimeRange(start: .zero, duration: duration), trackStart: .zero, speed: .one)
    }
}

/// How the main track sounds in the film: where a stretch of the film has no piece it is silent.
func soundPieces(_ effects: [PlacedEffect], duration: MediaTime) -> [SoundPiece] {
    var pieces = [SoundPiece(whole: duration)]
    for effect in effects {
        guard case .time(let change, let soundGoesOn) = effect else { continue }
        pieces = pieces.applying(change) { range in soundGoesOn ? pieces.inside(range) : [] }
    }
    return pieces
}
