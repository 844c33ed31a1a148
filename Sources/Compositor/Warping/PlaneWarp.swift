import CPixelKernels
import ExportPlan
import Media

/// Draws a plane through an affine map with bilinear interpolation. It is for pictures that are rotated and not shrunk.
struct PlaneWarp {
    private let plane: Plane
    private let alpha: [UInt8]?
    private let window: PictureWindow?
    private let inverse: AffineMap
    /// Result samples per sample of the plane, along the plane's axes. It decides how fast coverage falls at the
    /// plane's edges.
    private let scale: (x: Float, y: Float)

    /// - Parameters:
    ///   - alpha: coverage in rows of `plane.width` bytes. Nil means that everything is covered.
    ///   - window: the visible part of the plane. Nil shows everything.
    ///   - inverse: from the result's samples to the plane's, in coordinates in which sample 0 reaches from 0 to 1.
    init(_ plane: Plane, alpha: [UInt8]?, window: PictureWindow? = nil, _ inverse: AffineMap) {
        self.plane = plane
        self.alpha = alpha
        self.window = window
        self.inverse = inverse
        let forward = inverse.inverse?.scale ?? (x: 1, y: 1)
        scale = (Float(forward.x), Float(forward.y))
    }

    /// - Parameters:
    ///   - left, top: where the result's first sample lies on the canvas plane.
    ///   - width, height: the result's size in samples.
    func drawn(left: Int, top: Int, width: Int, height: Int) -> SamplePlane {
        var result = SamplePlane(width: width, height: height, samples: [UInt8](repeating: 0, count: width * height))
        let seen = window ?? PictureWindow(FrameSize(width: plane.width, height: plane.height))
        let rows = (0..<height).map { Row(left: left, y: top + $0, width, seen, inverse, isOpaque: alpha == nil) }
        result.samples.withUnsafeMutableBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            for (y, row) in rows.enumerated() { drawInside(row, samples + y * width) }
            if rows.allSatisfy({ $0.inside.count == width }) { return }
            var covers = [UInt8](repeating: 0, count: width * height)
            covers.withUnsafeMutableBufferPointer { covers in
                guard let covers = covers.baseAddress else { return }
                for (y, row) in rows.enumerated() {
                    let (samples, covers) = (samples + y * width, covers + y * width)
                    (covers + row.inside.lowerBound).update(repeating: 255, count: row.inside.count)
                    for x in row.touched.lowerBound..<row.inside.lowerBound { drawEdge(row, x, samples, covers) }
                    for x in row.inside.upperBound..<row.touched.upperBound { drawEdge(row, x, samples, covers) }
                }
            }
            result.alpha = covers
        }
        return result
    }

    /// A row of the result, mapped to a line through the plane.
    private struct Row {
        /// Where the row's first sample lies in the plane, in samples.
        let u: Double
        let v: Double
        /// The samples of the row that the plane can touch.
        let touched: Range<Int>
        /// The samples of the row whose four neighbours all exist and are opaque.
        let inside: Range<Int>

        init(left: Int, y: Int, _ width: Int, _ seen: PictureWindow, _ inverse: AffineMap, isOpaque: Bool) {
            let (cx, cy) = (Double(left) + 0.5, Double(y) + 0.5)
            let u = inverse.xx * cx + inverse.xy * cy + inverse.x0 - 0.5
            let v = inverse.yx * cx + inverse.yy * cy + inverse.y0 - 0.5
            func steps(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>, margin: Double) -> Range<Int> {
                PlaneWarp.steps(u, inverse.xx, from: x.lowerBound + margin, to: x.upperBound - 1 - margin, width)
                    .clamped(
                        to: PlaneWarp.steps(v, inverse.yx, from: y.lowerBound + margin, to: y.upperBound - 1 - margin, width))
            }
            touched = steps(seen.x, seen.y, margin: -1)
            // The margin of half a thousandth of a sample keeps rounding from stepping over the edge.
            let inner = isOpaque ? steps(seen.x.wholeSamples, seen.y.wholeSamples, margin: 0.0005) : 0..<0
            inside = inner.isEmpty ? touched.lowerBound..<touched.lowerBound : inner
            (self.u, self.v) = (u, v)
        }
    }

    /// The steps, of the first `width`, at which a coordinate is strictly between two bounds.
    private static func steps(_ start: Double, _ step: Double, from low: Double, to high: Double, _ width: Int) -> Range<Int> {
        if step == 0 { return start > low && start < high ? 0..<width : 0..<0 }
        let (a, b) = ((low - start) / step, (high - start) / step)
        let first = max(0, min(Double(width), min(a, b).rounded(.down) + 1))
        let end = max(first, min(Double(width), max(a, b).rounded(.up)))
        return Int(first)..<Int(end)
    }

    private func drawInside(_ row: Row, _ samples: UnsafeMutablePointer<UInt8>) {
        func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
        let (stepU, stepV, first) = (fixed(inverse.xx), fixed(inverse.yx), Int64(row.inside.lowerBound))
        spool_interpolate_row(
            samples + row.inside.lowerBound, row.inside.count, plane.base, plane.stride, fixed(row.u) &+ stepU &* first,
            fixed(row.v) &+ stepV &* first, stepU, stepV)
    }

    /// Draws a sample at any place. Neighbours are weighted by their alpha, the last samples are repeated beyond the
    /// edges, and coverage falls from full to none within one sample of the result.
    private func drawEdge(
        _ line: Row, _ x: Int, _ samples: UnsafeMutablePointer<UInt8>, _ covers: UnsafeMutablePointer<UInt8>
    ) {
        let (u, v) = (Float(line.u + Double(x) * inverse.xx), Float(line.v + Double(x) * inverse.yx))
        let inside = share(u, plane.width, window?.x, scale.x) * share(v, plane.height, window?.y, scale.y)
        guard inside > 0 else { return }
        let (column, row) = (u.rounded(.down), v.rounded(.down))
        let (right, low) = (u - column, v - row)
        var (sum, covered, all): (Float, Float, Float) = (0, 0, 0)
        for (down, weightY) in [(0, 1 - low), (1, low)] {
            for (across, weightX) in [(0, 1 - right), (1, right)] {
                let px = min(max(Int(column) + across, 0), plane.width - 1)
                let py = min(max(Int(row) + down, 0), plane.height - 1)
                var weight = weightX * weightY
                if let window {
                    weight *= Float(window.x.share(ofSample: px) * window.y.share(ofSample: py))
                    all += weight
                }
                let share = weight * (alpha.map { Float($0[py * plane.width + px]) } ?? 255)
                covered += share
                sum += share * Float(plane.row(py)[px])
            }
        }
        guard covered > 0 else { return }
        samples[x] = UInt8(min(255, (sum / covered).rounded()))
        covers[x] = UInt8(min(255, (inside * (window == nil ? covered : covered / all)).rounded()))
    }

    /// The part of a sample of the result that lies inside the plane along one of the plane's axes, 0...1.
    private func share(_ place: Float, _ length: Int, _ window: ClosedRange<Double>?, _ scale: Float) -> Float {
        let (low, high) = (Float(window?.lowerBound ?? 0), Float(window?.upperBound ?? Double(length)))
        let distance = min(place + 0.5 - low, high - 0.5 - place)
        return min(1, max(0, distance * scale + 0.5))
    }
}

extension ClosedRange<Double> {
    /// The part of the range that consists of whole samples. An empty range at its start if there is none.
    fileprivate var wholeSamples: ClosedRange<Double> {
        let (low, high) = (lowerBound.rounded(.up), upperBound.rounded(.down))
        return low...Swift.max(low, high)
    }
}
