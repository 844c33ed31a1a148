import ExactTime
import ExportPlan
import Glibc

/// An affine map: a linear map of the plane and a shift, on coordinates in which pixel (0, 0) reaches from 0 to 1. `x'
/// = xx * x + xy * y + x0`, `y' = yx * x + yy * y + y0`.
struct AffineMap: Equatable {
    var xx: Double
    var xy: Double
    var yx: Double
    var yy: Double
    var x0: Double
    var y0: Double

    /// The map from a picture's pixels to the canvas, at one time.
    /// - Parameters:
    ///   - width, height: the picture's size in its own pixels.
    ///   - fit: scale factors that are applied before the transform.
    init(
        _ transform: LayerTransform, width: Double, height: Double, fit: (x: Double, y: Double) = (1, 1), at time: MediaTime
    ) {
        let angle = transform.rotation.value(at: time)
        let (c, s) = exactRotation(angle)
        let (sx, sy) = (transform.scale.x.value(at: time) * fit.x, transform.scale.y.value(at: time) * fit.y)
        (xx, xy, yx, yy) = (c * sx, -s * sy, s * sx, c * sy)
        let (ax, ay) = (transform.anchor.x.value(at: time) * width, transform.anchor.y.value(at: time) * height)
        let place = transform.place(at: time)
        x0 = place.x - xx * ax - xy * ay
        y0 = place.y - yx * ax - yy * ay
    }

    init(xx: Double, xy: Double, yx: Double, yy: Double, x0: Double, y0: Double) {
        (self.xx, self.xy, self.yx, self.yy, self.x0, self.y0) = (xx, xy, yx, yy, x0, y0)
    }

    /// Scales and rotates about `center`, then moves that point to `position`.
    init(
        scale: Double, rotation: Double, about center: (x: Double, y: Double), to position: (x: Double, y: Double)
    ) {
        let (c, s) = exactRotation(rotation)
        (xx, xy, yx, yy) = (c * scale, -s * scale, s * scale, c * scale)
        (x0, y0) = (position.x - xx * center.x - xy * center.y, position.y - yx * center.x - yy * center.y)
    }

    /// The same map for a picture that has already been scaled by these factors.
    func afterScaling(_ x: Double, _ y: Double) -> AffineMap {
        AffineMap(xx: xx / x, xy: xy / y, yx: yx / x, yy: yy / y, x0: x0, y0: y0)
    }

    /// The same map for a picture whose coordinates begin at `origin` of this picture.
    func beginning(at origin: (x: Double, y: Double)) -> AffineMap {
        var result = self
        result.x0 -= xx * origin.x + xy * origin.y
        result.y0 -= yx * origin.x + yy * origin.y
        return result
    }

    /// The map from a full-resolution picture to a plane of half the canvas's resolution.
    var toHalf: AffineMap { AffineMap(xx: xx / 2, xy: xy / 2, yx: yx / 2, yy: yy / 2, x0: x0 / 2, y0: y0 / 2) }

    /// The map between planes that both have half the resolution.
    var halved: AffineMap { AffineMap(xx: xx, xy: xy, yx: yx, yy: yy, x0: x0 / 2, y0: y0 / 2) }

    /// Canvas pixels per picture pixel along the picture's own axes.
    var scale: (x: Double, y: Double) { (hypot(xx, yx), hypot(xy, yy)) }

    /// The scale factors along the picture's own axes where it is shrunk, and 1 where it is not. The shrinking happens
    /// before the rotation.
    var shrinking: (x: Double, y: Double) { (min(1, scale.x), min(1, scale.y)) }

    var isAxisAligned: Bool { xy == 0 && yx == 0 }

    /// The inverse map. Nil if this map flattens the picture to a line or a point.
    var inverse: AffineMap? {
        let area = xx * yy - xy * yx
        guard abs(area) > 1e-12 else { return nil }
        let inverse = AffineMap(xx: yy / area, xy: -xy / area, yx: -yx / area, yy: xx / area, x0: 0, y0: 0)
        return AffineMap(
            xx: inverse.xx, xy: inverse.xy, yx: inverse.yx, yy: inverse.yy, x0: -(inverse.xx * x0 + inverse.xy * y0),
            y0: -(inverse.yx * x0 + inverse.yy * y0))
    }

    /// The rectangle of the canvas that this window of a picture can touch. Its edges are even, with room for a soft
    /// edge.
    func bounds(of window: PictureWindow, on canvas: FrameSize) -> PixelRect? {
        let (xs, ys) = corners(of: window)
        return AffineMap.evenRect(around: xs, ys, on: canvas)
    }

    /// The rectangle around the given points. Its edges are even, with room for a soft edge. Nil if it does not meet
    /// the canvas.
    static func evenRect(around xs: [Double], _ ys: [Double], on canvas: FrameSize) -> PixelRect? {
        guard let x = evenRange(xs, canvas.width), let y = evenRange(ys, canvas.height) else { return nil }
        return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
    }

    /// The coordinates that a picture of this size covers, not clipped to any canvas.
    func reach(of size: FrameSize) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        let (xs, ys) = corners(of: PictureWindow(size))
        func range(_ values: [Double]) -> ClosedRange<Double> { (values.min() ?? 0)...(values.max() ?? 0) }
        return (range(xs), range(ys))
    }

    private func corners(of window: PictureWindow) -> (xs: [Double], ys: [Double]) {
        let corners = window.corners
        return (corners.map { xx * $0.x + xy * $0.y + x0 }, corners.map { yx * $0.x + yy * $0.y + y0 })
    }

    private static func evenRange(_ values: [Double], _ limit: Int) -> Range<Int>? {
        guard let low = values.min(), let high = values.max(), low.isFinite, high.isFinite else { return nil }
        let start = Int(max(0, (low - 1) / 2).rounded(.down)) * 2
        let end = min(limit, Int(min(Double(limit), high + 1) / 2 + 1) * 2)
        return start < end ? start..<end : nil
    }
}

/// Cosine and sine of an angle in degrees. They are exact at multiples of 90, so that nothing is resampled there
/// without need.
private func exactRotation(_ degrees: Double) -> (cosine: Double, sine: Double) {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    switch turn {
    case 0: return (1, 0)
    case 90, -270: return (0, 1)
    case 180, -180: return (-1, 0)
    case 270, -90: return (0, -1)
    default: return (cos(turn * .pi / 180), sin(turn * .pi / 180))
    }
}
