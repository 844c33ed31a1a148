import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// A crop, classified as constant or animated.
enum LoweredCrop {
    /// A crop that is constant, whether the draft gives one value or equal keyframes; nil is the whole picture.
    case still(Rect?)
    case moving(LayerCrop)

    /// - Parameters:
    ///   - given: the crop of the draft. Animations replace its numbers.
    ///   - size: the size of the upright picture.
    init(_ given: Rect?, _ animated: AnimatedProperties, of size: FrameSize) {
        let animated = animated.inside("cropRect")
        let parts = ["x", "y", "width", "height"].map { animated.animated($0) }
        guard parts.contains(where: { $0 != nil }) else {
            self = .still(given)
            return
        }
        let isRatio = given?.unit == .ratio
        let (width, height) = isRatio ? (Rational.one, .one) : (Rational(size.width), Rational(size.height))
        let whole = Rect(x: .zero, y: .zero, width: width, height: height)
        let rect = given ?? whole
        let unset = [rect.x, rect.y, rect.width, rect.height]
        let still = zip(parts, unset).map { part, unset in part.map { $0.constantValue.map(Rational.init(nearest:)) } ?? unset }
        if let x = still[0], let y = still[1], let width = still[2], let height = still[3] {
            self = .still(Rect(x: x, y: y, width: width, height: height, unit: given?.unit))
            return
        }
        let pixels: (x: Double, y: Double) = isRatio ? (Double(size.width), Double(size.height)) : (1, 1)
        func value(_ index: Int, _ factor: Double) -> AnimatedValue {
            (parts[index] ?? .constant(unset[index].doubleValue)).scaled(by: factor)
        }
        self = .moving(
            LayerCrop(x: value(0, pixels.x), y: value(1, pixels.y), width: value(2, pixels.x), height: value(3, pixels.y)))
    }

    /// The crop that is applied to the picture before it is placed; nil, the whole picture, for an animated crop.
    var rect: Rect? {
        if case .still(let rect) = self { rect } else { nil }
    }

    var isMoving: Bool {
        if case .moving = self { true } else { false }
    }

    /// The animated crop, fitted as a transform demands; nil for a constant crop.
    func moving(_ fit: Transform.Fit?, _ format: PictureFormat) -> LayerCrop? {
        guard case .moving(var crop) = self else { return nil }
        crop.fit = fit.flatMap { LayerCrop.Fit($0, format) }
        return crop
    }
}

extension LayerCrop.Fit {
    /// - Returns: nil if the mode does not scale.
    fileprivate init?(_ fit: Transform.Fit, _ format: PictureFormat) {
        let mode = fit.mode ?? .aspectFit
        guard mode != .none else { return nil }
        let rect = fit.rect.inPixels(of: format)
        self.init(width: rect.width.doubleValue, height: rect.height.doubleValue, mode: mode)
    }
}

extension Rational {
    /// The decimal fraction with the shortest text that reads as the value, so that 0.1 in a draft is exactly one
    /// tenth.
    init(nearest value: Double) {
        self = Rational(text: "\(value)") ?? Rational(Int64((value * 1e9).rounded()), 1_000_000_000)
    }
}
