import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// A main track clip with all defaults filled in and its exact place.
struct PlacedClip {
    var clip: MainTrackClip
    /// Nil for a clip of type `color` or `generator`.
    var facts: SourceFacts?
    /// The range on the main track, including overlaps.
    var timeRange: TimeRange
    /// The range of the source, or of the generator's own time, that plays; for a clip of type `av` or `generator`.
    var sourceRange: TimeRange
    /// The constant speed; 1 if there is a ramp.
    var speed: Rational
    /// The speed, if it is animated.
    var ramp: SpeedRamp?
    /// How long the clip overlaps the one before it; zero without a transition.
    var transitionDuration: MediaTime
}

/// All clips and audio clips with their places.
struct Timeline {
    var clips: [PlacedClip]
    var audioClips: [PlacedAudioClip]
    var background: SourceFacts?
    /// The effects in the draft's order.
    var effects: [PlacedEffect]
    /// The duration of the main track before its effects.
    var trackDuration: MediaTime
    /// The duration of the main track with its effects, before the draft's own `timeRange` crops it.
    var duration: MediaTime
    /// The range that the film shows.
    var window: TimeRange
    /// The greatest possible number of instructions of the main track with its effects.
    var intervalCount: Int

    var timeEffects: TimeEffects { TimeEffects(effects.compactMap(\.time), originalDuration: trackDuration) }
}

/// An audio clip with all defaults filled in.
struct PlacedAudioClip {
    var clip: AudioClip
    var facts: SourceFacts
    var sourceRange: TimeRange
}

/// Computes the exact place of every clip: durations after speed changes, overlaps of transitions, and the draft's own
/// crop.
///
/// - Returns: nil if nothing can be placed; the faults are then in `diagnostics`.
func place(_ draft: Draft, facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) -> Timeline? {
    var clips: [PlacedClip] = []
    var durations: [MediaTime?] = []
    for (index, clip) in draft.mainTrackClips.enumerated() {
        let path = "mainTrackClips[\(index)]"
        let placed = diagnostics.isFaulty(path) ? nil : placeClip(clip, facts, after: clips.last, path: path, &diagnostics)
        durations.append(placed?.timeRange.duration)
        checkMap(of: clip.transition, facts, path: "\(path).transition", &diagnostics)
        if let placed { clips.append(placed) }
    }
    checkTransitions(draft.mainTrackClips, durations, &diagnostics)
    let audioClips = placeAudioClips(draft, facts, &diagnostics)
    checkLayers(draft.layers ?? [], facts, &diagnostics)
    for (index, effect) in (draft.effects ?? []).enumerated() {
        guard effect.type == .imageSticker, let url = effect.url, let found = facts[url], found.video == nil,
            !diagnostics.isFaulty("effects[\(index)]")
        else { continue }
        diagnostics.report("effects[\(index)].url", .unreadableSource, "'\(url)' has no picture; name a file with one")
    }
    let layersEnd = draft.layers?.map(\.timeRange.end).max()
    guard clips.count == draft.mainTrackClips.count, let trackDuration = clips.last?.timeRange.end ?? layersEnd else {
        return nil
    }
    let intervals = clips.isEmpty ? [TimeRange(start: .zero, duration: trackDuration)] : shownIntervals(clips)
    let (effects, intervalCount) = placeEffects(
        draft.effects ?? [], duration: trackDuration, intervals: intervals, &diagnostics)
    let duration = TimeEffects(effects.compactMap(\.time), originalDuration: trackDuration).duration
    let whole = TimeRange(start: .zero, duration: duration)
    let window = draft.timeRange.map(whole.intersection) ?? whole
    if window.isEmpty, let range = draft.timeRange {
        diagnostics.report("timeRange", .emptyRange, "starts at \(range.start) s, but the video is \(duration) s long")
    }
    let background = draft.background?.url.flatMap { facts[$0] }
    if let background, background.video == nil, !diagnostics.isFaulty("background") {
        diagnostics.report(
            "background.url", .unreadableSource, "'\(draft.background?.url ?? "")' has no picture; name a file with one")
    }
    return Timeline(
        clips: clips, audioClips: audioClips, background: background, effects: effects, trackDuration: trackDuration,
        duration: duration, window: window, intervalCount: intervalCount)
}

