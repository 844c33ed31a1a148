package import ExportPlan
package import Media
package import Vocabulary

/// How far a transition is: frame `step` of `count`.
package struct TransitionProgress: Equatable, Sendable {
    /// 0 ..< count.
    package var step: Int
    /// At least 1.
    package var count: Int

    package init(step: Int, count: Int) {
        self.step = step
        self.count = count
    }

    /// `1 - p`, which FFmpeg's xfade calls its progress. It is computed in the same single precision because the places
    /// of edges depend on it.
    var remaining: Float { min(1, max(0, 1 - Float(step) / Float(count))) }
}

/// The contents of the three planes of a transition's pictures.
package enum TransitionPlanes: Sendable {
    /// Luma and chroma.
    case colors
    /// The coverage of luma samples, and twice that of chroma samples: 0 transparent, 255 opaque. The colours that
    /// transitions go through (black, white) are opaque.
    case coverage
}

/// One transition at one size, ready to draw any of its frames. Everything that does not depend on the frame is
/// computed beforehand.
package protocol TransitionDrawing {
    /// Draws one frame.
    ///
    /// - Parameters:
    ///   - from: the outgoing picture A, 8-bit 4:2:0, of the target's size.
    ///   - to: the incoming picture B, likewise.
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame)
}

/// Makes the drawing of each kind of transition. Except for the first ten kinds and `lumaMap`, a kind draws what FFmpeg
/// 5.1's xfade draws on the picture with its chroma repeated to full resolution; a chroma sample is the mean of the
/// four places that it covers.
///
/// - Parameters:
///   - size: the size of the pictures. Both sides are even.
///   - map: the map of `lumaMap`, which becomes a dissolve without one.
///   - kind: one of `TransitionKind.builtIn`.
///   - planes: what the planes of the pictures hold.
/// - Throws: `MediaError` `outOfMemory`.
package func makeTransitionDrawing(
    _ kind: TransitionKind, size: FrameSize, map: LumaMapReveal? = nil, of planes: TransitionPlanes = .colors
) throws(MediaError) -> any TransitionDrawing {
    switch kind {
    case .dissolve: return Dissolve()
    case .fade: return FadeThroughBlack(planes)
    case .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown: return StripTransition(kind)
    case .smoothLeft, .smoothRight, .smoothUp, .smoothDown, .vertOpen, .vertClose, .horzOpen, .horzClose, .circleOpen,
        .circleClose, .radial, .diagTl, .diagTr, .diagBl, .diagBr:
        return SmoothReveal(kind, size: size)
    case .hlSlice, .hrSlice, .vuSlice, .vdSlice: return Slices(kind, size: size)
    case .wipeTl, .wipeTr, .wipeBl, .wipeBr: return CornerWipe(kind)
    case .circleCrop, .rectCrop: return try Crop(kind, size: size, planes)
    case .dissolveNoise: return NoiseReveal(size: size)
    case .squeezeH, .squeezeV: return Squeeze(kind)
    case .zoomIn: return ZoomIn()
    case .pixelize: return Pixelize()
    case .hBlur: return HorizontalBlur()
    case .distance: return DistanceReveal(planes)
    // Coverage goes through the full coverage of the colour. The two pictures without chroma keep theirs.
    case .fadeBlack: return ColorFade(planes == .coverage ? .coverage : .black)
    case .fadeWhite: return ColorFade(planes == .coverage ? .coverage : .white)
    case .fadeGrays: return planes == .coverage ? Dissolve() : ColorFade(.grays)
    case .fadeFast, .fadeSlow: return DifferenceFade(kind)
    case .lumaMap: return map ?? Dissolve()
    // A plug-in draws it; a plan without the plug-in is not made by any compiler.
    case .externalTransition: return Dissolve()
    }
}
