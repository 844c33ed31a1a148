import DraftModel
import ExactTime
import ExportPlan

/// The mixes of a film that has several sound tracks. Each is mixed like the only one of other films, from what is heard
/// in it; what is not heard does not duck the others either.
func lowerAudioTracks(
    _ draft: Draft, _ timeline: Timeline, facts: [String: SourceFacts], declick: MediaTime
) -> [SoundTrackMix] {
    (draft.audioTracks ?? []).map { track in
        let mix = HeardSounds(track)
        var heard = timeline
        for index in heard.clips.indices where !mix.hears(heard.clips[index].clip.id) { heard.clips[index].clip.muted = true }
        heard.audioClips.removeAll { !mix.hears($0.clip.id) }
        let layers = (draft.layers ?? []).map { $0.heard(in: mix, inside: []) }
        let sounds = lowerAudio(heard, layers: layers, facts: facts, declick: declick)
        return SoundTrackMix(
            tags: SoundTrackTags(language: track.language, title: track.title), inputs: sounds.inputs,
            groups: sounds.groups.isEmpty ? nil : sounds.groups)
    }
}

/// The ids that are heard in a sound track, as sets, because a draft may have many of them.
private struct HeardSounds {
    private let mix: Set<String>?
    private let without: Set<String>

    init(_ track: DraftAudioTrack) {
        mix = track.mix.map(Set.init)
        without = Set(track.without ?? [])
    }

    /// Whether something with this id is heard. What has no id can only be left out by a `mix`.
    /// - Parameter outer: the ids of the groups that it is in.
    func hears(_ id: String?, in outer: [String] = []) -> Bool {
        let names = outer + [id].compactMap(\.self)
        if let mix { return names.contains(where: mix.contains) }
        return !names.contains(where: without.contains)
    }
}

extension DraftLayer {
    /// The layer with the videos muted that are not heard in a track.
    fileprivate func heard(in track: HeardSounds, inside outer: [String]) -> DraftLayer {
        var result = self
        if let inner = source?.layers {
            let groups = outer + [id].compactMap(\.self)
            result.source?.layers = inner.map { $0.heard(in: track, inside: groups) }
        } else if source?.type == .video, !track.hears(id, in: outer) {
            var muted = audio ?? LayerAudio()
            muted.muted = true
            result.audio = muted
        }
        return result
    }
}
