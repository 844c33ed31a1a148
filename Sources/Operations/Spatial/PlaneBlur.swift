import CPixelKernels

/// A separable Gaussian blur of one plane of floats or bytes. Beyond the plane's edges the edge samples are repeated.
///
/// Small standard deviations are summed directly. Larger ones leave no detail that needs the full resolution: the plane
/// is shrunk by a power of two (`ShrunkBlur`), blurred there and enlarged. The result is within one code value of the
/// Gaussian, and its cost hardly depends on the deviation.
package struct PlaneBlur: Sendable {
    private enum Method: Sendable {
        case direct(GaussianKernel)
        case shrunk(ShrunkBlur)
    }

    private let method: Method

    /// The smallest standard deviation in a shrunk plane, in its own samples. With a smaller one, the errors of the
    /// enlargement and of aliasing would approach one code value.
    private static let leastShrunk = 2.5

    /// - Parameters:
    ///   - deviation: the standard deviation in samples, or in luma samples for chroma. The minimum is 0.05; smaller
    ///     values are raised to it.
    ///   - isChroma: whether the plane has half the resolution of the samples in which the deviation is measured.
    package init(deviation: Double, isChroma: Bool = false) {
        let deviation = max(0.05, deviation)
        // Repeating samples and averaging two is itself a blur of variance 1/2.
        let own = isChroma ? ((deviation * deviation + 0.5) / 4).squareRoot() : deviation
        var factor = 1
        while own / Double(2 * factor) >= PlaneBlur.leastShrunk { factor *= 2 }
        if factor > 1 {
            method = .shrunk(ShrunkBlur(deviation: own, factor: factor))
        } else if isChroma {
            method = .direct(GaussianKernel(chromaOf: deviation, reach: 3.5))
        } else {
            method = .direct(GaussianKernel(deviation: deviation, reach: 3.5))
        }
    }

    /// The blurred plane, in rows without gaps.
    func blurred(_ plane: [Float], width: Int, height: Int) -> [Float] {
        var result = [Float](repeating: 0, count: plane.count)
        plane.withUnsafeBufferPointer { plane in
            result.withUnsafeMutableBufferPointer { result in
                guard let from = plane.baseAddress, let to = result.baseAddress else { return }
                run(
                    width: width, height: height,
                    add: { y, weight, sums in
                        let row = from + y * width
                        for x in 0..<width { sums[x] += weight * row[x] }
                    },
                    store: { y, row in (to + y * width).update(from: row, count: width) })
            }
        }
        return result
    }

    /// Blurs a plane of bytes. `target` may be the same memory as `source`.
    package func blur(_ source: PlanarPixels.Plane, into target: PlanarPixels.Plane, width: Int, height: Int) {
        run(
            width: width, height: height,
            add: { y, weight, sums in
                let row = source.base + y * source.stride
                for x in 0..<width { sums[x] += weight * Float(row[x]) }
            },
            store: { y, row in
                let out = target.base + y * target.stride
                for x in 0..<width { out[x] = RowConversion.byte(row[x]) }
            })
    }

    /// - Parameters:
    ///   - add: adds a row times a weight to the sums.
    ///   - store: receives the rows of the result, top to bottom, after the last row has been read.
    private func run(
        width: Int, height: Int, add: (Int, Float, UnsafeMutablePointer<Float>) -> Void,
        store: (Int, UnsafePointer<Float>) -> Void
    ) {
        switch method {
        case .shrunk(let blur): blur.run(width: width, height: height, add: add, store: store)
        case .direct(let kernel):
            let radius = kernel.radius
            var across = [Float](repeating: 0, count: width * height)
            var padded = [Float](repeating: 0, count: width + 2 * radius)
            var sums = [Float](repeating: 0, count: width)
            across.withUnsafeMutableBufferPointer { across in
                padded.withUnsafeMutableBufferPointer { padded in
                    sums.withUnsafeMutableBufferPointer { sums in
                        guard let across = across.baseAddress, let padded = padded.baseAddress, let sums = sums.baseAddress else {
                            return
                        }
                        for y in 0..<height {
                            let row = padded + radius
                            row.update(repeating: 0, count: width)
                            add(y, 1, row)
                            padded.update(repeating: row[0], count: radius)
                            (row + width).update(repeating: row[width - 1], count: radius)
                            kernel.sum(into: across + y * width, count: width) { UnsafePointer(row + $0) }
                        }
                        for y in 0..<height {
                            kernel.sum(into: sums, count: width) {
                                UnsafePointer(across + min(max(y + $0, 0), height - 1) * width)
                            }
                            store(y, sums)
                        }
                    }
                }
            }
        }
    }
}

extension GaussianKernel {
    /// The weighted sum of rows.
    /// - Parameter row: returns the samples of the row at a distance from the middle row.
    func sum(into out: UnsafeMutablePointer<Float>, count: Int, _ row: (Int) -> UnsafePointer<Float>) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2 * radius + 1) { rows in
            for distance in -radius...radius { rows[radius + distance] = row(distance) }
            weights.withUnsafeBufferPointer { weights in
                guard let rows = rows.baseAddress, let weights = weights.baseAddress else { return }
                spool_sum_rows(out, count, rows, weights, Int32(radius))
            }
        }
    }
}