/// The intervals during which the same clips are seen: each clip alone, and each overlap.
private func shownIntervals(_ clips: [PlacedClip]) -> [TimeRange] {
    let starts = clips.flatMap { [$0.timeRange.start, $0.timeRange.start + $0.transitionDuration] }
    let end = clips.last.map(\.timeRange.end) ?? .zero
    return zip(starts, starts.dropFirst() + [end]).filter { $0 < $1 }.map { TimeRange(from: $0, to: $1) }
}

private func placeClip(
    _ clip: MainTrackClip, _ known: [String: SourceFacts], after previous: PlacedClip?, path: String,
    _ diagnostics: inout Diagnostics
) -> PlacedClip? {
    let facts = known[clip]
    if let url = clip.url {
        guard let facts else { return nil }
        checkPicture(clip, facts, url, path, &diagnostics)
    }
    var sourceRange = TimeRange(start: .zero, duration: .zero)
    var speed = Rational.one
    var ramp: SpeedRamp?
    var duration = clip.duration ?? .zero
    if clip.type == .av || clip.type == .generator {
        var range = TimeRange(start: .zero, duration: duration)
        if clip.type == .av {
            guard let facts, let url = clip.url,
                let played = playedRange(clip.timeRange, of: facts, url: url, path: path, &diagnostics)
            else { return nil }
            range = played
        }
        sourceRange = range
        if let wanted = clip.durationAtMainTrack { speed = range.duration / wanted }
        switch clip.speed {
        case nil: break
        case .constant(let given):
            if clip.durationAtMainTrack != nil, given != speed, clip.timeRange == nil {
                diagnostics.report(
                    "\(path).durationAtMainTrack", .conflict, "gives speed \(speed), but speed is \(given); give one of them")
                return nil
            }
            speed = given
        case .curve(let curve):
            let value = AnimatedValue(curve)
            if let constant = value.constantValue {
                speed = Rational(nearest: constant)
            } else {
                ramp = SpeedRamp(speed: value, sourceRange: range)
            }
        }
        guard speed >= Rational(1, 10), speed <= Rational(16) else {
            diagnostics.report(
                "\(path).durationAtMainTrack", .outOfRange, "results in speed \(speed), which is not within 1/10...16")
            return nil
        }
        duration = ramp?.duration ?? range.duration / speed
    }
    let transition = previous == nil ? .zero : clip.transition?.duration ?? .zero
    let start = (previous?.timeRange.end ?? .zero) - transition
    return PlacedClip(
        clip: clip, facts: facts, timeRange: TimeRange(start: start, duration: duration), sourceRange: sourceRange,
        speed: speed, ramp: ramp, transitionDuration: transition)
}

/// Checks the map of a `lumaMap` transition. A map that could not be read was already reported when it was resolved.
func checkMap(
    of transition: DraftModel.Transition?, _ facts: [String: SourceFacts], path: String, _ diagnostics: inout Diagnostics
) {
    guard let transition, transition.type == .lumaMap, !diagnostics.isFaulty(path) else { return }
    guard let url = transition.url else {
        diagnostics.report("\(path).url", .missingField, "is required: a greyscale picture")
        return
    }
    guard let map = facts[url] else { return }
    if map.video?.isStill != true {
        diagnostics.report(
            "\(path).url", map.video == nil ? .unreadableSource : .invalidValue,
            "'\(url)' is not a still picture; name a greyscale one")
    }
}

/// The given range, cut to the source's duration, or the whole source.
private func playedRange(
    _ range: TimeRange?, of facts: SourceFacts, url: String, path: String, _ diagnostics: inout Diagnostics
) -> TimeRange? {
    let whole = TimeRange(start: .zero, duration: facts.duration)
    let played = range.map(whole.intersection) ?? whole
    guard !played.isEmpty else {
        diagnostics.report(
            "\(path).timeRange.start", .emptyRange,
            "starts at \(range?.start ?? .zero) s, but '\(url)' is only \(facts.duration.shortText) s long")
        return nil
    }
    if let range { warnOfShortening(range, of: facts, url: url, path: "\(path).timeRange", &diagnostics) }
    return played
}

