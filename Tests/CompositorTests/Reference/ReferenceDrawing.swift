import ExportPlan
import Vocabulary

/// Drawing for the reference renderer, straight from the definitions: a picture placed by a map, stretched, or
/// composited over another one (W3C Compositing and Blending Level 1, sections 5 and 9).
extension ReferencePicture {
    /// Draws this picture on an empty canvas.
    ///
    /// The documentation says that scaling averages what it shrinks and follows any position exactly. The filter that
    /// does so is a triangle along the picture's axes, whose half width is one sample, or one canvas pixel where the
    /// picture is shrunk. At the edges, coverage is the part of a canvas pixel that lies inside along each axis.
    func placed(by map: ReferenceMap, width: Int, height: Int) -> ReferencePicture {
        let scale = map.scale
        guard scale.x > 1e-9, scale.y > 1e-9 else { return ReferencePicture(width: width, height: height) }
        var result = drawn(width: width, height: height, reach: Int(max(1, scale.x, scale.y).rounded(.up)) + 1) { place in
            map.source(of: place).map { ($0, scale) }
        }
        if map.isRotated, min(scale.x, scale.y) < 1 { result.blurEdges() }
        return result
    }

    /// Draws this picture in perspective on an empty canvas. Each canvas pixel is the weighted mean of the part of the
    /// picture that it covers. The weights are triangles whose half width is the step from pixel to pixel there.
    func hung(by map: ReferencePerspective?, width: Int, height: Int) -> ReferencePicture {
        guard let map else { return ReferencePicture(width: width, height: height) }
        return drawn(width: width, height: height, reach: Int(min(8, map.largestScale).rounded(.up)) + 1) { place in
            (map.source(of: place), map.scale(at: place))
        }
    }

    /// - Parameters:
    ///   - reach: how many canvas pixels around an edge are marked as affected by it.
    ///   - seen: the position in this picture of a place of the canvas, and the width and height in canvas pixels of
    ///     one of its pixels there. Nil if nothing is visible at all.
    private func drawn(
        width: Int, height: Int, reach: Int,
        _ seen: (_ place: SIMD2<Double>) -> (place: SIMD2<Double>, scale: SIMD2<Double>)?
    ) -> ReferencePicture {
        var result = ReferencePicture(width: width, height: height)
        // The picture's own border counts as an edge, however faint the picture is.
        var outline = result
        for y in 0..<height {
            for x in 0..<width {
                guard let (place, scale) = seen(SIMD2(Double(x) + 0.5, Double(y) + 0.5)) else { return result }
                // Pixels far outside of the picture are skipped to save time.
                guard overlap(place.x, self.width, scale.x) > 0, overlap(place.y, self.height, scale.y) > 0 else { continue }
                let across = triangle(at: place.x - 0.5, radius: max(1, 1 / scale.x))
                let down = triangle(at: place.y - 0.5, radius: max(1, 1 / scale.y))
                let inside = overlap(place.x, self.width, scale.x) * overlap(place.y, self.height, scale.y)
                guard inside > 0 else { continue }
                result[x, y] = mean(inner(across, self.width), inner(down, self.height))
                result[x, y].color *= inside
                result[x, y].alpha *= inside
                outline[x, y].alpha = inside
            }
        }
        outline.markEdges(reach: reach, steepest: 0.02)
        result.markEdges(reach: reach)
        for index in result.pixels.indices where outline.pixels[index].isSplit { result.pixels[index].isSplit = true }
        return result
    }

    /// Stretches this picture to another size and repeats its edge pixels beyond its edges. The compositor stretches
    /// main track clips and what lies under them by libswscale's bicubic filter and not by a triangle, so the tolerance
    /// is half as much again.
    func stretched(width: Int, height: Int) -> ReferencePicture {
        var result = ReferencePicture(width: width, height: height)
        guard (width, height) != (self.width, self.height) else { return self }
        let step = SIMD2(Double(self.width) / Double(width), Double(self.height) / Double(height))
        for y in 0..<height {
            for x in 0..<width {
                let across = triangle(at: (Double(x) + 0.5) * step.x - 0.5, radius: max(1, step.x))
                let down = triangle(at: (Double(y) + 0.5) * step.y - 0.5, radius: max(1, step.y))
                result[x, y] = mean(
                    across.map { (min(max($0.sample, 0), self.width - 1), $0.weight) },
                    down.map { (min(max($0.sample, 0), self.height - 1), $0.weight) })
                result[x, y].slope *= 1.5
            }
        }
        return result
    }

