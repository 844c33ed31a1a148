/// The transitions by the names in drafts and plans: ten of Movieous, those of FFmpeg's `xfade` (whose `dissolve` is
/// `dissolveNoise` here), `lumaMap`, which a greyscale picture controls, and `externalTransition`, which a plug-in draws.
package enum TransitionKind: String, CaseIterable, Hashable, Sendable, Codable {
    case dissolve, fade
    case wipeLeft, wipeRight, wipeUp, wipeDown
    case slideLeft, slideRight, slideUp, slideDown
    case smoothLeft, smoothRight, smoothUp, smoothDown
    case circleOpen, circleClose, vertOpen, vertClose, horzOpen, horzClose
    case radial, diagTl, diagTr, diagBl, diagBr
    case hlSlice, hrSlice, vuSlice, vdSlice
    case wipeTl, wipeTr, wipeBl, wipeBr
    case circleCrop, rectCrop
    case squeezeH, squeezeV, zoomIn, pixelize, hBlur
    case dissolveNoise, distance
    case fadeBlack, fadeWhite, fadeGrays, fadeFast, fadeSlow
    case lumaMap
    case externalTransition

    /// The kinds that need no plug-in.
    package static let builtIn = allCases.filter { $0 != .externalTransition }
}