/// Warns that a range extends beyond the end of its source. One millisecond is tolerated, because durations
/// are often rounded to milliseconds.
/// - Parameter path: the path of the range.
func warnOfShortening(
    _ range: TimeRange, of facts: SourceFacts, url: String, path: String, _ diagnostics: inout Diagnostics
) {
    guard range.end > facts.duration + MediaTime(Rational(1, 1000)), range.start < facts.duration else { return }
    diagnostics.warn(
        path, .shortenedRange,
        "ends at \(range.end.shortText) s, but '\(url)' is \(facts.duration.shortText) s long: it plays until there",
        remedy: "give a duration of \((facts.duration - range.start).shortText) s, or another source")
}

private func checkPicture(
    _ clip: MainTrackClip, _ facts: SourceFacts, _ url: String, _ path: String, _ diagnostics: inout Diagnostics
) {
    switch clip.type {
    case .av where facts.video?.isStill == true:
        diagnostics.report(
            "\(path).type", .invalidValue, "'\(url)' is a still picture; use type 'image' and give a duration")
    case .image where facts.video == nil:
        diagnostics.report("\(path).url", .unreadableSource, "'\(url)' has no picture; put a sound into audioClips")
    case .image where facts.video.map { !$0.isStill && !$0.isAnimatedPicture } == true:
        diagnostics.report("\(path).type", .invalidValue, "'\(url)' is a video; use type 'av'")
    default: break
    }
    guard let picture = facts.video else { return }
    checkCrop(clip.cropRect, clip.animations, of: clip.upright(picture).displaySize, url: url, at: path, &diagnostics)
}

/// Checks that the overlaps of a clip's transitions fit into the clip. Clips of unknown duration are skipped.
private func checkTransitions(_ clips: [MainTrackClip], _ durations: [MediaTime?], _ diagnostics: inout Diagnostics) {
    for (index, duration) in durations.enumerated() {
        let entering = index > 0 ? clips[index].transition?.duration ?? .zero : .zero
        let leaving = index + 1 < clips.count ? clips[index + 1].transition?.duration ?? .zero : .zero
        guard let duration, entering + leaving > duration else { continue }
        let at = entering > duration || leaving == .zero ? index : index + 1
        let path = "mainTrackClips[\(at)].transition.duration"
        guard !diagnostics.isFaulty(path) else { continue }
        diagnostics.report(
            path, .transitionTooLong,
            "\(diagnostics.written("mainTrackClips[\(index)]")) lasts \(duration.shortText) s, but its transitions take "
                + "\((entering + leaving).shortText) s")
    }
}

private func placeAudioClips(
    _ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) -> [PlacedAudioClip] {
    (draft.audioClips ?? []).enumerated().compactMap { index, clip in
        let path = "audioClips[\(index)]"
        guard !diagnostics.isFaulty(path), let source = facts[clip] else { return nil }
        guard let audio = source.audio else {
            diagnostics.report("\(path).url", .unreadableSource, "'\(clip.url)' has no sound; leave the clip out")
            return nil
        }
        var sound = source
        sound.video = nil
        sound.audio = audio
        guard let range = playedRange(clip.timeRange, of: sound, url: clip.url, path: path, &diagnostics) else { return nil }
        let length = range.duration / (clip.speed ?? .one)
        if clip.loop == true, length < MediaTime(Rational(1, 10)) {
            diagnostics.report("\(path).timeRange.duration", .outOfRange, "a loop is at least 0.1 s long")
            return nil
        }
        return PlacedAudioClip(clip: clip, facts: source, sourceRange: range)
    }
}

extension MediaTime {
    /// Seconds for a message: exact if short, otherwise rounded to a millisecond.
    var shortText: String {
        let exact = seconds.description
        if exact.count <= 8 { return exact }
        return "\(Rational(Int64((seconds * Rational(1000)).rounded), 1000).doubleValue)"
    }
}
