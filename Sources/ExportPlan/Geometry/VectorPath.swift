/// A path made of the few kinds of elements that every drawing library has. `init(svg:)` reads one.
package struct VectorPath: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
        static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
        static func * (a: Point, factor: Double) -> Point { Point(x: a.x * factor, y: a.y * factor) }
    }

    package enum Element: Hashable, Sendable {
        case move(to: Point)
        case line(to: Point)
        /// A cubic Bézier curve.
        case curve(first: Point, second: Point, to: Point)
        /// A line back to the point of the last move.
        case close
    }

    package var elements: [Element]

    package init(elements: [Element]) {
        self.elements = elements
    }
}