    /// Composites a picture of the same size over this one.
    mutating func draw(_ layer: ReferencePicture, opacity: Double = 1, mode: BlendMode = .normal) {
        let opacity = min(1, max(0, opacity))
        guard opacity > 0 else { return }
        for index in pixels.indices {
            let (below, above) = (pixels[index], layer.pixels[index])
            let over = above.alpha * opacity
            let blended = BlendedColor(mode, below, above)
            var result = Pixel()
            result.color = blended.color * over + below.color * (1 - over)
            result.alpha = over + below.alpha * (1 - over)
            let covered = over >= 1 && mode == .normal
            result.isSplit = above.isSplit || (!covered && below.isSplit)
            result.isMixed = above.isMixed || (!covered && below.isMixed)
            result.isMixed = result.isMixed || (mode != .normal && over > 0 && result.isSplit)
            let weight = result.alpha > 0 ? over / result.alpha : 0
            result.slope = max(1, weight * blended.slope + (1 - weight) * below.slope)
            pixels[index] = result
        }
    }

    /// The weighted mean of samples.
    private func mean(_ across: [(sample: Int, weight: Double)], _ down: [(sample: Int, weight: Double)]) -> Pixel {
        var result = Pixel()
        for row in down where row.weight > 0 {
            for column in across where column.weight > 0 {
                let pixel = self[column.sample, row.sample]
                result.color += pixel.color * column.weight * row.weight
                result.alpha += pixel.alpha * column.weight * row.weight
                result.isSplit = result.isSplit || pixel.isSplit
                result.isMixed = result.isMixed || pixel.isMixed
                result.slope = max(result.slope, pixel.slope)
            }
        }
        return result
    }

    /// The part of a canvas pixel around a place that lies between 0 and a length. Both are in samples that are `scale`
    /// pixels wide.
    private func overlap(_ place: Double, _ length: Int, _ scale: Double) -> Double {
        max(0, min(place * scale + 0.5, Double(length) * scale) - max(place * scale - 0.5, 0))
    }

    /// The samples that exist, with weights that add up to 1.
    private func inner(_ taps: [(sample: Int, weight: Double)], _ length: Int) -> [(sample: Int, weight: Double)] {
        let there = taps.filter { $0.sample >= 0 && $0.sample < length }
        let sum = there.reduce(0) { $0 + $1.weight }
        return sum > 0 ? there.map { ($0.sample, $0.weight / sum) } : []
    }

    private func triangle(at center: Double, radius: Double) -> [(sample: Int, weight: Double)] {
        let samples = Int((center - radius).rounded(.down))...Int((center + radius).rounded(.up))
        let weights = samples.map { max(0, 1 - abs(Double($0) - center) / radius) }
        let sum = weights.reduce(0, +)
        return zip(samples, weights).map { ($0, $1 / sum) }
    }

    /// The compositor draws a picture that is shrunk and rotated with two filters in turn, and the reference with one.
    /// They differ at its edges, so these are marked.
    private mutating func blurEdges() {
        for index in pixels.indices where pixels[index].isSplit { pixels[index].isMixed = true }
    }
}

/// The result of a blend mode for two pixels, `(1 - ab) Cs + ab B(Cb, Cs)`, and the steepness of the formula there.
private struct BlendedColor {
    var color: SIMD3<Double>
    var slope: Double

    init(_ mode: BlendMode, _ below: ReferencePicture.Pixel, _ above: ReferencePicture.Pixel) {
        let (backdrop, source) = (below.straight, above.straight)
        func blend(_ backdrop: SIMD3<Double>, _ source: SIMD3<Double>) -> SIMD3<Double> {
            (1 - below.alpha) * source + below.alpha * referenceBlend(mode, backdrop, source)
        }
        color = blend(backdrop, source)
        slope = above.slope
        guard mode != .normal else { return }
        let step = 1.5 / 255
        func within(_ color: SIMD3<Double>) -> SIMD3<Double> { color.clamped(lowerBound: .zero, upperBound: .one) }
        var worst = 0.0
        for sign in [-step, step] {
            let moved = blend(within(backdrop + sign), source) - color
            let changed = blend(backdrop, within(source + sign)) - color
            for channel in 0..<3 {
                worst = max(
                    worst, (below.slope * abs(moved[channel]) + above.slope * abs(changed[channel])) / step)
            }
        }
        slope = max(1, worst)
    }
}
