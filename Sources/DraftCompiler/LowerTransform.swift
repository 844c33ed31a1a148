import DraftModel
import ExactTime
import ExportPlan

/// The values of a clip's or layer's properties over time: animated, or what the draft says once.
struct AnimatedProperties {
    private let animations: [Animation]
    private let start: MediaTime

    /// - Parameter start: where time 0 of the animations is.
    init(_ animations: [Animation]?, from start: MediaTime) {
        self.animations = animations ?? []
        self.start = start
    }

    /// Nil where nothing animates it.
    func animated(_ keyPath: String) -> AnimatedValue? {
        animations.first { $0.keyPath == keyPath }.map { AnimatedValue($0).shifted(by: start) }
    }

    func value(_ keyPath: String, _ constant: Double) -> AnimatedValue { animated(keyPath) ?? .constant(constant) }

    /// Animated parameters of the operation at a place of a list, by name.
    func parameters(ofOperation index: Int, in list: String) -> [String: AnimatedValue] {
        let prefix = "\(list)[\(index)]."
        var found: [String: AnimatedValue] = [:]
        for animation in animations where animation.keyPath.hasPrefix(prefix) {
            found[String(animation.keyPath.dropFirst(prefix.count))] = AnimatedValue(animation).shifted(by: start)
        }
        return found
    }
}

/// A transform in canvas pixels.
/// - Parameters:
///   - width, height: of the picture, in its own pixels.
///   - scale: canvas pixels per pixel of the picture at a scale of 1.
func lowerTransform(
    _ transform: Transform?, _ animated: AnimatedProperties, width: Rational, height: Rational,
    scale: (x: Rational, y: Rational), format: PictureFormat
) -> LayerTransform {
    var base = scale
    var middle = (x: 0.5, y: 0.5)
    if let fit = transform?.fit {
        let rect = fit.rect.inPixels(of: format)
        let (fitX, fitY) = (rect.width / width, rect.height / height)
        switch fit.mode ?? .aspectFit {
        case .fill: base = (fitX, fitY)
        case .aspectFit: base = (min(fitX, fitY), min(fitX, fitY))
        case .aspectFill: base = (max(fitX, fitY), max(fitX, fitY))
        case .none: break
        }
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
        rotation: animated.value("transform.rotation", transform?.rotation ?? 0))
}

/// - Parameter start: of the clip or layer.
func lowerOperations(
    _ filters: [Filter]?, _ animated: AnimatedProperties, list: String, from start: MediaTime, facts: [String: SourceFacts]
) -> [Operation]? {
    guard let filters, !filters.isEmpty else { return nil }
    return filters.enumerated().compactMap { index, filter in
        if let external = filter.external {
            let moving = animated.parameters(ofOperation: index, in: list).withoutPrefix
            return Operation(external, moving, from: start, facts: facts)
        }
        var operation = Operation(filter)
        operation.parameters.merge(animated.parameters(ofOperation: index, in: list)) { _, moving in moving }
        return operation
    }
}

extension Rect {
    /// In canvas pixels.
    fileprivate func inPixels(of format: PictureFormat) -> (x: Rational, y: Rational, width: Rational, height: Rational) {
        let (x, y) =
            unit == .ratio ? (Rational(format.canvas.width), Rational(format.canvas.height)) : (format.scale.x, format.scale.y)
        return (self.x * x, self.y * y, self.width * x, self.height * y)
    }
}
