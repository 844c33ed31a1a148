import DraftModel
import ExportPlan
import Vocabulary

/// Reports chapters, subtitle tracks, covers and tags that the file type cannot hold.
func checkTags(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    let container = settings.decidedFileType.format
    if draft.chapters?.isEmpty == false, container.chapters == nil {
        diagnostics.report(
            "chapters", .conflict,
            "do not go into a \(container.type) file; leave them out, or write "
                + FormatCatalogue.names { $0.chapters != nil })
    }
    for (index, layer) in (draft.layers ?? []).enumerated()
    where layer.source?.subtitleTrack != nil && container.subtitles == nil {
        diagnostics.report(
            "layers[\(index)].source.subtitleTrack", .conflict,
            "does not go into a \(container.type) file; leave it out, or write "
                + FormatCatalogue.names { $0.subtitles != nil })
    }
    if draft.cover != nil, !container.hasCover {
        diagnostics.report(
            "cover", .conflict,
            "does not go into a \(container.type) file; leave it out, or write \(FormatCatalogue.names(where: \.hasCover))")
    }
    checkNames(draft, container, &diagnostics)
    checkLengths(draft, container, &diagnostics)
}

/// Reports tags whose names the container does not know.
private func checkNames(_ draft: Draft, _ container: ContainerFormat, _ diagnostics: inout Diagnostics) {
    let besideCover = draft.cover == nil ? nil : container.tags.namesBesideCover
    guard let known = besideCover ?? container.tags.names else { return }
    let remedy = besideCover == nil ? "; leave it out," : " beside a cover; leave one of them out,"
    for name in (draft.metadata ?? [:]).keys.sorted() where !known.contains(name) {
        diagnostics.report(
            "metadata.\(name)", .conflict,
            "is not a tag that a \(container.type) file has\(remedy) or use one of " + known.sorted().joined(separator: ", "))
    }
    if draft.creationTime != nil, !known.contains("creation_time") {
        diagnostics.report("creationTime", .conflict, "does not go into a \(container.type) file; leave it out")
    }
}

/// Reports tags that are too long for the container.
private func checkLengths(_ draft: Draft, _ container: ContainerFormat, _ diagnostics: inout Diagnostics) {
    guard let limit = container.tags.longestValue else { return }
    let tags = (draft.metadata ?? [:]).sorted { $0.key < $1.key }.map { ("metadata.\($0.key)", $0.value) }
    for (path, text) in tags + (draft.title.map { [("title", $0)] } ?? []) where text.utf8.count > limit {
        diagnostics.report(
            path, .outOfRange, "may have \(limit) bytes in a \(container.type) file, not \(text.utf8.count)")
    }
}
