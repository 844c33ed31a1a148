import DraftModel
import ExportPlan
import Operations

/// Whether sources are of the kind that their places need: media, a lookup table, captions. What media has to be like says
/// whoever places it.
func checkSources(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    for use in SourceUse.all(in: draft) {
        guard let found = facts[use.url], !diagnostics.isFaulty(use.path), let fault = fault(use, found) else { continue }
        diagnostics.report(use.path, .invalidValue, "'\(use.url)' \(fault)")
    }
}

private func fault(_ use: SourceUse, _ found: SourceFacts) -> String? {
    switch (use.need, found.document) {
    case (.lookupTable, .lookupTable), (.captions, .captions), (.font, .font), (.lettering, _): return nil
    case (.lookupTable, nil):
        if let picture = found.video, picture.isStill {
            return LookupImage.isTable(width: picture.size.width, height: picture.size.height)
                ? nil : "is \(picture.size); \(LookupImage.sizes)"
        }
        fallthrough
    case (.lookupTable, _):
        return "is \(found.described); a lookup table belongs here: a .cube file, or a HaldCLUT or 512x512 lookup picture"
    case (.captions, _):
        return "is \(found.described); captions belong here: an SRT, WebVTT or ASS file"
    case (.font, _): return "is \(found.described); a font file belongs here: TrueType, OpenType or a collection"
    case (.cover, _):
        guard let picture = found.video, picture.isStill, Cover.codecs.contains(picture.codec) else {
            return "is \(found.described); a JPEG or PNG picture belongs here"
        }
        return nil
    case (.picture, .some): return "is \(found.described); a picture belongs here"
    case (.plugin, .some): return "is \(found.described); a plug-in belongs here"
    case (.sound, .some): return "is \(found.described); sound belongs here"
    case (.pictureOrSound, .some): return "is \(found.described); a video belongs here"
    case (_, nil): return nil
    }
}

extension SourceFacts {
    /// What the file is, as a phrase.
    fileprivate var described: String {
        switch document {
        case .lookupTable: "a lookup table"
        case .captions: "a file of captions"
        case .font: "a font file"
        case nil: video.map { $0.isStill ? "a picture" : "a video" } ?? "sound"
        }
    }
}
