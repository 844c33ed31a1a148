import ExportPlan
import Glibc
import Vocabulary

/// The colours of a gradient over a box. Between two stops, premultiplied colours are mixed linearly, as CSS does it; before
/// the first and behind the last stop their colours go on.
struct GradientField {
    private let gradient: Gradient
    private let start: (x: Double, y: Double)
    private let end: (x: Double, y: Double)
    /// Premultiplied red, green, blue and alpha, 0...255.
    private let colors: [SIMD4<Double>]
    /// Where colours border on each other: locations of two stops.
    private let borders: [Double]
    /// Whether the last colour borders on the first one, as around a point.
    private let hasSeam: Bool
    /// The angle at which an angular gradient begins, in radians.
    private let firstAngle: Double

    /// - Parameters: width, height: the box in pixels.
    init(_ gradient: Gradient, width: Double, height: Double) {
        self.gradient = gradient
        start = (gradient.start.x * width, gradient.start.y * height)
        end = (gradient.end.x * width, gradient.end.y * height)
        colors = gradient.stops.map { stop in
            let alpha = Double(stop.color.alpha)
            return SIMD4(Double(stop.color.red), Double(stop.color.green), Double(stop.color.blue), 255) * (alpha / 255)
        }
        let stops = gradient.stops
        borders = zip(stops, stops.dropFirst()).filter { $1.location - $0.location < 1e-3 }.map(\.0.location)
        hasSeam = gradient.kind == .angular && stops.first?.color != stops.last?.color
        firstAngle = atan2(end.y - start.y, end.x - start.x)
    }

    /// The average colour of a pixel, premultiplied, 0...255.
    /// - Parameters: x, y: its left and upper edge in the box.
    func color(x: Double, y: Double) -> SIMD4<Double> {
        guard isBorder(x: x, y: y) else { return color(at: place(x: x + 0.5, y: y + 0.5)) }
        let samples = 4
        var sum = SIMD4<Double>()
        for row in 0..<samples {
            for column in 0..<samples {
                let step = 1 / Double(samples)
                sum += color(at: place(x: x + (Double(column) + 0.5) * step, y: y + (Double(row) + 0.5) * step))
            }
        }
        return sum / Double(samples * samples)
    }

    /// Whether colours border on each other within a pixel.
    private func isBorder(x: Double, y: Double) -> Bool {
        guard hasSeam || !borders.isEmpty else { return false }
        let corners = [place(x: x, y: y), place(x: x + 1, y: y), place(x: x, y: y + 1), place(x: x + 1, y: y + 1)]
        guard let low = corners.min(), let high = corners.max() else { return false }
        // An angular gradient begins again between two corners.
        if gradient.kind == .angular, high - low > 0.5 { return true }
        return borders.contains { low <= $0 && $0 <= high }
    }

    /// Where a point lies between the ends of the gradient, which are 0 and 1.
    private func place(x: Double, y: Double) -> Double {
        let (right, down) = (x - start.x, y - start.y)
        let (width, height) = (end.x - start.x, end.y - start.y)
        switch gradient.kind {
        case .linear:
            let length = width * width + height * height
            return length > 0 ? (right * width + down * height) / length : 0
        case .radial:
            guard width != 0, height != 0 else { return 1 }
            let (across, along) = (right / width, down / height)
            return (across * across + along * along).squareRoot()
        case .angular:
            let turn = (atan2(down, right) - firstAngle) / (2 * .pi)
            return turn - turn.rounded(.down)
        }
    }

    private func color(at place: Double) -> SIMD4<Double> {
        let stops = gradient.stops
        guard let next = stops.firstIndex(where: { $0.location > place }) else { return colors.last ?? .zero }
        guard next > 0 else { return colors[0] }
        let (before, after) = (stops[next - 1].location, stops[next].location)
        let share = (place - before) / (after - before)
        return colors[next - 1] * (1 - share) + colors[next] * share
    }
}

extension Canvas {
    /// Replaces every pixel by the gradient's colour, multiplied by the pixel's own alpha.
    func fill(_ field: GradientField) {
        _ = withWords { words, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let cover = words[y * stride + x] >> 24
                    guard cover > 0 else { continue }
                    let color = field.color(x: Double(bounds.minX + x), y: Double(bounds.minY + y)) * (Double(cover) / 255)
                    let rounded = SIMD4<UInt32>(color.rounded(.toNearestOrAwayFromZero))
                    words[y * stride + x] = rounded.w << 24 | rounded.x << 16 | rounded.y << 8 | rounded.z
                }
            }
        }
    }
}
