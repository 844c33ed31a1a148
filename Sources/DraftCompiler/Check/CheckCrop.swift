import DraftModel
import ExactTime
import ExportPlan

/// Checks that the crop of a clip or layer lies within the picture. An animated crop must lie within it at every
/// keyframe and be at least one pixel wide and high.
/// Curves that overshoot between keyframes are not faults: drawing clamps them to the picture.
///
/// - Parameters:
///   - size: the size of the upright picture.
///   - owner: the path of the clip or layer.
func checkCrop(
    _ crop: Rect?, _ animations: [Animation]?, of size: FrameSize, url: String, at owner: String,
    _ diagnostics: inout Diagnostics
) {
    let animated = AnimatedProperties(animations, from: .zero)
    guard case .moving(let moving) = LoweredCrop(crop, animated, of: size) else {
        let region = croppedRegion(size, LoweredCrop(crop, animated, of: size).rect)
        if region.width <= .zero || region.height <= .zero {
            diagnostics.report(
                "\(owner).cropRect", .outOfRange,
                "leaves nothing of '\(url)', which is \(size) when upright; give it a width and a height")
        } else if region.x + region.width > .one || region.y + region.height > .one {
            diagnostics.report(
                "\(owner).cropRect", .outOfRange, "goes beyond the picture of '\(url)', which is \(size) when upright")
        }
        return
    }
    let axes = [
        (names: ["cropRect.x", "cropRect.width"], start: moving.x, length: moving.width, limit: size.width),
        (names: ["cropRect.y", "cropRect.height"], start: moving.y, length: moving.height, limit: size.height),
    ]
    axes: for axis in axes {
        let (starts, lengths) = (KeyedNumber(axis.start), KeyedNumber(axis.length))
        for (index, animation) in (animations ?? []).enumerated() where axis.names.contains(animation.keyPath) {
            for (key, time) in animation.curve.keyTimes.enumerated() {
                let length = lengths.value(at: time)
                let end = starts.value(at: time) + length
                let path = "\(owner).animations[\(index)].values[\(key)]"
                if length < 1 {
                    diagnostics.report(
                        path, .outOfRange, "leaves \(length) pixels of '\(url)'; a crop that moves has at least one")
                    continue axes
                }
                if end > Double(axis.limit) * (1 + 1e-9) {
                    diagnostics.report(
                        path, .outOfRange, "goes beyond the picture of '\(url)', which is \(size) when upright")
                    continue axes
                }
            }
        }
    }
}

/// An animated number that is clamped to the values of its keyframes, because overshoot is not a fault.
private struct KeyedNumber {
    private let number: AnimatedValue
    private let lowest: Double
    private let highest: Double

    init(_ number: AnimatedValue) {
        self.number = number
        lowest = number.keys.map(\.value).min() ?? 0
        highest = number.keys.map(\.value).max() ?? 0
    }

    func value(at time: MediaTime) -> Double { min(max(number.value(at: time), lowest), highest) }
}
