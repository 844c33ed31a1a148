extension Transform {
    /// The corners of the drawn picture in fractions of the frame, for a picture in perspective. An absent number is
    /// that of the frame's own corner.
    package struct Corners: Hashable, Sendable, Encodable {
        package var topLeft: Pair?
        package var topRight: Pair?
        package var bottomRight: Pair?
        package var bottomLeft: Pair?

        package init(topLeft: Pair? = nil, topRight: Pair? = nil, bottomRight: Pair? = nil, bottomLeft: Pair? = nil) {
            self.topLeft = topLeft
            self.topRight = topRight
            self.bottomRight = bottomRight
            self.bottomLeft = bottomLeft
        }

        /// The names in a draft, each with the corresponding corner of the frame.
        package static let names: [(name: String, x: Double, y: Double)] = [
            ("topLeft", 0, 0), ("topRight", 1, 0), ("bottomRight", 1, 1), ("bottomLeft", 0, 1),
        ]

        /// The corners in the order of `names`.
        package var pairs: [Pair?] { [topLeft, topRight, bottomRight, bottomLeft] }
    }
}

extension Transform.Corners {
    init?(_ reader: inout ObjectReader) {
        let pairs = Transform.Corners.names.map { corner in reader.object(corner.name) { Transform.Pair(&$0) } }
        self.init(topLeft: pairs[0], topRight: pairs[1], bottomRight: pairs[2], bottomLeft: pairs[3])
    }

    /// The properties that may be animated.
    static let properties = names.flatMap { corner in
        ["x", "y"].map { AnimatableProperty(keyPath: "transform.corners.\(corner.name).\($0)", range: -100...100) }
    }

    /// The properties that have a constant value.
    var given: [String] {
        zip(Transform.Corners.names, pairs).flatMap { corner, pair in
            [("x", pair?.x), ("y", pair?.y)].compactMap { axis, value in
                value.map { _ in "transform.corners.\(corner.name).\(axis)" }
            }
        }
    }
}
