/// A path in the few kinds of pieces that every drawing library has. `init(svg:)` reads one.
public struct VectorPath: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
        static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
        static func * (a: Point, factor: Double) -> Point { Point(x: a.x * factor, y: a.y * factor) }
    }

    public enum Element: Hashable, Sendable {
        case move(to: Point)
        case line(to: Point)
        /// A cubic Bézier curve.
        case curve(first: Point, second: Point, to: Point)
        /// A line back to where the last move went.
        case close
    }

    public var elements: [Element]

    public init(elements: [Element]) {
        self.elements = elements
    }
}
