import DraftModel
import ExportPlan
import Vocabulary

/// Takes tags of the sources over into the film's, as the draft's `sourceMetadata` says. The draft's own tags win.
///
/// Nothing says where a film was taken unless `location` is named, because most people do not know that their files do.
struct SourceTags {
    /// The tags that `first` takes over, by the names that drafts use.
    static let usual = [
        "title", "artist", "album", "album_artist", "comment", "composer", "copyright", "creation_time", "date", "description",
        "genre", "keywords", "synopsis", "make", "model", "software",
    ]

    /// The names under which files have a tag besides its own.
    private static let otherNames: [String: [String]] = [
        "creation_time": ["com.apple.quicktime.creationdate"],
        "location": ["com.apple.quicktime.location.ISO6709"],
        "make": ["com.apple.quicktime.make"],
        "model": ["com.apple.quicktime.model"],
        "software": ["com.apple.quicktime.software"],
    ]

    private let sources: [SourceFacts]
    private let container: ContainerFormat

    init(_ draft: Draft, _ settings: ExportSettings, _ facts: [String: SourceFacts]) {
        sources = draft.mainTrackClips.compactMap { facts[$0] }
        container = settings.decidedFileType.format
    }

    /// - Returns: the tags to add, by the names that the files have, and the wanted names that the container cannot hold.
    func tags(_ wanted: SourceMetadata, besideCover: Bool) -> (tags: [String: String], left: [String]) {
        let known = (besideCover ? container.tags.namesBesideCover : nil) ?? container.tags.names
        var tags: [String: String] = [:]
        var left: [String] = []
        func take(_ name: String, of sources: some Sequence<SourceFacts>) {
            guard let (written, value) = sources.lazy.compactMap({ self.tag(name, of: $0) }).first else { return }
            if known?.contains(written) == false || (container.tags.longestValue.map { value.utf8.count > $0 } ?? false) {
                left.append(name)
            } else {
                tags[written] = value
            }
        }
        switch wanted {
        case .none: break
        case .first: for name in SourceTags.usual { take(name, of: sources.prefix(1)) }
        case .tags(let names): for name in names { take(name, of: sources) }
        }
        return (tags, left)
    }

    private func tag(_ name: String, of source: SourceFacts) -> (name: String, value: String)? {
        for written in [name] + (SourceTags.otherNames[name] ?? []) {
            if let value = source.tags?[written], !value.isEmpty { return (written, value) }
        }
        return nil
    }
}

extension Draft {
    /// The draft with the tags of its sources that it wants.
    func takingSourceTags(_ settings: ExportSettings, _ facts: [String: SourceFacts]) -> Draft {
        guard let sourceMetadata else { return self }
        var result = self
        var tags = SourceTags(self, settings, facts).tags(sourceMetadata, besideCover: cover != nil).tags
        if title != nil { tags["title"] = nil }
        if creationTime != nil { tags["creation_time"] = nil }
        let all = (metadata ?? [:]).merging(tags) { own, _ in own }
        result.metadata = all.isEmpty ? nil : all
        return result
    }
}

/// Reports named tags of sources that the file type cannot hold, and warns of usual ones that it leaves out.
func checkSourceTags(
    _ draft: Draft, _ settings: ExportSettings, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    guard let wanted = draft.sourceMetadata, !diagnostics.isFaulty("sourceMetadata") else { return }
    let type = settings.decidedFileType
    let (taken, left) = SourceTags(draft, settings, facts).tags(wanted, besideCover: draft.cover != nil)
    guard !left.isEmpty else {
        if taken.isEmpty, wanted != .none {
            diagnostics.warn(
                "sourceMetadata", .noEffect, "takes nothing over, because no clip's file has such a tag",
                remedy: "see with spool probe which tags there are")
        }
        return
    }
    if case .tags(let names) = wanted {
        for name in left {
            guard let index = names.firstIndex(of: name) else { continue }
            diagnostics.report(
                "sourceMetadata[\(index)]", .conflict,
                "'\(name)' does not go into a \(type) file as the source has it; leave it out")
        }
    } else {
        diagnostics.warn(
            "sourceMetadata", .noEffect, "leaves out \(left.joined(separator: ", ")), which a \(type) file cannot hold",
            remedy: "name the tags to take over, or write another type of file")
    }
}
