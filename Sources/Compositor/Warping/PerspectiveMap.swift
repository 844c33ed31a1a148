import ExactTime
import ExportPlan

/// A projective map of the plane: `(x', y') = (a x + b y + c, d x + e y + f) / (g x + h y + i)`, on coordinates in
/// which pixel (0, 0) reaches from 0 to 1. The map from a square to a quadrilateral is from Heckbert, "Fundamentals of
/// Texture Mapping and Image Warping", 1989, section 2.2.3.
struct PerspectiveMap: Equatable {
    /// The coefficients `a` to `i`, row by row.
    private(set) var rows: [SIMD3<Double>]

    /// The map from a picture to the quadrilateral on whose corners its own corners land.
    /// - Parameters:
    ///   - width, height: the picture's size in its own pixels.
    /// - Returns: nil if the corners lie on one line.
    init?(_ corners: LayerTransform.Corners, width: Double, height: Double, at time: MediaTime) {
        let points = [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft].map {
            SIMD2($0.x.value(at: time), $0.y.value(at: time))
        }
        let (one, two) = (points[1] - points[2], points[3] - points[2])
        let sum = points[0] - points[1] + points[2] - points[3]
        let area = one.x * two.y - two.x * one.y
        guard abs(area) > 1e-9, width > 0, height > 0 else { return nil }
        let g = (sum.x * two.y - two.x * sum.y) / area
        let h = (one.x * sum.y - sum.x * one.y) / area
        let across = points[1] - points[0] + g * points[1]
        let down = points[3] - points[0] + h * points[3]
        rows = [
            SIMD3(across.x / width, down.x / height, points[0].x), SIMD3(across.y / width, down.y / height, points[0].y),
            SIMD3(g / width, h / height, 1),
        ]
    }

    /// The composition of both maps: `map` first, then this one.
    func after(_ map: AffineMap) -> PerspectiveMap {
        var result = self
        result.rows = rows.map { row in
            SIMD3(
                row.x * map.xx + row.y * map.yx, row.x * map.xy + row.y * map.yy,
                row.x * map.x0 + row.y * map.y0 + row.z)
        }
        return result
    }

    /// The map between planes that both have half the resolution.
    var halved: PerspectiveMap {
        var result = self
        result.rows[0].z /= 2
        result.rows[1].z /= 2
        result.rows[2].x *= 2
        result.rows[2].y *= 2
        return result
    }

    /// The map from a full-resolution picture to a plane of half the canvas's resolution.
    var toHalf: PerspectiveMap {
        var result = self
        result.rows[2] *= 2
        return result
    }

    /// The inverse map up to a positive factor, which cancels out. The depth is positive for points in front of the
    /// viewer.
    var inverse: PerspectiveMap {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
        let sign: Double = (rows[0] * columns[0]).sum() < 0 ? -1 : 1
        var result = self
        result.rows = [
            sign * SIMD3(columns[0].x, columns[1].x, columns[2].x), sign * SIMD3(columns[0].y, columns[1].y, columns[2].y),
            sign * SIMD3(columns[0].z, columns[1].z, columns[2].z),
        ]
        return result
    }

    /// Where a point lands, and its depth. Nil for a point behind the viewer.
    func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double, depth: Double)? {
        let point = SIMD3(x, y, 1)
        let depth = (rows[2] * point).sum()
        guard depth > 1e-12 else { return nil }
        return ((rows[0] * point).sum() / depth, (rows[1] * point).sum() / depth, depth)
    }
}
