import Glibc

/// An affine map from a picture's own pixels to the canvas: it scales about the anchor, rotates clockwise, and moves
/// the anchor to a place (docs/draft.md, "Transforms").
struct ReferenceMap {
    /// The picture's x and y axes on the canvas, per pixel of the picture.
    private let right: SIMD2<Double>
    private let down: SIMD2<Double>
    private let origin: SIMD2<Double>

    /// - Parameters:
    ///   - anchor: the anchor in pixels of the picture.
    ///   - place: where the anchor lands, in canvas pixels.
    ///   - degrees: the rotation, clockwise; y points down.
    init(anchor: SIMD2<Double>, at place: SIMD2<Double>, scale: SIMD2<Double>, degrees: Double) {
        let angle = degrees * .pi / 180
        right = SIMD2(cos(angle), sin(angle)) * scale.x
        down = SIMD2(-sin(angle), cos(angle)) * scale.y
        origin = place - right * anchor.x - down * anchor.y
    }

    /// Canvas pixels per picture pixel along the picture's axes.
    var scale: SIMD2<Double> { SIMD2(hypot(right.x, right.y), hypot(down.x, down.y)) }

    /// Whether the picture's axes differ from those of the canvas.
    var isRotated: Bool { min(abs(right.x), abs(right.y)) > 1e-9 * max(abs(right.x), abs(right.y)) }

    /// The place in the picture that lands on a place of the canvas. Nil if the picture has no area.
    func source(of place: SIMD2<Double>) -> SIMD2<Double>? {
        let area = right.x * down.y - right.y * down.x
        guard abs(area) > 1e-12 else { return nil }
        let from = place - origin
        return SIMD2((from.x * down.y - from.y * down.x) / area, (right.x * from.y - right.y * from.x) / area)
    }
}
