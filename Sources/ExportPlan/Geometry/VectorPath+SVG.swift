extension VectorPath {
    /// Reads the data of an SVG path with all of its commands. Horizontal and vertical lines become lines; quadratic
    /// curves and arcs become cubic curves. An empty text is an empty path.
    /// - Throws: `VectorPathError` with the number of the byte. A path with an error is not drawn at all.
    package init(svg text: String) throws(VectorPathError) {
        var scanner = PathScanner(text)
        var pen = PathPen()
        while !scanner.isAtEnd {
            guard let letter = scanner.command() else {
                throw scanner.fault(.unknownCommand, "a command is missing")
            }
            guard !pen.elements.isEmpty || letter == UInt8(ascii: "M") || letter == UInt8(ascii: "m") else {
                throw scanner.fault(.unknownCommand, "it does not begin with M or m; the first command ends")
            }
            try pen.draw(letter, &scanner)
        }
        self.init(elements: pen.elements)
    }
}

/// The position of the pen while a path is read, and the elements read so far.
private struct PathPen {
    typealias Point = VectorPath.Point

    var elements: [VectorPath.Element] = []
    private var current = Point(x: 0, y: 0)
    private var start = Point(x: 0, y: 0)
    /// The last control point, for the smooth commands. Nil after a command of another kind.
    private var cubic: Point?
    private var quadratic: Point?

    /// Reads one command with all of its repetitions.
    mutating func draw(_ letter: UInt8, _ scanner: inout PathScanner) throws(VectorPathError) {
        let isRelative = letter >= 97
        guard letter | 32 != UInt8(ascii: "z") else { return close() }
        var kind = letter | 32
        repeat {
            let base = isRelative ? current : Point(x: 0, y: 0)
            try drawOne(kind, base, &scanner)
            // Further coordinate pairs after a move are lines.
            if kind == UInt8(ascii: "m") { kind = UInt8(ascii: "l") }
        } while scanner.hasNumber()
    }

    private mutating func drawOne(_ kind: UInt8, _ base: Point, _ scanner: inout PathScanner) throws(VectorPathError) {
        switch kind {
        case UInt8(ascii: "m"):
            current = try point(base, &scanner)
            start = current
            elements.append(.move(to: current))
            (cubic, quadratic) = (nil, nil)
        case UInt8(ascii: "l"): line(to: try point(base, &scanner))
        case UInt8(ascii: "h"): line(to: Point(x: base.x + (try scanner.number()), y: current.y))
        case UInt8(ascii: "v"): line(to: Point(x: current.x, y: base.y + (try scanner.number())))
        case UInt8(ascii: "c"):
            let first = try point(base, &scanner)
            let second = try point(base, &scanner)
            curve(first, second, to: try point(base, &scanner))
        case UInt8(ascii: "s"):
            let first = cubic.map { current * 2 - $0 } ?? current
            let second = try point(base, &scanner)
            curve(first, second, to: try point(base, &scanner))
        case UInt8(ascii: "q"):
            let control = try point(base, &scanner)
            quadraticCurve(control, to: try point(base, &scanner))
        case UInt8(ascii: "t"):
            let control = quadratic.map { current * 2 - $0 } ?? current
            quadraticCurve(control, to: try point(base, &scanner))
        default:
            let radii = Point(x: try scanner.number(), y: try scanner.number())
            let rotation = try scanner.number()
            let (isLarge, isSweep) = (try scanner.flag(), try scanner.flag())
            let end = try point(base, &scanner)
            let arc = EllipticArc(
                from: current, to: end, radii: radii, degrees: rotation, isLarge: isLarge, isSweep: isSweep)
            elements += arc.elements
            current = end
            (cubic, quadratic) = (nil, nil)
        }
    }

    private func point(_ base: Point, _ scanner: inout PathScanner) throws(VectorPathError) -> Point {
        base + Point(x: try scanner.number(), y: try scanner.number())
    }

    private mutating func line(to end: Point) {
        elements.append(.line(to: end))
        current = end
        (cubic, quadratic) = (nil, nil)
    }

    private mutating func curve(_ first: Point, _ second: Point, to end: Point) {
        elements.append(.curve(first: first, second: second, to: end))
        current = end
        (cubic, quadratic) = (second, nil)
    }

    private mutating func quadraticCurve(_ control: Point, to end: Point) {
        // The same curve as a cubic one.
        let first = current + (control - current) * (2 / 3)
        let second = end + (control - end) * (2 / 3)
        elements.append(.curve(first: first, second: second, to: end))
        current = end
        (cubic, quadratic) = (nil, control)
    }

    private mutating func close() {
        elements.append(.close)
        current = start
        (cubic, quadratic) = (nil, nil)
    }
}
