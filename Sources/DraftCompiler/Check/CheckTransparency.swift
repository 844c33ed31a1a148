import DraftModel
import Vocabulary

/// Checks that a draft can be composed on a transparent background, and warns where that changes nothing.
func checkTransparency(_ draft: Draft, _ settings: ExportSettings, _ diagnostics: inout Diagnostics) {
    guard settings.keepsTransparency else { return }
    if draft.background?.type == .blur, !diagnostics.isFaulty("background") {
        diagnostics.report(
            "background.type", .conflict,
            "a blurred background covers the frame, and the film is to keep its transparency; leave the background or alpha out")
    }
    if draft.background?.color?.alpha == 255 {
        diagnostics.warn(
            "background.color", .noEffect, "covers the frame, so that the film's alpha is opaque everywhere",
            remedy: "give a translucent colour such as #00000000, or leave the background out")
    }
    for (index, clip) in draft.mainTrackClips.enumerated() {
        guard let kind = clip.transition?.type, kind.comparesColors else { continue }
        let path = "mainTrackClips[\(index)].transition.type"
        guard !diagnostics.isFaulty(path) else { continue }
        diagnostics.report(
            path, .conflict,
            "\(kind.rawValue) compares the colours of both clips, and a transparent film has places without colours; "
                + "choose another transition, or leave alpha out")
    }
}

extension TransitionKind {
    /// Whether a pixel's progress depends on how different both pictures are there.
    fileprivate var comparesColors: Bool { self == .distance || self == .fadeFast || self == .fadeSlow }
}
