import Glibc

/// The arc of an SVG path as cubic curves of at most 90 degrees each. The formulas are those of SVG 2, appendix B.2.4
/// and B.2.5.
struct EllipticArc {
    typealias Point = VectorPath.Point

    let elements: [VectorPath.Element]

    /// - Parameters:
    ///   - radii: the radii. Their signs are ignored. If they are too small, they grow until the arc reaches its end.
    ///   - degrees: the rotation of the ellipse's x axis in degrees.
    init(from start: Point, to end: Point, radii: Point, degrees: Double, isLarge: Bool, isSweep: Bool) {
        var (rx, ry) = (abs(radii.x), abs(radii.y))
        guard start != end else {
            elements = []
            return
        }
        guard rx > 0, ry > 0 else {
            elements = [.line(to: end)]
            return
        }
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let half = (start - end) * 0.5
        let rotated = Point(x: cosine * half.x + sine * half.y, y: cosine * half.y - sine * half.x)
        let need = rotated.x * rotated.x / (rx * rx) + rotated.y * rotated.y / (ry * ry)
        if need > 1 {
            rx *= need.squareRoot()
            ry *= need.squareRoot()
        }
        let part = rx * rx * rotated.y * rotated.y + ry * ry * rotated.x * rotated.x
        let root = max(0, (rx * rx * ry * ry - part) / part).squareRoot() * (isLarge == isSweep ? -1 : 1)
        let middle = Point(x: root * rx * rotated.y / ry, y: -root * ry * rotated.x / rx)
        let from = atan2((rotated.y - middle.y) / ry, (rotated.x - middle.x) / rx)
        var sweep = atan2((-rotated.y - middle.y) / ry, (-rotated.x - middle.x) / rx) - from
        if isSweep, sweep < 0 { sweep += 2 * .pi }
        if !isSweep, sweep > 0 { sweep -= 2 * .pi }

        let center = Point(
            x: cosine * middle.x - sine * middle.y + (start.x + end.x) / 2,
            y: sine * middle.x + cosine * middle.y + (start.y + end.y) / 2)
        func place(_ x: Double, _ y: Double) -> Point {
            center + Point(x: cosine * rx * x - sine * ry * y, y: sine * rx * x + cosine * ry * y)
        }
        let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = sweep / Double(count)
        let pull = 4.0 / 3 * tan(step / 4)
        elements = (0..<count).map { index in
            let (a, b) = (from + Double(index) * step, from + Double(index + 1) * step)
            return .curve(
                first: place(cos(a) - pull * sin(a), sin(a) + pull * cos(a)),
                second: place(cos(b) + pull * sin(b), sin(b) - pull * cos(b)),
                to: index == count - 1 ? end : place(cos(b), sin(b)))
        }
    }
}
