import DraftModel
import ExportPlan
import Vocabulary

/// Reports what the file's type has no place for.
func checkTags(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    let type = settings.decidedFileType
    if draft.chapters?.isEmpty == false, !type.holdsChapters {
        diagnostics.report("chapters", .conflict, "do not go into a \(type.rawValue) file")
    }
    guard draft.cover != nil else { return }
    if !type.holdsCover {
        diagnostics.report(
            "cover", .conflict, "does not go into a \(type.rawValue) file; leave it out, or write mp4, m4a, mp3 or flac")
    }
    guard type == .mp4 || type == .m4a else { return }
    for name in (draft.metadata ?? [:]).keys.sorted() where !ContainerSettings.usualTags.contains(name) {
        diagnostics.report(
            "metadata.\(name)", .conflict,
            "is no tag that a \(type.rawValue) file has beside a cover; leave one of them out, or use one of "
                + ContainerSettings.usualTags.sorted().joined(separator: ", "))
    }
}
