import Media

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A separable Gaussian of integer weights (sum 65536) out to three deviations; the picture goes on beyond its edges with
/// its edge samples. Rows and weights outside, samples inside: straight loops that the compiler vectorises.
struct GaussianBlur {
    /// Of the middle sample and of those one, two, ... away.
    private let weights: [UInt32]

    /// - Parameter deviation: standard deviation in samples, above zero.
    init(deviation: Double) {
        let radius = max(1, Int((3 * deviation).rounded(.up)))
        let values = (0...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
        var weights = values.map { UInt32(($0 / sum * 65_536).rounded()) }
        // What rounding has lost or gained belongs to the middle, or flat colours would drift.
        weights[0] = 65_536 - 2 * weights.dropFirst().reduce(0, +)
        self.weights = weights
    }

    func blur(_ source: Plane, into target: Plane) {
        let (width, height) = (source.width, source.height)
        let radius = weights.count - 1
        // With 8 fraction bits between the two passes.
        var across = [UInt16](repeating: 0, count: width * height)
        var padded = [UInt32](repeating: 0, count: width + 2 * radius)
        var sums = [UInt32](repeating: 0, count: width)
        for y in 0..<height {
            let row = source.row(y)
            for x in 0..<padded.count { padded[x] = UInt32(row[min(max(x - radius, 0), width - 1)]) << 8 }
            padded.withUnsafeBufferPointer { padded in
                for x in 0..<width { sums[x] = 32_768 &+ weights[0] &* padded[x + radius] }
                for (distance, weight) in weights.enumerated().dropFirst() {
                    sums.withUnsafeMutableBufferPointer { sums in
                        for x in 0..<width {
                            sums[x] &+= weight &* (padded[x &+ radius &- distance] &+ padded[x &+ radius &+ distance])
                        }
                    }
                }
            }
            for x in 0..<width { across[y * width + x] = UInt16(truncatingIfNeeded: sums[x] >> 16) }
        }
        across.withUnsafeBufferPointer { across in
            for y in 0..<height {
                func line(_ y: Int) -> UnsafeBufferPointer<UInt16> {
                    let start = min(max(y, 0), height - 1) * width
                    return UnsafeBufferPointer(rebasing: across[start..<(start + width)])
                }
                let middle = line(y)
                for x in 0..<width { sums[x] = 32_768 &+ weights[0] &* UInt32(middle[x]) }
                for (distance, weight) in weights.enumerated().dropFirst() {
                    let (above, below) = (line(y - distance), line(y + distance))
                    sums.withUnsafeMutableBufferPointer { sums in
                        for x in 0..<width { sums[x] &+= weight &* (UInt32(above[x]) &+ UInt32(below[x])) }
                    }
                }
                let out = target.row(y)
                for x in 0..<width { out[x] = UInt8(truncatingIfNeeded: ((sums[x] >> 16) + 128) >> 8) }
            }
        }
    }
}
