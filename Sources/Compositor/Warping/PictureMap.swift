import ExportPlan

/// A map from a picture's samples to the canvas: affine (move, scale, rotate) or in perspective.
enum PictureMap: Equatable {
    case affine(AffineMap)
    case perspective(PerspectiveMap)

    /// The map between planes that both have half the resolution.
    var halved: PictureMap {
        switch self {
        case .affine(let map): .affine(map.halved)
        case .perspective(let map): .perspective(map.halved)
        }
    }

    /// The map from a full-resolution picture to a plane of half the canvas's resolution.
    var toHalf: PictureMap {
        switch self {
        case .affine(let map): .affine(map.toHalf)
        case .perspective(let map): .perspective(map.toHalf)
        }
    }

    /// Whether a pixel of the picture may become larger than a pixel of the canvas.
    var enlarges: Bool {
        switch self {
        case .affine(let map): map.scale.x > 1 || map.scale.y > 1
        case .perspective: true
        }
    }

    /// The method by which `PictureWarp` draws a picture of this size.
    func method(of size: FrameSize, on canvas: FrameSize) -> Explanation.PlacementMethod {
        switch self {
        case .affine(.identity) where size == canvas: return .asItIs
        case .affine(let map):
            if map.isAxisAligned { return .alongAxes }
            if map.xx == 0, map.yy == 0 { return .quarterTurn }
            return map.shrinking == (1, 1) ? .interpolated : .shrunkAndInterpolated
        case .perspective: return .perspective
        }
    }

    /// The rectangle of the canvas that this window of a picture can touch. Its edges are even, with room for a soft
    /// edge. Nil if it does not meet the canvas.
    func bounds(of window: PictureWindow, on canvas: FrameSize) -> PixelRect? {
        switch self {
        case .affine(let map): return map.bounds(of: window, on: canvas)
        case .perspective(let map):
            let corners = window.corners.map { map($0.x, $0.y) }
            // If one corner lies behind the viewer, the picture may appear anywhere.
            guard corners.allSatisfy({ $0 != nil }) else { return PixelRect(canvas) }
            return AffineMap.evenRect(
                around: corners.compactMap { $0?.x }, corners.compactMap { $0?.y }, on: canvas)
        }
    }
}
