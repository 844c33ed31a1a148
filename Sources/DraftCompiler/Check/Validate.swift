import DraftModel
import ExactTime
import ExportPlan

/// Checks that need no media: there is something to show, ids are unique, and fields do not contradict each other.
func validate(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    if draft.mainTrackClips.isEmpty, draft.layers?.isEmpty != false, !diagnostics.isFaulty("mainTrackClips") {
        diagnostics.report("mainTrackClips", .noClips, "the draft shows nothing; give at least one clip or layer")
    }
    if draft.mainTrackClips.first?.transition != nil {
        diagnostics.report(
            "mainTrackClips[0].transition", .transitionOnFirstClip,
            "the first clip has no clip before it to join; leave the transition out")
    }
    checkFilters(draft, &diagnostics)
    checkCorners(draft, &diagnostics)
    checkSubtitles(draft.layers ?? [], &diagnostics)
    for use in SourceUse.kept(in: draft) where use.isFile {
        if use.url.allSatisfy(\.isWhitespace), !diagnostics.isFaulty(use.path) {
            diagnostics.report(use.path, .invalidValue, "is empty; give the location of a file")
        }
        if FontLocation.matches(use.url) {
            diagnostics.report(use.path, .forbiddenSource, "'\(use.url)' is not a source; name the location of the font file")
        }
        guard let name = PluginLocation.name(of: use.url) else { continue }
        diagnostics.report(
            use.path, .forbiddenSource, "'\(name)' is a plug-in and not a source; call it by its name")
    }
    checkIDs(draft, &diagnostics)
    for (index, clip) in draft.mainTrackClips.enumerated() {
        let path = "mainTrackClips[\(index)]"
        if case .curve = clip.speed, clip.durationAtMainTrack != nil {
            diagnostics.report(
                "\(path).durationAtMainTrack", .conflict, "cannot be combined with a speed that changes; give one of them")
        }
        if case .constant(let speed) = clip.speed, let range = clip.timeRange, let wanted = clip.durationAtMainTrack,
            range.duration / wanted != speed
        {
            diagnostics.report(
                "\(path).durationAtMainTrack", .conflict,
                "gives speed \(range.duration / wanted), but speed is \(speed); give one of them")
        }
    }
}

/// Checks that no two elements have one id: clips, audio clips, effects and layers, with the layers of groups and masks.
private func checkIDs(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    var places: [String: String] = [:]
    func check(_ id: String?, _ path: String) {
        guard let id else { return }
        if let first = places[id] {
            diagnostics.report("\(path).id", .duplicateID, "'\(id)' is also the id of \(diagnostics.written(first))")
        }
        places[id] = path
    }
    for (index, clip) in draft.mainTrackClips.enumerated() { check(clip.id, "mainTrackClips[\(index)]") }
    for (index, clip) in (draft.audioClips ?? []).enumerated() { check(clip.id, "audioClips[\(index)]") }
    for (index, effect) in (draft.effects ?? []).enumerated() { check(effect.id, "effects[\(index)]") }
    forEachLayer(draft.layers ?? []) { layer, path in check(layer.id, path) }
}
