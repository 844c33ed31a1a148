#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An SVG path's arc as cubic curves of at most a quarter turn each. The formulas are those of SVG 2, appendix B.2.4 and
/// B.2.5.
struct EllipticArc {
    typealias Point = VectorPath.Point

    let elements: [VectorPath.Element]

    /// - Parameters:
    ///   - radii: of either sign; too small ones grow until the arc reaches its end.
    ///   - degrees: by which the ellipse's x axis is turned.
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
        let turned = Point(x: cosine * half.x + sine * half.y, y: cosine * half.y - sine * half.x)
        let need = turned.x * turned.x / (rx * rx) + turned.y * turned.y / (ry * ry)
        if need > 1 {
            rx *= need.squareRoot()
            ry *= need.squareRoot()
        }
        let part = rx * rx * turned.y * turned.y + ry * ry * turned.x * turned.x
        let root = max(0, (rx * rx * ry * ry - part) / part).squareRoot() * (isLarge == isSweep ? -1 : 1)
        let middle = Point(x: root * rx * turned.y / ry, y: -root * ry * turned.x / rx)
        let from = atan2((turned.y - middle.y) / ry, (turned.x - middle.x) / rx)
        var sweep = atan2((-turned.y - middle.y) / ry, (-turned.x - middle.x) / rx) - from
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
