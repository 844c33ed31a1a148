/// How one picture passes into another, by the name that drafts and plans use: Movieous's ten, FFmpeg's xfade (whose own
/// `dissolve` is `dissolveNoise` here), and one that a picture steers.
public enum TransitionKind: String, CaseIterable, Hashable, Sendable, Codable {
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
}
