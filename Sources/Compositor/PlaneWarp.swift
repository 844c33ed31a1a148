import Media

/// Draws a plane through a map, with bilinear interpolation: for pictures that are turned, and not shrunk.
struct PlaneWarp {
    /// Fraction bits of a weight: products of two with a sample stay within 31 bits.
    private static let bits: Int64 = 11

    private let plane: Plane
    private let alpha: [UInt8]?
    private let inverse: AffineMap
    /// Result samples per sample of the plane along its own axes: how fast coverage falls at its edges.
    private let scale: (x: Float, y: Float)

    /// - Parameters:
    ///   - alpha: rows of `plane.width` bytes; nil where all is covered.
    ///   - inverse: from the result's samples to the plane's, in coordinates in which sample 0 reaches from 0 to 1.
    init(_ plane: Plane, alpha: [UInt8]?, _ inverse: AffineMap) {
        self.plane = plane
        self.alpha = alpha
        self.inverse = inverse
        let forward = inverse.inverse?.scale ?? (x: 1, y: 1)
        scale = (Float(forward.x), Float(forward.y))
    }

    /// - Parameters: where the result's first sample is, and how many there are.
    func drawn(left: Int, top: Int, width: Int, height: Int) -> SamplePlane {
        var result = SamplePlane(
            width: width, height: height, samples: [UInt8](repeating: 0, count: width * height),
            alpha: [UInt8](repeating: 0, count: width * height))
        result.samples.withUnsafeMutableBufferPointer { samples in
            result.alpha.withUnsafeMutableBufferPointer { covers in
                guard let samples = samples.baseAddress, let covers = covers.baseAddress else { return }
                for y in 0..<height {
                    let (cx, cy) = (Double(left) + 0.5, Double(top + y) + 0.5)
                    let u = inverse.xx * cx + inverse.xy * cy + inverse.x0 - 0.5
                    let v = inverse.yx * cx + inverse.yy * cy + inverse.y0 - 0.5
                    drawRow(u, v, into: samples + y * width, covers + y * width, width)
                }
            }
        }
        return result
    }

    /// - Parameters: where the row's first sample lies in the plane, in samples.
    private func drawRow(
        _ u: Double, _ v: Double, into samples: UnsafeMutablePointer<UInt8>, _ covers: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        let touched = steps(u, inverse.xx, from: -1, to: Double(plane.width), width)
            .clamped(to: steps(v, inverse.yx, from: -1, to: Double(plane.height), width))
        guard !touched.isEmpty else { return }
        var inner = touched.lowerBound..<touched.lowerBound
        if alpha == nil {
            // Half a thousandth of a sample away from the edge, so that rounding cannot step over it.
            inner = steps(u, inverse.xx, from: 0.0005, to: Double(plane.width - 1) - 0.0005, width)
                .clamped(to: steps(v, inverse.yx, from: 0.0005, to: Double(plane.height - 1) - 0.0005, width))
            if inner.isEmpty { inner = touched.lowerBound..<touched.lowerBound }
        }
        for x in touched.lowerBound..<inner.lowerBound { drawEdge(u, v, x, samples, covers) }
        drawInside(u, v, inner, samples)
        (covers + inner.lowerBound).update(repeating: 255, count: inner.count)
        for x in inner.upperBound..<touched.upperBound { drawEdge(u, v, x, samples, covers) }
    }

    /// Those of `width` steps at which a coordinate is strictly between two bounds.
    private func steps(_ start: Double, _ step: Double, from low: Double, to high: Double, _ width: Int) -> Range<Int> {
        if step == 0 { return start > low && start < high ? 0..<width : 0..<0 }
        let (a, b) = ((low - start) / step, (high - start) / step)
        let first = max(0, min(Double(width), min(a, b).rounded(.down) + 1))
        let end = max(first, min(Double(width), max(a, b).rounded(.up)))
        return Int(first)..<Int(end)
    }

    /// Where all four neighbours are there and cover everything: whole numbers, coordinates with 32 bits of fraction.
    private func drawInside(_ u: Double, _ v: Double, _ range: Range<Int>, _ samples: UnsafeMutablePointer<UInt8>) {
        let scale = 4_294_967_296.0
        let (stepU, stepV) = (Int64((inverse.xx * scale).rounded()), Int64((inverse.yx * scale).rounded()))
        var fixedU = Int64((u * scale).rounded()) &+ stepU &* Int64(range.lowerBound)
        var fixedV = Int64((v * scale).rounded()) &+ stepV &* Int64(range.lowerBound)
        let (base, stride) = (plane.base, plane.stride)
        let (one, mask) = (Int32(1) << Int32(PlaneWarp.bits), (Int64(1) << PlaneWarp.bits) - 1)
        let shift = 32 - PlaneWarp.bits
        let half = one &* one / 2
        for x in range {
            let right = Int32(truncatingIfNeeded: (fixedU >> shift) & mask)
            let low = Int32(truncatingIfNeeded: (fixedV >> shift) & mask)
            let place = base + (Int(fixedV >> 32) &* stride &+ Int(fixedU >> 32))
            let upper = Int32(place[0]) &* (one &- right) &+ Int32(place[1]) &* right
            let lower = Int32(place[stride]) &* (one &- right) &+ Int32(place[stride &+ 1]) &* right
            let sum = upper &* (one &- low) &+ lower &* low &+ half
            samples[x] = UInt8(truncatingIfNeeded: sum >> Int32(2 * PlaneWarp.bits))
            fixedU &+= stepU
            fixedV &+= stepV
        }
    }

    /// Anywhere: neighbours count by their alpha, at the edges the last samples go on, and coverage falls from all to
    /// nothing within one sample of the result.
    private func drawEdge(
        _ startU: Double, _ startV: Double, _ x: Int, _ samples: UnsafeMutablePointer<UInt8>,
        _ covers: UnsafeMutablePointer<UInt8>
    ) {
        let (u, v) = (Float(startU + Double(x) * inverse.xx), Float(startV + Double(x) * inverse.yx))
        let inside = share(u, plane.width, scale.x) * share(v, plane.height, scale.y)
        guard inside > 0 else { return }
        let (column, row) = (u.rounded(.down), v.rounded(.down))
        let (right, low) = (u - column, v - row)
        var (sum, covered): (Float, Float) = (0, 0)
        for (down, weightY) in [(0, 1 - low), (1, low)] {
            for (across, weightX) in [(0, 1 - right), (1, right)] {
                let px = min(max(Int(column) + across, 0), plane.width - 1)
                let py = min(max(Int(row) + down, 0), plane.height - 1)
                let share = weightX * weightY * (alpha.map { Float($0[py * plane.width + px]) } ?? 255)
                covered += share
                sum += share * Float(plane.row(py)[px])
            }
        }
        guard covered > 0 else { return }
        samples[x] = UInt8(min(255, (sum / covered).rounded()))
        covers[x] = UInt8(min(255, (inside * covered).rounded()))
    }

    /// How much of a sample of the result lies inside the plane along one of its axes.
    private func share(_ place: Float, _ length: Int, _ scale: Float) -> Float {
        let distance = min(place + 0.5, Float(length) - 0.5 - place)
        return min(1, max(0, distance * scale + 0.5))
    }
}
