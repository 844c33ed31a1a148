#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a segment's pictures took when they were measured, in bits, by how they shrink with the quantiser.
public struct PictureCost: Hashable, Sendable, Codable {
    /// Of coefficients: as libx264 has it, they go with the quantiser's scale to the power of -1.1.
    public var texture: Double
    /// Of motion vectors: to the power of -1/2.
    public var motion: Double
    /// Of everything else, which stays.
    public var other: Double

    public init(texture: Double, motion: Double = 0, other: Double = 0) {
        self.texture = texture
        self.motion = motion
        self.other = other
    }

    /// - Parameter scale: of the quantiser, in multiples of what it was when it was measured.
    public func bits(atScale scale: Double) -> Double { texture * pow(scale, -1.1) + motion * pow(scale, -0.5) + other }
}

/// What each segment of a film may take, in bits.
public struct BitAllocation: Hashable, Sendable, Codable {
    /// By the key that the segment was measured under.
    public var bits: [String: Double]

    /// Gives all segments what one and the same quality costs in them, namely that at which all together cost `total`.
    /// - Parameter segments: in film order.
    public init(total: Double, _ segments: [(key: ArtifactKey, cost: PictureCost)]) {
        func sum(_ scale: Double) -> Double { segments.reduce(0) { $0 + $1.cost.bits(atScale: scale) } }
        // By halves of the logarithm: the sum falls as the scale rises.
        var (fine, coarse) = (1e-4, 1e4)
        for _ in 0..<100 {
            let middle = (fine * coarse).squareRoot()
            if sum(middle) > total { fine = middle } else { coarse = middle }
        }
        // What cannot be made as small or as large as it should is at least in proportion.
        let left = total / max(sum(coarse), 1)
        bits = Dictionary(
            segments.map { ($0.key.text, $0.cost.bits(atScale: coarse) * left) }, uniquingKeysWith: { first, _ in first })
    }
}
