import ExportPlan

/// From a picture's samples to the canvas: moved, scaled and turned, or in perspective.
enum PictureMap: Equatable {
    case affine(AffineMap)
    case perspective(PerspectiveMap)

    /// The same map between planes of half the resolution.
    var halved: PictureMap {
        switch self {
        case .affine(let map): .affine(map.halved)
        case .perspective(let map): .perspective(map.halved)
        }
    }

    /// The same map to a plane of half the resolution.
    var toHalf: PictureMap {
        switch self {
        case .affine(let map): .affine(map.toHalf)
        case .perspective(let map): .perspective(map.toHalf)
        }
    }

    /// Whether a pixel of the picture may become larger than one of the canvas.
    var enlarges: Bool {
        switch self {
        case .affine(let map): map.scale.x > 1 || map.scale.y > 1
        case .perspective: true
        }
    }

    /// By which way `FreeRasterizer` goes.
    func way(of size: FrameSize, on canvas: FrameSize) -> PlacingProgram.Way {
        switch self {
        case .affine(.identity) where size == canvas: return .asItIs
        case .affine(let map):
            if map.isAxisAligned { return .alongAxes }
            if map.xx == 0, map.yy == 0 { return .quarterTurn }
            return map.shrinking == (1, 1) ? .interpolated : .shrunkAndInterpolated
        case .perspective: return .perspective
        }
    }

    /// The part of the canvas that a part of a picture can touch, edges even, with room for a soft edge; nil where there is none.
    func bounds(of window: PictureWindow, on canvas: FrameSize) -> PixelRect? {
        switch self {
        case .affine(let map): return map.bounds(of: window, on: canvas)
        case .perspective(let map):
            let corners = window.corners.map { map($0.x, $0.y) }
            // A picture of which a part lies behind the eye may be seen anywhere.
            guard corners.allSatisfy({ $0 != nil }) else { return PixelRect(canvas) }
            return AffineMap.evenRect(
                around: corners.compactMap { $0?.x }, corners.compactMap { $0?.y }, on: canvas)
        }
    }
}
