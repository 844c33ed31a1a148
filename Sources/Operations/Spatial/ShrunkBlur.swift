/// A wide Gaussian blur on a coarse grid: the plane is shrunk by a power of two with a triangle filter, blurred there,
/// and enlarged by cubic interpolation (Keys, "Cubic convolution interpolation", 1981, a = -1/2).
///
/// The variance of the triangle filter is subtracted from that of the Gaussian. The interpolation reproduces quadratic
/// curves and adds no variance. Before the plane is shrunk, its edge samples are repeated beyond its edges.
struct ShrunkBlur: Sendable {
    private let factor: Int
    /// The kernel for the coarse plane.
    private let kernel: GaussianKernel
    /// `2 * factor` weights: the convolution of two boxes as wide as the factor and a box of two samples. They are
    /// symmetric about the middle of a block of `factor` samples.
    private let triangle: [Float]
    /// For each of the `factor` positions in a block: the index of the first coarse sample around it, and the weights
    /// of four of them.
    private let phases: [(first: Int, weights: SIMD4<Float>)]

    /// - Parameters:
    ///   - deviation: the standard deviation in samples of the plane.
    ///   - factor: a power of two, at least 2 and at most half of the deviation.
    init(deviation: Double, factor: Int) {
        self.factor = factor
        let width = Double(factor)
        let variance = deviation * deviation - (width * width - 1) / 6 - 0.25
        kernel = GaussianKernel(deviation: variance.squareRoot() / width, reach: 4)
        // This is a triangle of 2f - 1 samples (1, 2, ... f, ... 2, 1). Averaging it with a copy that is shifted by one
        // sample shifts it by half a sample.
        func step(_ index: Int) -> Int { max(0, factor - abs(index - factor + 1)) }
        triangle = (0..<(2 * factor)).map { Float(step($0) + step($0 - 1)) / Float(2 * factor * factor) }
        phases = (0..<factor).map { index in
            let place = (Double(index) + 0.5) / width - 0.5
            let first = Int(place.rounded(.down))
            return (first - 1, ShrunkBlur.interpolation(Float(place) - Float(first)))
        }
    }

    /// Keys' weights of four neighbours for a position `t` between the middle two.
    private static func interpolation(_ t: Float) -> SIMD4<Float> {
        let (t2, t3) = (t * t, t * t * t)
        return SIMD4((2 * t2 - t3 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2, (4 * t2 - 3 * t3 + t) / 2, (t3 - t2) / 2)
    }

    /// - Parameters:
    ///   - add: adds a row times a weight to the sums.
    ///   - store: receives the rows of the result, top to bottom, after the last row has been read.
    func run(
        width: Int, height: Int, add: (Int, Float, UnsafeMutablePointer<Float>) -> Void,
        store: (Int, UnsafePointer<Float>) -> Void
    ) {
        // The coarse samples that the enlargement needs: two more on each side than the plane has.
        let (columns, rows) = ((width + factor - 1) / factor + 4, (height + factor - 1) / factor + 4)
        let coarse = shrunk(width: width, height: height, columns: columns, rows: rows, add: add)
        let enlarged = enlargedAcross(
            blurredDown(coarse, columns: columns, rows: rows), width: width, columns: columns, rows: rows)
        var line = [Float](repeating: 0, count: width)
        enlarged.withUnsafeBufferPointer { enlarged in
            line.withUnsafeMutableBufferPointer { line in
                guard let enlarged = enlarged.baseAddress, let line = line.baseAddress else { return }
                for y in 0..<height {
                    let phase = phases[y % factor]
                    let first = enlarged + (y / factor + phase.first + 2) * width
                    let (a, b, c, d) = (phase.weights.x, phase.weights.y, phase.weights.z, phase.weights.w)
                    let (second, third, fourth) = (first + width, first + 2 * width, first + 3 * width)
                    for x in 0..<width { line[x] = (a * first[x] + b * second[x]) + (c * third[x] + d * fourth[x]) }
                    store(y, line)
                }
            }
        }
    }

    /// The coarse rows, blurred horizontally, including `radius` rows above and below those that the enlargement needs.
    private func shrunk(
        width: Int, height: Int, columns: Int, rows: Int, add: (Int, Float, UnsafeMutablePointer<Float>) -> Void
    ) -> [Float] {
        let radius = kernel.radius
        // The first coarse sample lies `radius + 2` coarse samples before the plane's first one.
        let margin = (radius + 2) * factor + factor / 2
        let wide = columns + 2 * radius
        var fine = [Float](repeating: 0, count: max(width + 2 * margin, (wide + 1) * factor))
        var line = [Float](repeating: 0, count: wide)
        var result = [Float](repeating: 0, count: columns * (rows + 2 * radius))
        fine.withUnsafeMutableBufferPointer { fine in
            line.withUnsafeMutableBufferPointer { line in
                result.withUnsafeMutableBufferPointer { result in
                    guard let start = fine.baseAddress, let line = line.baseAddress, let result = result.baseAddress else {
                        return
                    }
                    let sums = start + margin
                    for row in 0..<(rows + 2 * radius) {
                        let top = (row - radius - 2) * factor - factor / 2
                        let out = result + row * columns
                        // All rows above the plane are equal, and all rows below it are equal.
                        if row > 0, top + 2 * factor <= 1 || top - factor >= height - 1 {
                            out.update(from: out - columns, count: columns)
                            continue
                        }
                        sums.update(repeating: 0, count: width)
                        for (index, weight) in triangle.enumerated() {
                            add(min(max(top + index, 0), height - 1), weight, sums)
                        }
                        start.update(repeating: sums[0], count: margin)
                        (sums + width).update(repeating: sums[width - 1], count: fine.count - margin - width)
                        for column in 0..<wide {
                            let from = start + column * factor
                            var sum: Float = 0
                            for index in 0..<(2 * factor) { sum += triangle[index] * from[index] }
                            line[column] = sum
                        }
                        kernel.sum(into: out, count: columns) { UnsafePointer(line + radius + $0) }
                    }
                }
            }
        }
        return result
    }

    private func blurredDown(_ plane: [Float], columns: Int, rows: Int) -> [Float] {
        var result = [Float](repeating: 0, count: columns * rows)
        plane.withUnsafeBufferPointer { plane in
            result.withUnsafeMutableBufferPointer { result in
                guard let plane = plane.baseAddress, let result = result.baseAddress else { return }
                for row in 0..<rows {
                    let middle = plane + (row + kernel.radius) * columns
                    kernel.sum(into: result + row * columns, count: columns) { middle + $0 * columns }
                }
            }
        }
        return result
    }

    private func enlargedAcross(_ plane: [Float], width: Int, columns: Int, rows: Int) -> [Float] {
        var result = [Float](repeating: 0, count: width * rows)
        plane.withUnsafeBufferPointer { plane in
            result.withUnsafeMutableBufferPointer { result in
                phases.withUnsafeBufferPointer { phases in
                    guard let plane = plane.baseAddress, let result = result.baseAddress else { return }
                    for row in 0..<rows {
                        let (from, out) = (plane + row * columns + 2, result + row * width)
                        for (index, phase) in phases.enumerated() {
                            let (a, b, c, d) = (phase.weights.x, phase.weights.y, phase.weights.z, phase.weights.w)
                            var near = from + phase.first
                            for x in stride(from: index, to: width, by: factor) {
                                out[x] = (a * near[0] + b * near[1]) + (c * near[2] + d * near[3])
                                near += 1
                            }
                        }
                    }
                }
            }
        }
        return result
    }
}
