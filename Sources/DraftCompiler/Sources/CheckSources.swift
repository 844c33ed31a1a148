import DraftModel
import ExportPlan
import Operations

/// Checks that each source is of the kind that its place needs, such as media, a lookup table or captions. `place`
/// checks the properties of media.
func checkSources(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    for use in SourceUse.kept(in: draft) {
        guard let found = facts[use.key], !diagnostics.isFaulty(use.path), let fault = fault(use, found) else { continue }
        diagnostics.report(use.path, .invalidValue, "'\(use.url)' \(fault)")
    }
}

private func fault(_ use: SourceUse, _ found: SourceFacts) -> String? {
    switch (use.need, found.auxiliaryKind) {
    case (.lookupTable, .lookupTable), (.captions, .captions), (.font, .font), (.text, _), (.plugin, _): return nil
    case (.lookupTable, nil):
        if let picture = found.video, picture.isStill {
            return LookupImage.isTable(width: picture.size.width, height: picture.size.height)
                ? nil : "is \(picture.size); \(LookupImage.sizes)"
        }
        fallthrough
    case (.lookupTable, _):
        return "is \(found.described); a lookup table is expected: a .cube file, or a HaldCLUT or 512x512 lookup picture"
    case (.captions, _):
        return "is \(found.described); captions are expected: an SRT, WebVTT or ASS file"
    case (.font, _): return "is \(found.described); a font file is expected: TrueType, OpenType or a collection"
    case (.cover, _):
        guard let picture = found.video, picture.isStill, Cover.codecs.contains(picture.codec) else {
            return "is \(found.described); a JPEG or PNG picture is expected"
        }
        return nil
    case (.picture, .some): return "is \(found.described); a picture is expected"
    case (.sound, .some): return "is \(found.described); sound is expected"
    case (.pictureOrSound, .some): return "is \(found.described); a video is expected"
    case (.impulseResponse, _):
        return found.audio == nil ? "is \(found.described) and has no sound; a sound file is expected" : nil
    case (_, nil): return nil
    }
}

extension SourceFacts {
    /// The kind of the file, as a phrase for messages.
    fileprivate var described: String {
        switch auxiliaryKind {
        case .lookupTable: "a lookup table"
        case .captions: "a captions file"
        case .font: "a font file"
        case nil: video.map { $0.isStill ? "a picture" : "a video" } ?? "sound"
        }
    }
}
