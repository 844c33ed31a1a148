import DraftModel
import ExportPlan
import Vocabulary

/// A linear or radial gradient with evenly spaced stops, by the words of `docs/draft.md`.
/// - Parameters:
///   - u, v: the place in fractions of the box.
///   - size: the box in pixels.
/// - Returns: straight red, green, blue and alpha, 0...1.
func referenceGradient(_ style: GradientStyle, _ u: Double, _ v: Double, _ size: FrameSize) -> SIMD4<Double> {
    let (from, to) = style.ends
    let (width, height) = (Double(size.width), Double(size.height))
    var place: Double
    if style.type == .radial {
        let (a, b) = ((u - from.x) / (to.x - from.x), (v - from.y) / (to.y - from.y))
        place = (a * a + b * b).squareRoot()
    } else {
        // The foot of the perpendicular to the line between the two points.
        let (dx, dy) = ((to.x - from.x) * width, (to.y - from.y) * height)
        let (px, py) = ((u - from.x) * width, (v - from.y) * height)
        place = (px * dx + py * dy) / (dx * dx + dy * dy)
    }
    let colors = style.stops.map { stop -> SIMD4<Double> in
        let color = RGBAColor(referred: stop.color)
        let straight = SIMD4(Double(color.red), Double(color.green), Double(color.blue), 255) / 255
        return straight * (Double(color.alpha) / 255)
    }
    place = min(1, max(0, place)) * Double(colors.count - 1)
    let index = min(colors.count - 2, Int(place))
    let share = place - Double(index)
    let mixed = colors[index] + (colors[index + 1] - colors[index]) * share
    guard mixed.w > 0 else { return .zero }
    return SIMD4(mixed.x / mixed.w, mixed.y / mixed.w, mixed.z / mixed.w, mixed.w)
}
