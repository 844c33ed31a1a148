import Glibc

/// The bits that a segment's pictures took when they were measured, split by how they depend on the quantiser.
package struct PictureCost: Hashable, Sendable, Codable {
    /// Bits of coefficients. As in libx264, they are proportional to the quantiser's scale to the power of -1.1.
    package var texture: Double
    /// Bits of motion vectors, proportional to the quantiser's scale to the power of -1/2.
    package var motion: Double
    /// All other bits, which do not depend on the quantiser.
    package var other: Double

    package init(texture: Double, motion: Double = 0, other: Double = 0) {
        self.texture = texture
        self.motion = motion
        self.other = other
    }

    /// - Parameter scale: the quantiser's scale as a multiple of the scale at which the segment was measured.
    package func bits(atScale scale: Double) -> Double { texture * pow(scale, -1.1) + motion * pow(scale, -0.5) + other }
}

/// The bits that each segment of a film may take.
package struct BitAllocation: Hashable, Sendable, Codable {
    /// Bits by the key under which the segment was measured.
    package var bits: [String: Double]

    /// Gives every segment the bits that it costs at one common quality: the quality at which all segments together
    /// cost `total` bits.
    /// - Parameter segments: the segments in film order.
    package init(total: Double, _ segments: [(key: ArtifactKey, cost: PictureCost)]) {
        func sum(_ scale: Double) -> Double { segments.reduce(0) { $0 + $1.cost.bits(atScale: scale) } }
        // Bisection on the logarithm of the scale works because the sum falls as the scale rises.
        var (fine, coarse) = (1e-4, 1e4)
        for _ in 0..<100 {
            let middle = (fine * coarse).squareRoot()
            if sum(middle) > total { fine = middle } else { coarse = middle }
        }
        // Where no scale in the range reaches the total, the bits are at least in proportion to the segments' costs.
        let left = total / max(sum(coarse), 1)
        bits = Dictionary(
            segments.map { ($0.key.text, $0.cost.bits(atScale: coarse) * left) }, uniquingKeysWith: { first, _ in first })
    }
}
