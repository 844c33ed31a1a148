import ExportPlan

/// The mean of the square around each sample of a plane. It uses running sums, so its cost does not depend on the
/// square's size. Squares are cut at the plane's edges, so means near the edges are over fewer samples.
struct BoxMean {
    private let size: FrameSize
    private let radius: Int

    /// - Parameter radius: samples to each side, at least 1.
    init(_ size: FrameSize, radius: Int) {
        self.size = size
        self.radius = max(1, radius)
    }

    func means(of plane: [Float]) -> [Float] {
        let (width, height) = (size.width, size.height)
        var across = [Float](repeating: 0, count: plane.count)
        plane.withUnsafeBufferPointer { plane in
            across.withUnsafeMutableBufferPointer { across in
                guard let plane = plane.baseAddress, let across = across.baseAddress else { return }
                for y in 0..<height { sumRow(plane + y * width, into: across + y * width) }
            }
        }
        // The sums of columns are in double precision, so that subtracting a value again leaves no rounding error that
        // adds up.
        var sums = [Double](repeating: 0, count: width)
        var result = [Float](repeating: 0, count: plane.count)
        let columns = (0..<width).map { Double(min($0 + radius, width - 1) - max($0 - radius, 0) + 1) }
        across.withUnsafeBufferPointer { across in
            result.withUnsafeMutableBufferPointer { result in
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let across = across.baseAddress, let result = result.baseAddress else { return }
                    for y in -radius..<height {
                        if y + radius < height {
                            let row = across + (y + radius) * width
                            for x in 0..<width { sums[x] += Double(row[x]) }
                        }
                        if y - radius - 1 >= 0 {
                            let row = across + (y - radius - 1) * width
                            for x in 0..<width { sums[x] -= Double(row[x]) }
                        }
                        guard y >= 0 else { continue }
                        let rows = Double(min(y + radius, height - 1) - max(y - radius, 0) + 1)
                        for x in 0..<width { result[y * width + x] = Float(sums[x] / (rows * columns[x])) }
                    }
                }
            }
        }
        return result
    }

    /// The sums of the samples around each sample of a row.
    private func sumRow(_ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>) {
        let width = size.width
        var sum = 0.0
        for x in 0..<min(radius, width) { sum += Double(row[x]) }
        for x in 0..<width {
            if x + radius < width { sum += Double(row[x + radius]) }
            if x - radius - 1 >= 0 { sum -= Double(row[x - radius - 1]) }
            out[x] = Float(sum)
        }
    }
}
