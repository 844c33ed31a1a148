public import ExportPlan
public import Media
public import Vocabulary

/// How far a transition is: frame `step` of `count`.
public struct TransitionProgress: Equatable, Sendable {
    /// 0 ..< count.
    public var step: Int
    /// At least 1.
    public var count: Int

    public init(step: Int, count: Int) {
        self.step = step
        self.count = count
    }

    /// `1 - p`: what FFmpeg's xfade calls its progress, in the same single precision, because edges hang on it.
    var remaining: Float { min(1, max(0, 1 - Float(step) / Float(count))) }
}

/// One transition at one size, ready to draw any of its frames. What does not depend on the frame has been computed.
public protocol TransitionDrawing {
    /// Draws one frame.
    ///
    /// - Parameters:
    ///   - from: the outgoing picture A, 8-bit 4:2:0, of the target's size.
    ///   - to: the incoming picture B, likewise.
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame)
}

/// The drawing of each kind. Apart from the first ten and `lumaMap` a kind draws what FFmpeg 5.1's xfade draws on the
/// picture with its chroma repeated to full resolution; a chroma sample is the mean of the four places that it covers.
///
/// - Parameters:
///   - size: of the pictures; both sides even.
///   - map: of `lumaMap`, which without one is a dissolve.
/// - Throws: `MediaError` `outOfMemory`.
public func makeTransitionDrawing(
    _ kind: TransitionKind, size: FrameSize, map: LumaMapReveal? = nil
) throws(MediaError) -> any TransitionDrawing {
    switch kind {
    case .dissolve: return Dissolve()
    case .fade: return FadeThroughBlack()
    case .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown: return StripTransition(kind)
    case .smoothLeft, .smoothRight, .smoothUp, .smoothDown, .vertOpen, .vertClose, .horzOpen, .horzClose, .circleOpen,
        .circleClose, .radial, .diagTl, .diagTr, .diagBl, .diagBr:
        return SmoothReveal(kind, size: size)
    case .hlSlice, .hrSlice, .vuSlice, .vdSlice: return Slices(kind, size: size)
    case .wipeTl, .wipeTr, .wipeBl, .wipeBr: return CornerWipe(kind)
    case .circleCrop, .rectCrop: return try Crop(kind, size: size)
    case .dissolveNoise: return NoiseReveal(size: size)
    case .squeezeH, .squeezeV: return Squeeze(kind)
    case .zoomIn: return ZoomIn()
    case .pixelize: return Pixelize()
    case .hBlur: return HorizontalBlur()
    case .distance: return DistanceReveal()
    case .fadeBlack: return ColorFade(.black)
    case .fadeWhite: return ColorFade(.white)
    case .fadeGrays: return ColorFade(.grays)
    case .fadeFast, .fadeSlow: return DifferenceFade(kind)
    case .lumaMap: return map ?? Dissolve()
    }
}
