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
private let longestFilm = MediaTime(seconds: 24 * 3600)
/// The most pieces that they may cut it into: each is an instruction of its own, and repeats may repeat each other.
private let mostPieces = 10_000

/// Cuts every effect's range to the timeline that it is on.
/// - Parameter duration: of the main track before them.
func placeEffects(_ effects: [Effect], duration: MediaTime, _ diagnostics: inout Diagnostics) -> [PlacedEffect] {
    var placed: [PlacedEffect] = []
    var length = duration
    var pieces = [SoundPiece(whole: duration)]
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
        guard let change = timeEffect(effect, range) else {
            placed.append(.picture(effect, range))
            continue
        }
        length += change.lengthening
        guard length <= longestFilm else {
            diagnostics.report(path, .outOfRange, "makes the main track longer than a day")
            return placed
        }
        pieces = pieces.applying(change) { pieces.inside($0) }
        guard pieces.count <= mostPieces else {
            diagnostics.report(path, .outOfRange, "cuts the main track into more than \(mostPieces) pieces")
            return placed
        }
        placed.append(.time(change, soundGoesOn: effect.audio == .continue))
    }
    return placed
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
