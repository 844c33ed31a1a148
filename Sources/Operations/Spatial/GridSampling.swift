import ExportPlan

/// Samples a picture bilinearly on a grid with one source position for each column and each row: the picture scaled and
/// shifted along its axes. Beyond the picture's edges the edge pixels are repeated.
struct GridSampling {
    /// For each column: the sample before the position, the sample after it, and the weight of the sample after it.
    private let left: [Int32]
    private let right: [Int32]
    private let across: [Float]
    /// The same for each row.
    private let rows: [(above: Int, below: Int, share: Float)]

    /// - Parameters:
    ///   - column: maps the middle of a column (x + 1/2) to its source position, in pixels.
    ///   - row: maps the middle of a row to its source position.
    init(_ size: FrameSize, column: (Float) -> Float, row: (Float) -> Float) {
        func place(_ index: Int, _ count: Int, _ map: (Float) -> Float) -> (Int, Int, Float) {
            let sample = max(0, min(Float(count - 1), map(Float(index) + 0.5) - 0.5))
            let before = Int(sample)
            return (before, min(before + 1, count - 1), sample - Float(before))
        }
        let columns = (0..<size.width).map { place($0, size.width, column) }
        left = columns.map { Int32($0.0) }
        right = columns.map { Int32($0.1) }
        across = columns.map(\.2)
        rows = (0..<size.height).map { place($0, size.height, row) }
    }

    /// Samples the picture enlarged about its middle and shifted.
    /// - Parameters:
    ///   - zoom: the scale factor. Above 1 the picture becomes larger.
    ///   - shift: pixels to the right and down, applied after the enlargement.
    init(_ size: FrameSize, zoom: Float, shift: (x: Float, y: Float) = (0, 0)) {
        let (middleX, middleY) = (Float(size.width) / 2, Float(size.height) / 2)
        self.init(
            size, column: { middleX + ($0 - middleX - shift.x) / zoom }, row: { middleY + ($0 - middleY - shift.y) / zoom })
    }

    /// Adds `weight` times the sampled plane to `target`. If `isFirst` is set, it overwrites `target` instead.
    func add(_ plane: [Float], weight: Float, isFirst: Bool, to target: inout [Float]) {
        let width = across.count
        var line = [Float](repeating: 0, count: width)
        plane.withUnsafeBufferPointer { plane in
            target.withUnsafeMutableBufferPointer { target in
                line.withUnsafeMutableBufferPointer { line in
                    guard let plane = plane.baseAddress, let target = target.baseAddress, let line = line.baseAddress else {
                        return
                    }
                    for (y, row) in rows.enumerated() {
                        let (top, bottom, share) = (plane + row.above * width, plane + row.below * width, row.share)
                        for x in 0..<width { line[x] = top[x] + (bottom[x] - top[x]) * share }
                        lay(line, weight, isFirst, onto: target + y * width)
                    }
                }
            }
        }
    }

    private func lay(
        _ line: UnsafeMutablePointer<Float>, _ weight: Float, _ isFirst: Bool, onto out: UnsafeMutablePointer<Float>
    ) {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                across.withUnsafeBufferPointer { across in
                    for x in 0..<across.count {
                        let (before, after) = (line[Int(left[x])], line[Int(right[x])])
                        let value = weight * (before + (after - before) * across[x])
                        out[x] = isFirst ? value : out[x] + value
                    }
                }
            }
        }
    }

    /// The sampled plane.
    func sampled(_ plane: [Float]) -> [Float] {
        var result = plane
        add(plane, weight: 1, isFirst: true, to: &result)
        return result
    }
}
