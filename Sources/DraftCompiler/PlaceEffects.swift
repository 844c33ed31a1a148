import DraftModel
import ExactTime

/// An effect on the timeline that the effects before it have made.
enum PlacedEffect {
    /// Changes the times of everything that is there.
    case time(TimeEffect, soundGoesOn: Bool)
    /// Changes the picture during a range.
    case picture(Effect, TimeRange)

    var time: TimeEffect? {
        if case .time(let effect, _) = self { effect } else { nil }
    }
}

/// The longest film that time effects may make of a track.
private let longestFilm = MediaTime(seconds: DraftLimits.seconds)
/// The most pieces that they may cut it into: each is an instruction of its own, and repeats may repeat each other.
private let mostPieces = DraftLimits.pieces

/// Cuts every effect's range to the timeline that it is on.
/// - Parameters:
///   - duration: of the main track before them.
///   - stretches: of the main track during which the same clips are seen.
/// - Returns: also how many stretches the effects leave.
func placeEffects(
    _ effects: [Effect], duration: MediaTime, stretches: [TimeRange], _ diagnostics: inout Diagnostics
) -> (effects: [PlacedEffect], stretchCount: Int) {
    var placed: [PlacedEffect] = []
    var length = duration
    var pieces = [SoundPiece(whole: duration)]
    var shown = stretches.map { SoundPiece(timeRange: $0, trackStart: $0.start, speed: .one) }
    var work = 0
    for (index, effect) in effects.enumerated() {
        let path = "effects[\(index)]"
        let whole = TimeRange(start: .zero, duration: length)
        let range = effect.timeRangeAtMainTrack.map(whole.intersection) ?? whole
        guard !range.isEmpty else {
            guard let given = effect.timeRangeAtMainTrack, !diagnostics.isFaulty(path) else { continue }
            diagnostics.report(
                "\(path).timeRangeAtMainTrack", .emptyRange,
                "is \(given), but the main track is \(length.shortText) s long with the effects before this one")
            continue
        }
        work += shown.count
        guard work <= DraftLimits.effectWork else {
            diagnostics.report(
                path, .outOfRange,
                "is one too many for \(stretches.count) clips and transitions; take fewer effects, or cut the draft into several")
            return (placed, shown.count)
        }
        guard let change = timeEffect(effect, range) else {
            placed.append(.picture(effect, range))
            continue
        }
        length += change.lengthening
        guard length <= longestFilm else {
            diagnostics.report(path, .outOfRange, "makes the main track longer than \(DraftLimits.seconds) s")
            return (placed, shown.count)
        }
        pieces = pieces.applying(change) { pieces.inside($0) }
        guard pieces.count <= mostPieces else {
            diagnostics.report(path, .outOfRange, "cuts the main track into more than \(mostPieces) pieces")
            return (placed, shown.count)
        }
        shown = shown.applying(change) { held in [SoundPiece(timeRange: held, trackStart: held.start, speed: .one)] }
        guard shown.count <= DraftLimits.stretches else {
            diagnostics.report(path, .outOfRange, "makes the main track of more than \(DraftLimits.stretches) stretches")
            return (placed, shown.count)
        }
        placed.append(.time(change, soundGoesOn: effect.audio == .continue))
    }
    return (placed, shown.count)
}

/// Nil for an effect that leaves time as it is.
private func timeEffect(_ effect: Effect, _ range: TimeRange) -> TimeEffect? {
    switch effect.type {
    case .speed: effect.speed.map { .speed(range: range, speed: $0) }
    case .repetition: effect.count.map { .repetition(range: range, count: $0) }
    case .freeze: effect.duration.map { .freeze(at: range.start, duration: $0) }
    case .filter, .lut, .externalFilter, .imageSticker: nil
    }
}
