import DraftModel
import Vocabulary

/// Warns of what has no effect on sound with the film's channels and sample rate: a pan in mono, and frequencies that the
/// rate does not hold.
func checkMixFormat(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    guard let codec = settings.audioCodec else { return }
    if settings.channels == 1 { warnOfPans(draft, &diagnostics) }
    let rate = settings.sampleRate ?? codec.format.usualSampleRate
    forEachSound(of: draft) { filters, path in
        for (index, filter) in filters.enumerated() {
            let place = "\(path).audioFilters[\(index)]"
            if filter.type == .highpass || filter.type == .lowpass {
                warn(of: filter.parameters["frequency"], "\(place).frequency", rate, &diagnostics)
            }
            guard filter.type == .equalizer else { continue }
            for (number, band) in (filter.parts ?? []).enumerated() {
                warn(of: band["frequency"], "\(place).bands[\(number)].frequency", rate, &diagnostics)
            }
        }
    }
}

private func warn(of frequency: Double?, _ path: String, _ rate: Int, _ diagnostics: inout Diagnostics) {
    guard let frequency, frequency >= Double(rate) / 2, !diagnostics.isFaulty(path) else { return }
    diagnostics.warn(
        path, .noEffect, "changes nothing at \(rate) samples a second, which hold frequencies below \(rate / 2) Hz",
        remedy: "give a lower frequency, or leave the filter out")
}

private func warnOfPans(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    func warn(_ pan: Double?, _ path: String) {
        guard pan != nil, !diagnostics.isFaulty(path) else { return }
        diagnostics.warn(
            path, .noEffect, "changes nothing in a film with one channel", remedy: "export with two channels, or leave it out")
    }
    for (index, clip) in draft.mainTrackClips.enumerated() { warn(clip.pan, "mainTrackClips[\(index)].pan") }
    for (index, clip) in (draft.audioClips ?? []).enumerated() { warn(clip.pan, "audioClips[\(index)].pan") }
    forEachLayer(draft.layers ?? []) { layer, path in warn(layer.audio?.pan, "\(path).audio.pan") }
}

/// Calls `body` with the audio filters of everything that has some, and with its path.
func forEachSound(of draft: Draft, _ body: ([AudioFilter], String) -> Void) {
    for (index, clip) in draft.mainTrackClips.enumerated() { body(clip.audioFilters ?? [], "mainTrackClips[\(index)]") }
    for (index, clip) in (draft.audioClips ?? []).enumerated() { body(clip.audioFilters ?? [], "audioClips[\(index)]") }
    forEachLayer(draft.layers ?? []) { layer, path in body(layer.audioFilters ?? [], path) }
    body(draft.audio?.audioFilters ?? [], "audio")
}
