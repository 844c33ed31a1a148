package import Vocabulary

/// Colours that pass into each other, measured on the box of a text, a shape or a solid.
package struct GradientStyle: Hashable, Sendable, Encodable {
    package struct Stop: Hashable, Sendable, Encodable {
        package var color: Color
        /// 0...1; without locations, stops are evenly spaced.
        package var location: Double?
    }

    /// A point in fractions of the box.
    package struct Point: Hashable, Sendable, Encodable {
        package var x: Double?
        package var y: Double?
    }

    package var type: GradientKind?
    package var stops: [Stop]
    package var startPoint: Point?
    package var endPoint: Point?

    /// The two points, by default from top to bottom, from the middle to the corners, or from the middle upwards.
    package var ends: (start: (x: Double, y: Double), end: (x: Double, y: Double)) {
        let (start, end): ((x: Double, y: Double), (x: Double, y: Double)) =
            switch type ?? .linear {
            case .linear: ((0.5, 0), (0.5, 1))
            case .radial: ((0.5, 0.5), (1, 1))
            case .angular: ((0.5, 0.5), (0.5, 0))
            }
        return (
            (startPoint?.x ?? start.x, startPoint?.y ?? start.y), (endPoint?.x ?? end.x, endPoint?.y ?? end.y)
        )
    }

    /// Where the stops are, 0...1.
    package var locations: [Double] {
        stops.enumerated().map { index, stop in stop.location ?? Double(index) / Double(max(1, stops.count - 1)) }
    }
}

extension GradientStyle {
    init?(_ reader: inout ObjectReader) {
        type = reader.choice("type", GradientKind.self)
        let stops = reader.array("stops", required: true, atMost: DraftLimits.gradientStops) { stop -> Stop? in
            let location = stop.double("location", in: 0...1)
            return stop.color("color", required: true).map { Stop(color: $0, location: location) }
        }
        startPoint = reader.object("startPoint") { Point(&$0) }
        endPoint = reader.object("endPoint") { Point(&$0) }
        self.stops = stops ?? []
        guard let stops else { return nil }
        guard stops.count > 1 else {
            // Stops that are faulty are reported already.
            if reader.keptIndexes(of: "stops").count < 2 { reader.report("stops", .outOfRange, "must be two colours or more") }
            return nil
        }
        let given = stops.map(\.location)
        if given.contains(where: { $0 == nil }), given.contains(where: { $0 != nil }) {
            reader.report("stops", .conflict, "must all have a location, or none")
        } else if zip(given, given.dropFirst()).contains(where: { ($0 ?? 0) > ($1 ?? 0) }) {
            reader.report("stops", .invalidValue, "must not go back: each location is at least the one before it")
        }
        let (start, end) = ends
        let (width, height) = (abs(end.x - start.x), abs(end.y - start.y))
        if type == .radial, width == 0 || height == 0 {
            reader.report(
                "endPoint", .invalidValue,
                "must differ from startPoint in x and y: the differences are the radii of the ellipse with the last colour")
        } else if width == 0, height == 0 {
            reader.report("endPoint", .invalidValue, "must differ from startPoint")
        }
    }
}

extension GradientStyle.Point {
    init(_ reader: inout ObjectReader) {
        x = reader.double("x", in: -10...10)
        y = reader.double("y", in: -10...10)
    }
}

extension ObjectReader {
    /// Reads `gradient`, which replaces a colour.
    /// - Parameter colorName: the field with the colour.
    mutating func gradient(insteadOf colorName: String) -> GradientStyle? {
        if value("gradient") != nil, value(colorName) != nil {
            report("gradient", .conflict, "cannot be combined with \(colorName); leave one out")
        }
        return object("gradient") { GradientStyle(&$0) }
    }
}
