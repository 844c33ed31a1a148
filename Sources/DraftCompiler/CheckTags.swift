import DraftModel
import ExportPlan
import Vocabulary

/// Reports what the file's type has no place for.
func checkTags(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    let type = settings.decidedFileType
    if draft.chapters?.isEmpty == false, !type.holdsChapters {
        diagnostics.report("chapters", .conflict, "do not go into a \(type.rawValue) file")
    }
    for (index, layer) in (draft.layers ?? []).enumerated() where layer.source?.subtitleTrack != nil && !type.holdsSubtitles {
        diagnostics.report(
            "layers[\(index)].source.subtitleTrack", .conflict,
            "does not go into a \(type.rawValue) file; leave it out, or write mp4, mov, webm or mkv")
    }
    if draft.cover != nil, !type.holdsCover {
        diagnostics.report(
            "cover", .conflict, "does not go into a \(type.rawValue) file; leave it out, or write mp4, m4a, mp3 or flac")
    }
    guard let (known, reason) = knownTags(type, hasCover: draft.cover != nil) else { return }
    for name in (draft.metadata ?? [:]).keys.sorted() where !known.contains(name) {
        diagnostics.report(
            "metadata.\(name)", .conflict,
            "is no tag that a \(type.rawValue) file has\(reason) or use one of " + known.sorted().joined(separator: ", "))
    }
}

/// The tags that a file can have, and what else to do about another; nil where any will do.
private func knownTags(_ type: FileType, hasCover: Bool) -> (names: Set<String>, reason: String)? {
    switch type {
    case .webp: (ContainerSettings.animationTags, "; leave it out,")
    case .mp4 where hasCover, .m4a where hasCover:
        (ContainerSettings.usualTags, " beside a cover; leave one of them out,")
    default: nil
    }
}
