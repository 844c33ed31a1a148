import DraftModel
import ExactTime
import ExportPlan

/// Checks that the film is within the farm's limits: its length, its frames, its sounds, and the number of composed
/// layers.
///
/// Everything is counted before it is created, in a time that does not depend on the size of the result.
func checkFilmLimits(
    _ draft: Draft, _ timeline: Timeline, _ format: PictureFormat?, _ facts: [String: SourceFacts],
    _ diagnostics: inout Diagnostics
) {
    let place = draft.mainTrackClips.isEmpty ? "layers" : "mainTrackClips"
    guard timeline.duration <= MediaTime(seconds: DraftLimits.seconds) else {
        diagnostics.report(
            place, .outOfRange,
            "last \(timeline.duration.shortText) s; the longest film is \(DraftLimits.seconds) s long; cut the draft into several"
        )
        return
    }
    if let format, format.frameRate.frames(in: timeline.window).count > DraftLimits.frames {
        let count = format.frameRate.frames(in: timeline.window).count
        diagnostics.report(
            place, .outOfRange,
            "make \(count) frames at \(format.frameRate) a second; the longest film has \(DraftLimits.frames); choose a lower frame rate"
        )
    }
    checkSounds(draft, timeline, facts, &diagnostics)
    checkComposedLayers(draft, timeline, &diagnostics)
}

/// Counts sounds. Each repetition of a loop counts as one sound.
private func checkSounds(
    _ draft: Draft, _ timeline: Timeline, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    var count = 0
    func add(_ number: Int, at path: String, _ diagnostics: inout Diagnostics) {
        let before = count
        count += number
        guard count > DraftLimits.sounds, before <= DraftLimits.sounds else { return }
        diagnostics.report(
            path, .outOfRange,
            "makes \(count) sounds, counting each repetition of a loop; a film has \(DraftLimits.sounds) at most")
    }
    let timeEffects = timeline.effects.filter { $0.time != nil }.count
    for (index, placed) in timeline.clips.enumerated() where placed.facts?.audio != nil {
        add(1 + (timeEffects > 0 ? 1 : 0), at: "mainTrackClips[\(index)]", &diagnostics)
    }
    for (index, placed) in timeline.audioClips.enumerated() {
        let length = placed.sourceRange.duration / (placed.clip.speed ?? .one)
        let rest = timeline.duration - (placed.clip.startTimeAtMainTrack ?? .zero)
        add(placed.clip.loop == true ? repetitions(of: length, in: rest) : 1, at: "audioClips[\(index)]", &diagnostics)
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        guard let source = layer.source, let found = facts[source], let played = PlayedLayer(layer, found) else { return }
        let length = min(layer.timeRange.duration, timeline.duration)
        add(repetitions(of: played.sourceRange.duration / played.speed, in: length), at: "\(path).source", &diagnostics)
    }
}

private func repetitions(of length: MediaTime, in whole: MediaTime) -> Int {
    guard length > .zero, whole > .zero else { return 0 }
    return min((whole / length).ceil, Int(Int32.max))
}

/// Counts composed layers. A layer counts once for each interval of the main track that shows it, because each interval
/// becomes an instruction with its own copy of the layer.
private func checkComposedLayers(_ draft: Draft, _ timeline: Timeline, _ diagnostics: inout Diagnostics) {
    let layers = draft.layers ?? []
    guard !layers.isEmpty else { return }
    // The starts of clips and the ends of overlaps. An interval of the main track may begin at each.
    let cuts = timeline.clips.flatMap { [$0.timeRange.start, $0.timeRange.start + $0.transitionDuration] }.sorted()
    // Each effect adds at most two intervals: one at its start and one at its end.
    let added = timeline.effects.count * 2
    var count = 0
    for (index, layer) in layers.enumerated() {
        let first = cuts.firstIndexSorted { $0 > layer.timeRange.start }
        let last = cuts.firstIndexSorted { $0 >= layer.timeRange.end }
        // Effects that change time may show the layer in any interval; the number of all intervals is the upper bound.
        let seenIntervals = max(0, last - first) + 1
        let seen =
            timeline.effects.contains { $0.time != nil }
            ? timeline.intervalCount : min(seenIntervals + added, timeline.intervalCount)
        // Long intervals are cut into segments of at least 4 s.
        let length = min(layer.timeRange.duration, timeline.duration)
        count += (seen + (length / MediaTime(seconds: 4)).ceil) * layer.weight
        guard count > DraftLimits.composedLayers else { continue }
        diagnostics.report(
            "layers[\(index)]", .outOfRange,
            "exceeds the limit of composed layers: a layer counts once for each interval between two cuts that shows it, and "
                + "more with long texts and many keyframes, and a film takes \(DraftLimits.composedLayers); leave some out, or cut the "
                + "draft into several")
        return
    }
}

extension DraftLayer {
    /// The size of the layer in a plan, in units of about 256 bytes.
    fileprivate var weight: Int {
        let text = source?.textByteCount ?? 0
        let keys = (animations ?? []).reduce(0) { $0 + $1.curve.values.count }
        let inner = (source?.layers ?? []).reduce(0) { $0 + $1.weight }
        let mixers = [blendMode?.mixer].compactMap(\.self)
        let plugins =
            mixers + (operations ?? []).compactMap(\.external) + transitions.compactMap(\.transition.mixer)
            + [source?.generator].compactMap(\.self)
        let settings = plugins.reduce(0) { $0 + $1.textByteCount / 256 }
        return 1 + text / 256 + keys / 16 + (operations?.count ?? 0) + mixers.count + settings + inner + (mask?.weight ?? 0)
            + transitions.count
    }
}

extension DraftMask {
    fileprivate var weight: Int {
        let text = source.textByteCount + (source.generator?.textByteCount ?? 0)
        return 1 + text / 256 + (source.layers ?? []).reduce(0) { $0 + $1.weight }
    }
}

extension PicturePlugin {
    /// The bytes of the texts that it is given.
    fileprivate var textByteCount: Int {
        parameters.values.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    }
}

extension LayerSource {
    /// The bytes of its text and its paths. A run of a text has 128 bytes of its own.
    fileprivate var textByteCount: Int {
        let paths = [shape?.path].compactMap(\.self) + (shape?.morphTo ?? [])
        return (text?.text.utf8.count ?? 0) + 128 * (text?.runs?.count ?? 0) + paths.reduce(0) { $0 + $1.utf8.count }
    }
}
