public import Vocabulary

/// Where a picture lands. It is scaled about its anchor, turned, and put down with the anchor at the centre.
public struct Transform: Hashable, Sendable, Encodable {
    /// Two numbers; one that is left out has its default.
    public struct Pair: Hashable, Sendable, Encodable {
        public var x: Double?
        public var y: Double?

        public init(x: Double? = nil, y: Double? = nil) {
            self.x = x
            self.y = y
        }
    }

    /// A rectangle that the picture is fitted into before `scale`.
    public struct Fit: Hashable, Sendable, Encodable {
        /// Of the frame.
        public var rect: Rect
        /// `aspectFit` by default.
        public var mode: ScalingMode?

        public init(rect: Rect, mode: ScalingMode? = nil) {
            self.rect = rect
            self.mode = mode
        }
    }

    /// Fractions of the frame; (0.5, 0.5), or the middle of `fit`, by default.
    public var center: Pair?
    /// 1 draws a source pixel as one pixel of `videoSize`; -100...100. `scale` in a draft is one number or two.
    public var scale: Pair?
    /// Degrees clockwise, within a hundred turns.
    public var rotation: Double?
    /// Fractions of the picture: what lands on the centre; (0.5, 0.5) by default.
    public var anchor: Pair?
    public var fit: Fit?
    /// Instead of everything else here.
    public var corners: Corners?

    public init(
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

    /// What may be animated of it, and within what range.
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
            reader.refuse(["center", "scale", "rotation", "anchor", "fit"], "does not go with corners, which say all")
        }
    }

    /// Properties that this transform gives a value.
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
    /// What may be animated of the rectangle, in the unit that it is given in.
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
