import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// The sounds of a timeline: one input for each clip with sound, one for each repetition of a loop, and the groups that
/// some of them are in.
/// - Parameters:
///   - layers: the draft's layers. The sound of their videos is heard until the main track ends.
///   - declick: the length of the fade of a sound that begins or ends at a hard cut.
func lowerAudio(
    _ timeline: Timeline, layers: [DraftLayer], facts: [String: SourceFacts], declick: MediaTime
) -> (inputs: [AudioInput], groups: [SoundGroup]) {
    let intervals = SoundIntervals(soundIntervals(timeline.effects, duration: timeline.trackDuration))
    var above = LayerSounds(facts: facts, declick: declick)
    above.add(layers, from: .zero, within: TimeRange(start: .zero, duration: timeline.duration))
    let inputs =
        timeline.clips.indices.compactMap { clipInput(timeline.clips, $0, facts, declick) }.flatMap {
            $0.played(through: intervals)
        }
        + timeline.audioClips.flatMap { audioClipInputs($0, facts, videoEnd: timeline.duration) }
        + above.inputs
    let offset = -timeline.window.start
    let heard = inputs.compactMap { input -> AudioInput? in
        // A group with filters hears its sounds from its own start, also where the film begins later.
        let whole = above.groups.filteredGroup(around: input.group).map { above.groups[$0].timeRange }
        guard !(whole ?? input.timeRange).intersection(timeline.window).isEmpty else { return nil }
        var moved = input
        moved.timeRange = input.timeRange.shifted(by: offset)
        moved.gains = input.gains.map { $0.shifted(by: offset) }
        moved.pan = input.pan?.shifted(by: offset)
        return moved
    }
    let stretched = heard.timeStretchedTogether().declicked(over: declick, film: timeline.window.shifted(by: offset))
    return stretched.inGroups(above.groups.map { $0.shifted(by: offset) })
}

/// The sound of main track clip `index`, with the fades of the transitions before and after it.
private func clipInput(
    _ clips: [PlacedClip], _ index: Int, _ known: [String: SourceFacts], _ declick: MediaTime
) -> AudioInput? {
    let placed = clips[index]
    let clip = placed.clip
    let animated = AnimatedProperties(clip.animations, from: placed.timeRange.start)
    let volume = animated.value("volume", clip.volume ?? 1)
    guard let facts = placed.facts, clip.type == .av, facts.audio != nil, clip.muted != true, volume.constantValue != 0 else {
        return nil
    }
    var gains = volumeCurve(volume)
    gains += rampCurve(clip.volumeRamps ?? [], from: placed.timeRange.start)
    if placed.transitionDuration > .zero {
        let overlap = TimeRange(start: placed.timeRange.start, duration: placed.transitionDuration)
        gains += fade(over: overlap, from: 0, to: 1, clip.transition?.audio ?? .crossfade, declick)
    }
    if index + 1 < clips.count, clips[index + 1].transitionDuration > .zero {
        let next = clips[index + 1]
        let overlap = TimeRange(start: next.timeRange.start, duration: next.transitionDuration)
        gains += fade(over: overlap, from: 1, to: 0, next.clip.transition?.audio ?? .crossfade, declick)
    }
    var input = AudioInput(
        source: facts.soundName, timeRange: placed.timeRange, sourceRange: placed.sourceRange,
        reversed: clip.reverse == true,
        speed: placed.ramp == nil ? placed.speed : placed.sourceRange.duration / placed.timeRange.duration,
        speedRanges: placed.ramp?.speedRanges(reversed: clip.reverse == true), keepsPitch: clip.timePitchAlgorithm != .varispeed,
        pitch: clip.pitch ?? 0, gains: gains)
    input.isMainTrack = true
    input.pan = panCurve(animated.value("pan", clip.pan ?? 0))
    input.filters = lowerAudioFilters(clip.audioFilters, known)
    return input
}

extension SideChainGain {
    /// The ducking settings with all defaults filled in.
    fileprivate init(_ ducking: Ducking) {
        func time(_ milliseconds: Int64) -> MediaTime { MediaTime(Rational(milliseconds, 1000)) }
        self.init(
            gain: ducking.gain, attack: ducking.attack ?? time(100), hold: ducking.hold ?? time(300),
            release: ducking.release ?? time(500), threshold: ducking.threshold ?? -40)
    }
}

extension SpeedRamp {
    /// The greatest distance between the curve and its straight sections, in seconds.
    private static let tolerance = 0.000_1

    /// The ramp as sections of constant speed. They are short enough that no sound is more than 0.1 ms from its exact
    /// time.
    fileprivate func speedRanges(reversed: Bool) -> [AudioInput.SpeedRange] {
        func cut(_ start: MediaTime, _ end: MediaTime) -> [AudioInput.SpeedRange] {
            let (from, to) = (time(ofSource: start), time(ofSource: end))
            let middle = start + (end - start) * Rational(1, 2)
            let varispeed = (time(ofSource: middle) - from - (to - from) * Rational(1, 2)).doubleValue
            // An easing may cross its chord in the middle, where the error is then 0. Long sections are therefore
            // always halved.
            let isLong = (end - start).doubleValue > 0.25 || to - from > MediaTime(Rational(1, 4))
            guard abs(varispeed) > SpeedRamp.tolerance || isLong, end - start > MediaTime(Rational(1, 1000)) else {
                return to > from ? [AudioInput.SpeedRange(duration: to - from, sourceDuration: end - start)] : []
            }
            return cut(start, middle) + cut(middle, end)
        }
        let speedRanges = cut(sourceRange.start, sourceRange.end)
        return reversed ? speedRanges.reversed() : speedRanges
    }
}

