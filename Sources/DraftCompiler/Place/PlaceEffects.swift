import DraftModel
import ExactTime

/// An effect on the timeline that results from the effects before it.
enum PlacedEffect {
    /// An effect that changes the times of everything on the timeline.
    case time(TimeEffect, continuesSound: Bool)
    /// An effect that changes the picture during a range.
    case picture(Effect, TimeRange)

    var time: TimeEffect? {
        if case .time(let effect, _) = self { effect } else { nil }
    }
}

/// The longest film that time effects may produce.
private let longestFilm = MediaTime(seconds: DraftLimits.seconds)
/// The most intervals that time effects may cut the main track into. Each becomes an instruction, and nested
/// repetitions multiply them.
private let mostSoundIntervals = DraftLimits.soundIntervals

/// Cuts every effect's range to the timeline that it applies to.
/// - Parameters:
///   - duration: the duration of the main track before the effects.
///   - intervals: the intervals of the main track during which the same clips are seen.
/// - Returns: the effects, and the number of intervals after all of them.
func placeEffects(
    _ effects: [Effect], duration: MediaTime, intervals: [TimeRange], _ diagnostics: inout Diagnostics
) -> (effects: [PlacedEffect], intervalCount: Int) {
    var placed: [PlacedEffect] = []
    var length = duration
    var soundIntervals = [SoundInterval(whole: duration)]
    var shownIntervals = intervals.map { SoundInterval(timeRange: $0, trackStart: $0.start, speed: .one) }
    var work = 0
    for (index, effect) in effects.enumerated() {
        let path = "effects[\(index)]"
        let whole = TimeRange(start: .zero, duration: length)
        let range = effect.timeRangeAtMainTrack.map(whole.intersection) ?? whole
        guard !range.isEmpty else {
            guard let given = effect.timeRangeAtMainTrack, !diagnostics.isFaulty(path) else { continue }
            let place = "\(path).timeRangeAtMainTrack"
            let message = "is \(given), but the main track is \(length.shortText) s long with the effects before this one"
            if effect.type.changesTime {
                diagnostics.report(place, .emptyRange, message)
            } else {
                // Like a layer that is never seen: a template's clips may be shorter than its author thought.
                diagnostics.warn(place, .noEffect, message, remedy: "begin it earlier, or leave it out")
            }
            continue
        }
        work += shownIntervals.count
        guard work <= DraftLimits.effectIntervals else {
            diagnostics.report(
                path, .outOfRange,
                "exceeds the limit of effects for \(intervals.count) clips and transitions; take fewer effects, or cut the draft into several"
            )
            return (placed, shownIntervals.count)
        }
        guard let change = timeEffect(effect, range) else {
            placed.append(.picture(effect, range))
            continue
        }
        length += change.addedDuration
        guard length > .zero else {
            diagnostics.report("\(path).timeRangeAtMainTrack", .emptyRange, "cuts out the whole main track; leave a part of it")
            return (placed, shownIntervals.count)
        }
        guard length <= longestFilm else {
            diagnostics.report(
                path, .outOfRange, "makes the main track longer than \(DraftLimits.seconds) s, which is the most; shorten it")
            return (placed, shownIntervals.count)
        }
        soundIntervals = soundIntervals.applying(change) { soundIntervals.inside($0) }
        guard soundIntervals.count <= mostSoundIntervals else {
            diagnostics.report(
                path, .outOfRange,
                "cuts the main track into more than \(mostSoundIntervals) intervals of sound; take fewer effects")
            return (placed, shownIntervals.count)
        }
        shownIntervals = shownIntervals.applying(change) { held in
            [SoundInterval(timeRange: held, trackStart: held.start, speed: .one)]
        }
        guard shownIntervals.count <= DraftLimits.trackIntervals else {
            diagnostics.report(
                path, .outOfRange,
                "cuts the main track into more than \(DraftLimits.trackIntervals) intervals; take fewer effects")
            return (placed, shownIntervals.count)
        }
        placed.append(.time(change, continuesSound: effect.audio == .continue))
    }
    return (placed, shownIntervals.count)
}

/// The change of time; nil for an effect that only changes the picture.
private func timeEffect(_ effect: Effect, _ range: TimeRange) -> TimeEffect? {
    switch effect.type {
    case .speed: effect.speed.map { .speed(range: range, speed: $0) }
    case .repetition: effect.count.map { .repetition(range: range, count: $0) }
    case .freeze: effect.duration.map { .freeze(at: range.start, duration: $0) }
    case .cut: .cut(range: range)
    case .filter, .lut, .externalFilter, .imageSticker: nil
    }
}
