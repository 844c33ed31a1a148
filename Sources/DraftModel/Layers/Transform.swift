package import Vocabulary

/// Where a picture is drawn. It is scaled and rotated about its anchor, then moved so that the anchor lies at the
/// centre.
package struct Transform: Hashable, Sendable, Encodable {
    /// Two numbers. An absent one has its default value.
    package struct Pair: Hashable, Sendable, Encodable {
        package var x: Double?
        package var y: Double?

        package init(x: Double? = nil, y: Double? = nil) {
            self.x = x
            self.y = y
        }
    }

    /// A rectangle that the picture is fitted into before `scale`.
    package struct Fit: Hashable, Sendable, Encodable {
        /// The rectangle in the frame.
        package var rect: Rect
        /// `aspectFit` by default.
        package var mode: ScalingMode?

        package init(rect: Rect, mode: ScalingMode? = nil) {
            self.rect = rect
            self.mode = mode
        }
    }

    /// The centre in fractions of the frame; by default (0.5, 0.5) or the middle of `fit`.
    package var center: Pair?
    /// The scale, -100...100. At 1 a source pixel is drawn as one pixel of `videoSize`. In JSON it is one number or
    /// two.
    package var scale: Pair?
    /// Degrees clockwise, -36 000...36 000.
    package var rotation: Double?
    /// The point of the picture that lies on the centre, in fractions of the picture; (0.5, 0.5) by default.
    package var anchor: Pair?
    package var fit: Fit?
    /// The corners of the drawn picture. They exclude all other fields.
    package var corners: Corners?

    package init(
        center: Pair? = nil, scale: Pair? = nil, rotation: Double? = nil, anchor: Pair? = nil, fit: Fit? = nil,
        corners: Corners? = nil
    ) {
        self.center = center
        self.scale = scale
        self.rotation = rotation
        self.anchor = anchor
        self.fit = fit
        self.corners = corners
    }

    /// The properties that may be animated, with their ranges.
    static let properties: [AnimatableProperty] =
        [
            AnimatableProperty(keyPath: "transform.center.x", range: -100...100),
            AnimatableProperty(keyPath: "transform.center.y", range: -100...100),
            AnimatableProperty(keyPath: "transform.scale", range: -100...100),
            AnimatableProperty(keyPath: "transform.scale.x", range: -100...100),
            AnimatableProperty(keyPath: "transform.scale.y", range: -100...100),
            AnimatableProperty(keyPath: "transform.rotation", range: -36_000...36_000),
            AnimatableProperty(keyPath: "transform.anchor.x", range: -100...100),
            AnimatableProperty(keyPath: "transform.anchor.y", range: -100...100),
        ] + Corners.properties
}

extension Transform {
    init?(_ reader: inout ObjectReader) {
        center = reader.object("center") { Pair(&$0) }
        anchor = reader.object("anchor") { Pair(&$0) }
        rotation = reader.double("rotation", in: -36_000...36_000)
        if case .object = reader.value("scale") {
            scale = reader.object("scale") { Pair(&$0) }
        } else if let both = reader.double("scale", in: -100...100) {
            scale = Pair(x: both, y: both)
        }
        fit = reader.object("fit") { Fit(&$0) }
        corners = reader.object("corners") { Corners(&$0) }
        if corners != nil {
            reader.refuse(
                ["center", "scale", "rotation", "anchor", "fit"], "cannot be combined with corners, which place the whole picture"
            )
        }
    }

    /// The properties to which this transform gives a constant value.
    var given: [String] {
        [
            ("transform.center.x", center?.x), ("transform.center.y", center?.y), ("transform.scale.x", scale?.x),
            ("transform.scale.y", scale?.y), ("transform.rotation", rotation), ("transform.anchor.x", anchor?.x),
            ("transform.anchor.y", anchor?.y),
        ].compactMap { $0.1 == nil ? nil : $0.0 } + (corners?.given ?? [])
    }
}

extension Transform.Pair {
    init?(_ reader: inout ObjectReader) {
        x = reader.double("x", in: -100...100)
        y = reader.double("y", in: -100...100)
    }
}

extension Transform.Fit {
    /// The properties of the rectangle that may be animated, in the rectangle's unit.
    var properties: [AnimatableProperty] {
        let limit = rect.unit == .ratio ? 1.0 : 16_384
        return ["x", "y", "width", "height"].map { AnimatableProperty(keyPath: "transform.fit.rect.\($0)", range: 0...limit) }
    }

    init?(_ reader: inout ObjectReader) {
        let rect = reader.object("rect", required: true) { Rect(&$0) }
        let mode = reader.choice("mode", ScalingMode.self)
        guard let rect else { return nil }
        self.init(rect: rect, mode: mode)
    }
}
