import DraftModel
import ExportPlan
import Vocabulary

/// Reports sound tracks that the film's file cannot hold, and ids in them that nothing with sound has.
func checkAudioTracks(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    guard let tracks = draft.audioTracks, !tracks.isEmpty else { return }
    let container = settings.decidedFileType.format
    if !container.holdsSoundTracks {
        diagnostics.report(
            "audioTracks", .conflict,
            "do not go into a \(container.type) file; leave them out, or write "
                + FormatCatalogue.names(where: \.holdsSoundTracks))
    }
    if settings.preset == .passthrough {
        diagnostics.report(
            "audioTracks", .conflict, "are mixed, and passthrough copies; leave them out, or export with another preset")
    }
    let known = soundIDs(of: draft)
    let names = known.sorted()
    // A comparison with all names takes time, so that only the first faults get a suggestion.
    var suggestions = 20
    for (index, track) in tracks.enumerated() {
        for (field, ids) in [("mix", track.mix), ("without", track.without)] {
            for (number, id) in (ids ?? []).enumerated() where !known.contains(id) {
                guard !diagnostics.isFull else { return }
                suggestions -= 1
                let near = suggestions < 0 ? "" : nearestName(to: id, among: names).map { "; did you mean '\($0)'?" } ?? ""
                diagnostics.report(
                    "audioTracks[\(index)].\(field)[\(number)]", .invalidValue,
                    "'\(id)' is not the id of a clip, an audio clip or a video layer\(near)")
            }
        }
    }
}

/// The ids of everything that can be heard, and of groups.
private func soundIDs(of draft: Draft) -> Set<String> {
    var ids = Set(draft.mainTrackClips.filter { $0.type == .av }.compactMap(\.id))
    ids.formUnion((draft.audioClips ?? []).compactMap(\.id))
    forEachLayer(draft.layers ?? []) { layer, _ in
        guard let id = layer.id, layer.source?.type == .video || layer.source?.type == .group else { return }
        ids.insert(id)
    }
    return ids
}
