import Glibc

/// A separable Gaussian blur of one plane of alpha; samples beyond the edges count as 0. The weights are whole numbers
/// with the sum 65536, so that results are the same on every machine.
struct AlphaBlur {
    /// The weights of the middle sample and of the samples at distances 1, 2, ...
    private let weights: [UInt32]

    /// The distance of the farthest sample that counts.
    var radius: Int { weights.count - 1 }

    /// - Parameter deviation: the standard deviation in samples, above zero.
    init(deviation: Double) {
        // The kernel is cut off at 3.5 standard deviations, where the step is smaller than one part in 255.
        let radius = max(1, Int((3.5 * deviation).rounded(.up)))
        let values = (0...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
        var weights = values.map { UInt32(($0 / sum * 65_536).rounded()) }
        // The middle sample gets the rounding error of the sum; otherwise flat alpha would drift.
        weights[0] = UInt32(65_536 - 2 * weights.dropFirst().reduce(0) { $0 + Int($1) })
        self.weights = weights
    }

    /// - Parameter alpha: rows of `width` samples, replaced by the blurred samples.
    func blur(_ alpha: inout [UInt8], width: Int, height: Int) {
        // The values between the two passes have 8 fraction bits.
        var across = [UInt16](repeating: 0, count: width * height)
        var sums = [UInt32](repeating: 0, count: width)
        var padded = [UInt32](repeating: 0, count: width + 2 * radius)
        for y in 0..<height {
            for x in 0..<width { padded[x + radius] = UInt32(alpha[y * width + x]) << 8 }
            for x in 0..<width { sums[x] = 32_768 &+ weights[0] &* padded[x + radius] }
            for (distance, weight) in weights.enumerated().dropFirst() {
                add(&sums, weight, padded, radius - distance, radius + distance)
            }
            for x in 0..<width { across[y * width + x] = UInt16(truncatingIfNeeded: sums[x] >> 16) }
        }
        for y in 0..<height {
            for x in 0..<width { sums[x] = 32_768 &+ weights[0] &* UInt32(across[y * width + x]) }
            for (distance, weight) in weights.enumerated().dropFirst() {
                for line in [y - distance, y + distance] where line >= 0 && line < height {
                    add(&sums, weight, across, line * width)
                }
            }
            for x in 0..<width { alpha[y * width + x] = UInt8(truncatingIfNeeded: ((sums[x] >> 16) + 128) >> 8) }
        }
    }

    private func add(_ sums: inout [UInt32], _ weight: UInt32, _ samples: [UInt32], _ left: Int, _ right: Int) {
        samples.withUnsafeBufferPointer { samples in
            sums.withUnsafeMutableBufferPointer { sums in
                for x in 0..<sums.count { sums[x] &+= weight &* (samples[x &+ left] &+ samples[x &+ right]) }
            }
        }
    }

    private func add(_ sums: inout [UInt32], _ weight: UInt32, _ samples: [UInt16], _ start: Int) {
        samples.withUnsafeBufferPointer { samples in
            sums.withUnsafeMutableBufferPointer { sums in
                for x in 0..<sums.count { sums[x] &+= weight &* UInt32(samples[start &+ x]) }
            }
        }
    }
}
