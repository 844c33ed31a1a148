#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A separable Gaussian on planes of floats, out to three standard deviations; a plane goes on beyond its edges with its
/// edge samples. (The compositor's blur has integer weights for 8-bit planes.)
struct PlaneBlur {
    /// Of the middle sample and of those one, two, ... away; with the mirrored ones their sum is 1.
    private let weights: [Float]

    /// - Parameter deviation: standard deviation in samples, above zero.
    init(deviation: Double) {
        let radius = max(1, Int((3 * deviation).rounded(.up)))
        let values = (0...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
        weights = values.map { Float($0 / sum) }
    }

    /// The blurred plane, rows without gaps.
    func blurred(_ plane: [Float], width: Int, height: Int) -> [Float] {
        down(across(plane, width, height), width, height)
    }

    private func across(_ plane: [Float], _ width: Int, _ height: Int) -> [Float] {
        let radius = weights.count - 1
        var result = [Float](repeating: 0, count: plane.count)
        var padded = [Float](repeating: 0, count: width + 2 * radius)
        for y in 0..<height {
            for x in 0..<padded.count { padded[x] = plane[y * width + min(max(x - radius, 0), width - 1)] }
            result.withUnsafeMutableBufferPointer { result in
                padded.withUnsafeBufferPointer { padded in
                    let out = UnsafeMutableBufferPointer(rebasing: result[(y * width)..<((y + 1) * width)])
                    for x in 0..<width { out[x] = weights[0] * padded[x &+ radius] }
                    for (distance, weight) in weights.enumerated().dropFirst() {
                        for x in 0..<width {
                            out[x] += weight * (padded[x &+ radius &- distance] + padded[x &+ radius &+ distance])
                        }
                    }
                }
            }
        }
        return result
    }

    private func down(_ plane: [Float], _ width: Int, _ height: Int) -> [Float] {
        var result = [Float](repeating: 0, count: plane.count)
        plane.withUnsafeBufferPointer { plane in
            func line(_ y: Int) -> UnsafeBufferPointer<Float> {
                let start = min(max(y, 0), height - 1) * width
                return UnsafeBufferPointer(rebasing: plane[start..<(start + width)])
            }
            result.withUnsafeMutableBufferPointer { result in
                for y in 0..<height {
                    let out = UnsafeMutableBufferPointer(rebasing: result[(y * width)..<((y + 1) * width)])
                    let middle = line(y)
                    for x in 0..<width { out[x] = weights[0] * middle[x] }
                    for (distance, weight) in weights.enumerated().dropFirst() {
                        let (above, below) = (line(y - distance), line(y + distance))
                        for x in 0..<width { out[x] += weight * (above[x] + below[x]) }
                    }
                }
            }
        }
        return result
    }
}
