import DraftModel
import ExportPlan
import Vocabulary

/// Checks that a film with `colorRange: hdr` can keep the colours of its sources.
///
/// Nothing may be composed, because composing works in 8 bits of BT.709. All pictures must have the same colour
/// description.
func checkColorRange(
    _ draft: Draft, _ settings: ExportSettings, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics
) {
    guard settings.colorRange == .hdr, settings.decidedFileType.format.hasVideo else { return }
    for place in composedPlaces(draft) where !diagnostics.isFaulty(place) {
        diagnostics.report(
            place, .conflict,
            "is composed in 8 bits of BT.709, and colorRange hdr keeps the sources' colours; leave it out, or export with colorRange sdr"
        )
    }
    checkPictures(draft, facts, &diagnostics)
}

/// The paths of everything that composes pictures, in the draft's order.
private func composedPlaces(_ draft: Draft) -> [String] {
    var places: [String] = []
    if let background = draft.background {
        if background.type != .color { places.append("background") }
        if let color = background.color, !color.isBlack { places.append("background.color") }
    }
    for (index, clip) in draft.mainTrackClips.enumerated() {
        let path = "mainTrackClips[\(index)]"
        let parts = [
            ("type", clip.type == .generator), ("color", clip.color.map { !$0.isBlack || $0.alpha != 255 } == true),
            ("frameBlending", clip.frameBlending == true),
            ("transform", clip.transform != nil),
            ("opacity", clip.opacity.map { $0 != 1 } == true), ("filters", clip.filters?.isEmpty == false),
            ("animations", clip.animations?.isEmpty == false), ("transition", clip.transition != nil),
        ]
        places += parts.filter(\.1).map { "\(path).\($0.0)" }
    }
    for (index, effect) in (draft.effects ?? []).enumerated() {
        switch effect.type {
        case .speed, .freeze, .repetition, .cut: break
        case .filter, .lut, .externalFilter, .imageSticker: places.append("effects[\(index)]")
        }
    }
    for (index, layer) in (draft.layers ?? []).enumerated() where layer.source?.burnIn != false {
        places.append("layers[\(index)]")
    }
    return places
}

private func checkPictures(_ draft: Draft, _ facts: [String: SourceFacts], _ diagnostics: inout Diagnostics) {
    let pictures = pictures(of: draft, facts)
    for (place, url, picture) in pictures where !diagnostics.isFaulty(place) {
        if picture.hasAlpha {
            diagnostics.report(place, .conflict, "'\(url)' has transparency, \(remedy)")
        } else if picture.color.matrix == .rgb {
            diagnostics.report(place, .conflict, "'\(url)' is a picture in RGB, \(remedy)")
        } else if let first = pictures.first, !picture.color.hasSameColors(first.picture.color) {
            diagnostics.report(
                place, .conflict,
                "'\(url)' is \(picture.color.described), but '\(first.url)' (\(first.place)) is \(first.picture.color.described); a film "
                    + "that keeps its sources' colours needs one kind of them: leave one of the clips out, or export with colorRange sdr"
            )
        }
    }
    let isKnown = draft.mainTrackClips.allSatisfy { $0.url == nil || facts[$0] != nil }
    if isKnown, !pictures.contains(where: { $0.picture.color.transfer != .sdr || ($0.picture.bitsPerSample ?? 8) > 8 }) {
        diagnostics.report(
            "settings.colorRange", .conflict,
            "hdr has no effect on this draft, because no clip is HDR or has more than 8 bits; leave it out"
        )
    }
}

private let remedy = "which colorRange hdr cannot keep; leave it out, or export with colorRange sdr"

/// The pictures of the main track, in order.
func pictures(of draft: Draft, _ facts: [String: SourceFacts]) -> [(place: String, url: String, picture: VideoFacts)] {
    draft.mainTrackClips.enumerated().compactMap { index, clip in
        guard let url = clip.url, clip.video != false, let picture = facts[clip]?.video else { return nil }
        return ("mainTrackClips[\(index)].url", url, picture)
    }
}

extension Color {
    /// Whether the colour is black. A translucent black also counts, because it is drawn over black.
    fileprivate var isBlack: Bool { red == 0 && green == 0 && blue == 0 }
}

extension ColorDescription {
    /// Whether the same sample values mean the same light. The range (full or limited) may differ, because it is
    /// converted.
    fileprivate func hasSameColors(_ other: ColorDescription) -> Bool {
        matrix == other.matrix && primaries == other.primaries && transfer == other.transfer
    }

    fileprivate var described: String {
        let kind =
            switch transfer {
            case .sdr: "SDR"
            case .pq: "PQ"
            case .hlg: "HLG"
            }
        return "\(kind) with \(primaries.rawValue) primaries and a \(matrix.rawValue) matrix"
    }
}
