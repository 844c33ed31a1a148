import Media

/// One plane of straight samples with its alpha, in plain arrays.
struct SamplePlane {
    var width: Int
    var height: Int
    var samples: [UInt8]
    /// Nil if everything is covered.
    var alpha: [UInt8]?
}

/// Scales a plane along its axes. Samples are weighted by their alpha, so that invisible pixels lend no colour to the
/// edges.
/// - Parameter alpha: coverage in rows of `plane.width` bytes. Nil means that everything is covered.
func resample(_ plane: Plane, alpha: [UInt8]?, _ columns: AxisWeights, _ rows: AxisWeights) -> SamplePlane {
    let width = columns.count
    var result = SamplePlane(width: width, height: rows.count, samples: [UInt8](repeating: 0, count: width * rows.count))
    let coversAll = alpha == nil && columns.coversAll && rows.coversAll
    if !coversAll { result.alpha = [UInt8](repeating: 0, count: width * rows.count) }
    guard !columns.used.isEmpty, !rows.used.isEmpty else { return result }
    // Each used row scaled horizontally: samples multiplied by their alpha, and the alpha itself.
    let lines = rows.used.count
    var across = [Float](repeating: 0, count: width * lines)
    var cover = [Float](repeating: 0, count: alpha == nil ? 0 : width * lines)
    for line in 0..<lines {
        let y = rows.used.lowerBound + line
        if let alpha {
            scaleRow(
                plane.row(y), alpha: alpha, from: y * plane.width, columns, into: &across, &cover, at: line * width)
        } else {
            scaleRow(plane.row(y), columns, into: &across, at: line * width)
        }
    }
    var sums = [Float](repeating: 0, count: width)
    var covers = [Float](repeating: 1, count: width)
    for y in 0..<rows.count {
        addRows(across, rows, y, into: &sums)
        if alpha != nil { addRows(cover, rows, y, into: &covers) }
        finishRow(sums, covers, edge: rows.coverage[y], columns.coverage, into: &result, at: y * width)
    }
    return result
}

/// The weighted sum of the rows that make up row `y`.
private func addRows(_ lines: [Float], _ rows: AxisWeights, _ y: Int, into sums: inout [Float]) {
    let width = sums.count
    sums.withUnsafeMutableBufferPointer { sums in
        lines.withUnsafeBufferPointer { lines in
            sums.update(repeating: 0)
            for tap in 0..<rows.taps {
                let weight = rows.weights[y * rows.taps + tap]
                guard weight > 0, let line = lines.baseAddress else { continue }
                let from = line + (rows.starts[y] + tap - rows.used.lowerBound) * width
                for x in 0..<width { sums[x] += weight * from[x] }
            }
        }
    }
}

/// Rounds the straight samples and their alpha. Adding 2^23 leaves the integer part in the lowest bits, which
/// vectorises.
private func finishRow(
    _ sums: [Float], _ covers: [Float], edge: Float, _ coverage: [Float], into result: inout SamplePlane, at place: Int
) {
    result.samples.withUnsafeMutableBufferPointer { samples in
        for x in 0..<sums.count {
            let value = covers[x] > 0 ? min(255, sums[x] / covers[x]) : 0
            samples[place + x] = UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern)
        }
    }
    result.alpha?.withUnsafeMutableBufferPointer { alpha in
        for x in 0..<sums.count {
            alpha[place + x] = UInt8(truncatingIfNeeded: (edge * coverage[x] * covers[x] * 255 + 8_388_608).bitPattern)
        }
    }
}

private func scaleRow(_ row: UnsafePointer<UInt8>, _ columns: AxisWeights, into across: inout [Float], at place: Int) {
    let taps = columns.taps
    columns.weights.withUnsafeBufferPointer { weights in
        columns.starts.withUnsafeBufferPointer { starts in
            across.withUnsafeMutableBufferPointer { across in
                guard let out = across.baseAddress.map({ $0 + place }), let weights = weights.baseAddress else { return }
                for x in 0..<starts.count {
                    let (from, weight) = (row + starts[x], weights + x &* taps)
                    var sum: Float = 0
                    for tap in 0..<taps { sum += weight[tap] * Float(from[tap]) }
                    out[x] = sum
                }
            }
        }
    }
}

private func scaleRow(
    _ row: UnsafePointer<UInt8>, alpha: [UInt8], from first: Int, _ columns: AxisWeights, into across: inout [Float],
    _ cover: inout [Float], at place: Int
) {
    let taps = columns.taps
    for x in 0..<columns.count {
        let start = columns.starts[x]
        var (sum, covered): (Float, Float) = (0, 0)
        for tap in 0..<taps {
            let share = columns.weights[x &* taps &+ tap] * Float(alpha[first + start + tap]) / 255
            covered += share
            sum += share * Float(row[start + tap])
        }
        across[place + x] = sum
        cover[place + x] = covered
    }
}
