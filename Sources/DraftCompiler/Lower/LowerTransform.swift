import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// The values of a clip's or layer's properties over time: animated, or constant as the draft gives them.
struct AnimatedProperties {
    private let animations: [Animation]
    /// The time of the animations' time 0.
    let start: MediaTime
    /// The prefix of all key paths that are asked for, with a dot at its end.
    private var owner = ""

    init(_ animations: [Animation]?, from start: MediaTime) {
        self.animations = animations ?? []
        self.start = start
    }

    /// The properties of a nested object, by its own key paths.
    func inside(_ name: String) -> AnimatedProperties {
        var inside = self
        inside.owner += name + "."
        return inside
    }

    /// The animated value of a property; nil if no animation names it.
    func animated(_ keyPath: String) -> AnimatedValue? {
        animations.first { $0.keyPath == owner + keyPath }.map { AnimatedValue($0.curve).shifted(by: start) }
    }

    /// The prefix of the key paths of a transform's corners.
    fileprivate static let corners = "transform.corners."

    fileprivate var animatesCorners: Bool {
        animations.contains { $0.keyPath.hasPrefix(owner + AnimatedProperties.corners) }
    }

    func value(_ keyPath: String, _ constant: Double) -> AnimatedValue { animated(keyPath) ?? .constant(constant) }

    /// The animated parameters of the operation at an index of a list, by name.
    func parameters(ofOperation index: Int, in list: String) -> [String: AnimatedValue] {
        values(under: "\(list)[\(index)].")
    }

    /// The animated values whose key paths begin with a prefix, by the rest of these paths.
    func values(under prefix: String) -> [String: AnimatedValue] {
        let prefix = owner + prefix
        var found: [String: AnimatedValue] = [:]
        for animation in animations where animation.keyPath.hasPrefix(prefix) {
            found[String(animation.keyPath.dropFirst(prefix.count))] = AnimatedValue(animation.curve).shifted(by: start)
        }
        return found
    }
}

/// Canvas pixels per pixel of a picture that is fitted into a rectangle. Without a fit it is `scale`.
func fittedScale(
    _ fit: Transform.Fit?, width: Rational, height: Rational, scale: (x: Rational, y: Rational), format: PictureFormat
) -> (x: Rational, y: Rational) {
    guard let fit else { return scale }
    let rect = fit.rect.inPixels(of: format)
    return (fit.mode ?? .aspectFit).scale(rect.width / width, rect.height / height) ?? scale
}

/// A transform in canvas pixels.
/// - Parameters:
///   - width, height: the size of the picture in its own pixels.
///   - scale: canvas pixels per pixel of the picture at a transform scale of 1.
///   - crop: the crop, if it is animated. Its size changes, so the crop itself says how it is fitted.
func lowerTransform(
    _ transform: Transform?, _ animated: AnimatedProperties, width: Rational, height: Rational,
    scale: (x: Rational, y: Rational), crop: LayerCrop? = nil, format: PictureFormat
) -> LayerTransform {
    let moving = lowerFit(transform, animated, format)
    let isFittedLater = crop?.fit != nil || moving.map { $0.mode != .none } == true
    let base =
        isFittedLater ? (.one, .one) : fittedScale(transform?.fit, width: width, height: height, scale: scale, format: format)
    var middle = (x: 0.5, y: 0.5)
    if let fit = transform?.fit {
        let rect = fit.rect.inPixels(of: format)
        middle.x = ((rect.x + rect.width / Rational(2)) / Rational(format.canvas.width)).doubleValue
        middle.y = ((rect.y + rect.height / Rational(2)) / Rational(format.canvas.height)).doubleValue
    }
    func pair(
        _ name: String, _ given: Transform.Pair?, _ unset: (x: Double, y: Double), _ factor: (x: Double, y: Double)
    ) -> LayerTransform.Pair {
        let both = animated.animated("transform.\(name)")
        return LayerTransform.Pair(
            x: (both ?? animated.value("transform.\(name).x", given?.x ?? unset.x)).scaled(by: factor.x),
            y: (both ?? animated.value("transform.\(name).y", given?.y ?? unset.y)).scaled(by: factor.y))
    }
    return LayerTransform(
        position: pair("center", transform?.center, middle, (Double(format.canvas.width), Double(format.canvas.height))),
        anchor: pair("anchor", transform?.anchor, (0.5, 0.5), (1, 1)),
        scale: pair("scale", transform?.scale, (1, 1), (base.x.doubleValue, base.y.doubleValue)),
        rotation: animated.value("transform.rotation", transform?.rotation ?? 0),
        corners: lowerCorners(transform?.corners, animated, format), fit: moving)
}

