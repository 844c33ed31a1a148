extension Transform {
    /// Where a picture's corners land, in fractions of the frame: a picture that hangs in space. A number that is left out is
    /// that of the frame's own corner.
    public struct Corners: Hashable, Sendable, Encodable {
        public var topLeft: Pair?
        public var topRight: Pair?
        public var bottomRight: Pair?
        public var bottomLeft: Pair?

        public init(topLeft: Pair? = nil, topRight: Pair? = nil, bottomRight: Pair? = nil, bottomLeft: Pair? = nil) {
            self.topLeft = topLeft
            self.topRight = topRight
            self.bottomRight = bottomRight
            self.bottomLeft = bottomLeft
        }

        /// Names as a draft writes them, each corner with its place in the frame.
        public static let names: [(name: String, x: Double, y: Double)] = [
            ("topLeft", 0, 0), ("topRight", 1, 0), ("bottomRight", 1, 1), ("bottomLeft", 0, 1),
        ]

        /// By the names' order.
        public var pairs: [Pair?] { [topLeft, topRight, bottomRight, bottomLeft] }
    }
}

extension Transform.Corners {
    init?(_ reader: inout ObjectReader) {
        let pairs = Transform.Corners.names.map { corner in reader.object(corner.name) { Transform.Pair(&$0) } }
        self.init(topLeft: pairs[0], topRight: pairs[1], bottomRight: pairs[2], bottomLeft: pairs[3])
    }

    /// What may be animated of it.
    static let properties = names.flatMap { corner in
        ["x", "y"].map { AnimatableProperty(keyPath: "transform.corners.\(corner.name).\($0)", range: -100...100) }
    }

    /// Properties that it gives a value.
    var given: [String] {
        zip(Transform.Corners.names, pairs).flatMap { corner, pair in
            [("x", pair?.x), ("y", pair?.y)].compactMap { axis, value in
                value.map { _ in "transform.corners.\(corner.name).\(axis)" }
            }
        }
    }
}