/// The inputs of an audio clip: one, or one for each repetition until the video ends.
private func audioClipInputs(
    _ placed: PlacedAudioClip, _ facts: [String: SourceFacts], videoEnd: MediaTime
) -> [AudioInput] {
    let clip = placed.clip
    let speed = clip.speed ?? .one
    let start = clip.startTimeAtMainTrack ?? .zero
    let animated = AnimatedProperties(clip.animations, from: start)
    let volume = animated.value("volume", clip.volume ?? 1)
    let length = placed.sourceRange.duration / speed
    let end = clip.loop == true ? videoEnd : min(start + length, videoEnd)
    guard volume.constantValue != 0, start < end else { return [] }
    var gains = volumeCurve(volume)
    gains += rampCurve(clip.volumeRamps ?? [], from: start)
    if let fadeIn = clip.fadeIn, fadeIn > .zero {
        gains += fade(over: TimeRange(start: start, duration: fadeIn), from: 0, to: 1, .curve(clip.fadeInCurve ?? .tri))
    }
    if let fadeOut = clip.fadeOut, fadeOut > .zero {
        gains += fade(
            over: TimeRange(start: end - fadeOut, duration: fadeOut), from: 1, to: 0, .curve(clip.fadeOutCurve ?? .tri))
    }
    let pan = panCurve(animated.value("pan", clip.pan ?? 0))
    let filters = lowerAudioFilters(clip.audioFilters, facts)
    var inputs: [AudioInput] = []
    var repetitionStart = start
    while repetitionStart < end {
        let heard = min(length, end - repetitionStart)
        let repetition = TimeRange(start: repetitionStart, duration: heard)
        var input = AudioInput(
            source: placed.facts.soundName, timeRange: repetition,
            sourceRange: TimeRange(start: placed.sourceRange.start, duration: heard * speed), reversed: false,
            speed: speed, keepsPitch: clip.timePitchAlgorithm != .varispeed, pitch: clip.pitch ?? 0,
            gains: gains.ofRepetition(repetition))
        input.pan = pan.map { [$0].ofRepetition(repetition)[0] }
        input.filters = filters
        input.duck = clip.duck.flatMap { $0.gain < 1 ? SideChainGain($0) : nil }
        inputs.append(input)
        repetitionStart += length
    }
    return inputs
}

extension [GainCurve] {
    /// The greatest number of points of a curve that is copied unchanged into every repetition of a loop.
    private static let fewPoints = 16

    /// The curves for one of many repetitions. Long curves are cut to its range, so that a plan does not hold them many
    /// times.
    func ofRepetition(_ repetition: TimeRange) -> [GainCurve] {
        map { $0.points.count > [GainCurve].fewPoints ? $0.trimmed(to: repetition, shiftedBy: .zero) : $0 }
    }
}

/// A place between left and right as a curve; nil where it is always the middle.
/// - Parameter pan: -1...1.
func panCurve(_ pan: AnimatedValue) -> GainCurve? {
    if pan.constantValue == 0 { return nil }
    var curve = GainCurve(pan)
    for index in curve.points.indices { curve.points[index].gain += 1 }
    return curve
}

/// A volume as gain curves. A constant volume of 1 needs no curve.
func volumeCurve(_ volume: AnimatedValue) -> [GainCurve] {
    guard let constant = volume.constantValue else { return [GainCurve(volume)] }
    return constant == 1 ? [] : [.constant(constant)]
}

/// Volume ramps in clip time as one curve. The gain is 1 before the first ramp and keeps the last value between and
/// after ramps.
func rampCurve(_ ramps: [VolumeRamp], from start: MediaTime) -> [GainCurve] {
    guard !ramps.isEmpty else { return [] }
    var points: [GainCurve.Point] = []
    var held = 1.0
    for ramp in ramps {
        points.append(.init(time: start + ramp.timeRange.start, gain: held))
        points.append(.init(time: start + ramp.timeRange.start, gain: ramp.startVolume))
        points.append(.init(time: start + ramp.timeRange.end, gain: ramp.endVolume))
        held = ramp.endVolume
    }
    return [GainCurve(points: points)]
}

/// - Parameter declick: the length of the fade-in after a cut and the fade-out before it.
func fade(
    over range: TimeRange, from: Double, to: Double, _ kind: DraftModel.Transition.Audio, _ declick: MediaTime = .zero
) -> [GainCurve] {
    switch kind {
    case .curve(.nofade): return []
    case .curve(let curve):
        return [
            GainCurve(shape: curve, points: [.init(time: range.start, gain: from), .init(time: range.end, gain: to)])
        ]
    case .cut:
        let middle = range.start + range.duration * Rational(1, 2)
        let length = min(declick, range.duration * Rational(1, 2))
        let (start, end) = from < to ? (middle, middle + length) : (middle - length, middle)
        return [GainCurve(points: [.init(time: start, gain: from), .init(time: end, gain: to)])]
    }
}