/// The animated fit; nil if no number of the rectangle is animated.
private func lowerFit(_ transform: Transform?, _ animated: AnimatedProperties, _ format: PictureFormat) -> LayerFit? {
    guard let fit = transform?.fit else { return nil }
    let numbers = animated.inside("transform.fit.rect")
    guard ["x", "y", "width", "height"].contains(where: { numbers.animated($0) != nil }) else { return nil }
    let given = fit.rect.inPixels(of: format)
    let isRatio = fit.rect.unit == .ratio
    let pixels = (
        x: isRatio ? Double(format.canvas.width) : format.scale.x.doubleValue,
        y: isRatio ? Double(format.canvas.height) : format.scale.y.doubleValue
    )
    func value(_ name: String, _ unset: Rational, _ factor: Double) -> AnimatedValue {
        numbers.animated(name)?.scaled(by: factor) ?? .constant(unset.doubleValue)
    }
    return LayerFit(
        x: value("x", given.x, pixels.x), y: value("y", given.y, pixels.y), width: value("width", given.width, pixels.x),
        height: value("height", given.height, pixels.y), mode: fit.mode ?? .aspectFit,
        placesX: transform?.center?.x == nil && animated.animated("transform.center.x") == nil,
        placesY: transform?.center?.y == nil && animated.animated("transform.center.y") == nil)
}

/// The corners; nil if neither the transform nor an animation gives any.
private func lowerCorners(
    _ corners: Transform.Corners?, _ animated: AnimatedProperties, _ format: PictureFormat
) -> LayerTransform.Corners? {
    guard corners != nil || animated.animatesCorners else { return nil }
    let pairs = corners?.pairs ?? [nil, nil, nil, nil]
    let lowered = zip(Transform.Corners.names, pairs).map { corner, pair in
        let path = "\(AnimatedProperties.corners)\(corner.name)"
        return LayerTransform.Pair(
            x: animated.value("\(path).x", pair?.x ?? corner.x).scaled(by: Double(format.canvas.width)),
            y: animated.value("\(path).y", pair?.y ?? corner.y).scaled(by: Double(format.canvas.height)))
    }
    return LayerTransform.Corners(
        topLeft: lowered[0], topRight: lowered[1], bottomRight: lowered[2], bottomLeft: lowered[3])
}

/// Lowers the operations of a clip, layer or effect.
/// - Parameters:
///   - scale: pixels of the picture that they run on per pixel of `videoSize`.
///   - facts: the facts of the files that operations read.
func lowerOperations(
    _ filters: [Filter]?, _ animated: AnimatedProperties, list: String, scale: Rational, facts: [String: SourceFacts]
) -> [Operation]? {
    guard let filters, !filters.isEmpty else { return nil }
    return filters.enumerated().compactMap { index, filter in
        let moving = animated.parameters(ofOperation: index, in: list)
        if let external = filter.external {
            return Operation(external, moving.withoutPrefix, from: animated.start, facts: facts)
        }
        return Operation(filter, moving: moving, from: animated.start, scale: scale, facts: facts)
    }
}

extension Rect {
    /// The rectangle in canvas pixels.
    func inPixels(of format: PictureFormat) -> (x: Rational, y: Rational, width: Rational, height: Rational) {
        let (x, y) =
            unit == .ratio ? (Rational(format.canvas.width), Rational(format.canvas.height)) : (format.scale.x, format.scale.y)
        return (self.x * x, self.y * y, self.width * x, self.height * y)
    }
}
