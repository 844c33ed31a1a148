import DraftModel
import ExactTime
import ExportPlan

/// The mixes of a film that has several sound tracks. Each is mixed like the only one of other films, from what is heard
/// in it; what is not heard does not duck the others either.
func lowerAudioTracks(
    _ draft: Draft, _ timeline: Timeline, facts: [String: SourceFacts], declick: MediaTime
) -> [SoundTrackMix] {
    (draft.audioTracks ?? []).map { track in
        var heard = timeline
        for index in heard.clips.indices where !track.hears(heard.clips[index].clip.id) { heard.clips[index].clip.muted = true }
        heard.audioClips.removeAll { !track.hears($0.clip.id) }
        let layers = (draft.layers ?? []).map { $0.heard(in: track, inside: []) }
        let sounds = lowerAudio(heard, layers: layers, facts: facts, declick: declick)
        return SoundTrackMix(
            tags: SoundTrackTags(language: track.language, title: track.title), inputs: sounds.inputs,
            groups: sounds.groups.isEmpty ? nil : sounds.groups)
    }
}

extension DraftLayer {
    /// The layer with the videos muted that are not heard in a track.
    fileprivate func heard(in track: DraftAudioTrack, inside outer: [String]) -> DraftLayer {
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
