import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Collects the sounds of the layers' videos, including those in groups, and the groups that change them.
struct LayerSounds {
    private let facts: [String: SourceFacts]
    /// The length of the fade of a sound that begins or ends at a hard cut.
    private let declick: MediaTime
    private(set) var inputs: [AudioInput] = []
    private(set) var groups: [SoundGroup] = []

    init(facts: [String: SourceFacts], declick: MediaTime) {
        self.facts = facts
        self.declick = declick
    }

    /// - Parameters:
    ///   - start: the timeline time of the layers' time 0.
    ///   - bounds: the timeline range in which they can be heard.
    ///   - group: the number of the group that they are in; nil outside of groups.
    mutating func add(
        _ layers: [DraftLayer], from start: MediaTime, within bounds: TimeRange, in group: Int? = nil
    ) {
        for layer in layers {
            if let inner = layer.source?.layers {
                add(inner, of: layer, from: start, within: bounds, in: group)
            } else {
                inputs += sounds(of: layer, from: start, within: bounds, in: group)
            }
        }
    }

    /// Adds the layers of a group.
    private mutating func add(
        _ layers: [DraftLayer], of owner: DraftLayer, from start: MediaTime, within bounds: TimeRange, in group: Int?
    ) {
        let heard = bounds.intersection(owner.timeRange.shifted(by: start))
        let from = start + owner.timeRange.start
        let volume = owner.volume(from: from)
        guard !heard.isEmpty, owner.audio?.muted != true, volume.constantValue != 0 else { return }
        let own = SoundGroup(
            timeRange: heard,
            gains: volumeCurve(volume) + rampCurve(owner.audio?.volumeRamps ?? [], from: from)
                + fades(of: owner, during: owner.timeRange.shifted(by: start)),
            pan: panCurve(owner.pan(from: from)), filters: lowerAudioFilters(owner.audioFilters, facts), parent: group)
        guard !own.gains.isEmpty || own.pan != nil || own.filters != nil else {
            return add(layers, from: from, within: heard, in: group)
        }
        groups.append(own)
        add(layers, from: from, within: heard, in: groups.count - 1)
    }

    /// The fades of a layer's transitions, or of a group's.
    /// - Parameter seen: when the layer is seen, in timeline time.
    private func fades(of layer: DraftLayer, during seen: TimeRange) -> [GainCurve] {
        var gains: [GainCurve] = []
        if let transition = layer.transitionIn {
            let range = TimeRange(start: seen.start, duration: transition.duration)
            gains += fade(over: range, from: 0, to: 1, transition.audio ?? .crossfade, declick)
        }
        if let transition = layer.transitionOut {
            let range = TimeRange(start: seen.end - transition.duration, duration: transition.duration)
            gains += fade(over: range, from: 1, to: 0, transition.audio ?? .crossfade, declick)
        }
        return gains
    }

    /// The sounds of a layer's video, one for each repetition.
    private func sounds(
        of layer: DraftLayer, from start: MediaTime, within bounds: TimeRange, in group: Int?
    ) -> [AudioInput] {
        guard let source = layer.source, let found = facts[source], found.audio != nil, layer.audio?.muted != true,
            let played = PlayedLayer(layer, found)
        else { return [] }
        let volume = layer.volume(from: start + layer.timeRange.start)
        guard volume.constantValue != 0 else { return [] }
        let gains =
            volumeCurve(volume)
            + rampCurve(layer.audio?.volumeRamps ?? [], from: start + played.timeRange.start)
            + fades(of: layer, during: played.timeRange.shifted(by: start))
        let pan = panCurve(layer.pan(from: start + layer.timeRange.start))
        let filters = lowerAudioFilters(layer.audioFilters, facts)
        return played.repetitions(during: bounds.shifted(by: -start)).compactMap { repetition in
            let whole = repetition.timeRange.shifted(by: start)
            let heard = whole.intersection(bounds)
            guard !heard.isEmpty else { return nil }
            // A part cut off at the front is skipped at the start of the source range, or at its end if the video plays
            // backwards.
            let (skipped, length) = ((heard.start - whole.start) * played.speed, heard.duration * played.speed)
            let from =
                played.isReversed ? repetition.sourceRange.end - skipped - length : repetition.sourceRange.start + skipped
            var input = AudioInput(
                source: found.soundName, timeRange: heard, sourceRange: TimeRange(start: from, duration: length),
                reversed: played.isReversed, speed: played.speed, keepsPitch: layer.audio?.timePitchAlgorithm != .varispeed,
                pitch: layer.audio?.pitch ?? 0,
                gains: gains.ofRepetition(heard))
            input.pan = pan.map { [$0].ofRepetition(heard)[0] }
            input.filters = filters
            input.group = group
            return input
        }
    }
}

extension DraftLayer {
    fileprivate func volume(from start: MediaTime) -> AnimatedValue {
        AnimatedProperties(animations, from: start).value("audio.volume", audio?.volume ?? 1)
    }

    fileprivate func pan(from start: MediaTime) -> AnimatedValue {
        AnimatedProperties(animations, from: start).value("audio.pan", audio?.pan ?? 0)
    }
}

extension [AudioInput] {
    /// The same sounds with the groups that some of them are in. Groups without sounds are left out, and the others are
    /// numbered anew.
    func inGroups(_ groups: [SoundGroup]) -> (inputs: [AudioInput], groups: [SoundGroup]) {
        var used: Set<Int> = []
        for input in self {
            var number = input.group
            while let group = number, used.insert(group).inserted { number = groups[group].parent }
        }
        let kept = used.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        let inputs = map { input in
            var input = input
            input.group = input.group.flatMap { numbers[$0] }
            return input
        }
        let renumbered = kept.map { old in
            var group = groups[old]
            group.parent = group.parent.flatMap { numbers[$0] }
            return group
        }
        return (inputs, renumbered)
    }
}
