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
        guard path.contains(".mask.") else { return }
        for (name, isGiven) in [("audio", layer.audio != nil), ("audioFilters", layer.audioFilters?.isEmpty == false)]
        where isGiven {
            warn("\(path).\(name)", "changes nothing: nothing in a mask is heard", "leave it out")
        }
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        guard let inner = layer.source?.layers, !hasSound(inner, facts) else { return }
        let message = "changes nothing: no video in the group has sound"
        // A silent group is silent, as a volume of 0 and muted ask for.
        if let audio = layer.audio, audio.volume != 0, audio.muted != true { warn("\(path).audio", message, "leave it out") }
        if layer.audioFilters?.isEmpty == false { warn("\(path).audioFilters", message, "leave it out") }
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
    forEachLayer(draft.layers ?? []) { layer, path in
        guard let source = layer.source, let url = source.url, let found = facts[source], found.audio == nil else { return }
        for (name, transition) in layer.transitions where transition.audio != nil {
            warn("\(path).\(name).audio", "changes nothing: '\(url)' has no sound", "leave it out")
        }
    }
}

/// Whether a sound is among the videos of these layers and of the groups among them. A source without facts counts as one,
/// because its fault is reported at its own place.
private func hasSound(_ layers: [DraftLayer], _ facts: [String: SourceFacts]) -> Bool {
    layers.contains { layer in
        guard let source = layer.source else { return false }
        if let inner = source.layers { return hasSound(inner, facts) }
        guard source.type == .video else { return false }
        return facts[source].map { $0.audio != nil } ?? true
    }
}
