import DraftModel
import ExactTime
import ExportPlan

/// Warns of audio fields that have no effect. Without the warning they would be accepted and ignored.
func checkIneffectiveAudio(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    func warn(_ path: String, _ message: String, _ remedy: String) {
        guard !diagnostics.isFaulty(path) else { return }
        diagnostics.warn(path, .noEffect, message, remedy: remedy)
    }
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard clip.type == .av, let url = clip.url, let found = facts[clip], found.audio == nil else { continue }
        // A volume of 0 on a silent clip has the wanted effect.
        let fields = [
            ("volume", clip.volume.map { $0 != 0 } == true), ("volumeRamps", clip.volumeRamps?.isEmpty == false),
            ("timePitchAlgorithm", clip.timePitchAlgorithm != nil), ("pitch", clip.pitch != nil), ("pan", clip.pan != nil),
            ("audioFilters", clip.audioFilters?.isEmpty == false),
        ]
        for (name, isGiven) in fields where isGiven {
            warn("mainTrackClips[\(index)].\(name)", "changes nothing: '\(url)' has no sound", "leave it out")
        }
    }
    for (index, clip) in (draft.audioClips ?? []).enumerated() {
        let fades = [
            ("fadeInCurve", clip.fadeInCurve != nil, clip.fadeIn, "fadeIn"),
            ("fadeOutCurve", clip.fadeOutCurve != nil, clip.fadeOut, "fadeOut"),
        ]
        for (name, isGiven, fade, length) in fades where isGiven && (fade ?? .zero) == .zero {
            warn("audioClips[\(index)].\(name)", "changes nothing without a \(length)", "give \(length) seconds, or leave it out")
        }
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        // A volume of 0 on a silent layer has the wanted effect.
        guard let audio = layer.audio, audio.volume != 0, audio.muted != true, let source = layer.source,
            let url = source.url, let found = facts[source], found.audio == nil
        else { return }
        warn("\(path).audio", "changes nothing: '\(url)' has no sound", "leave it out")
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        guard layer.audioFilters?.isEmpty == false, let source = layer.source, let url = source.url,
            let found = facts[source], found.audio == nil
        else { return }
        warn("\(path).audioFilters", "changes nothing: '\(url)' has no sound", "leave it out")
    }
}
