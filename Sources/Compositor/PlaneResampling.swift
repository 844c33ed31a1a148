import Media

/// One plane of straight samples with its alpha, in plain arrays.
struct SamplePlane {
    var width: Int
    var height: Int
    var samples: [UInt8]
    var alpha: [UInt8]
}

/// Scales a plane along its axes. Samples count by their alpha, so that what is invisible lends no colour to the edges.
/// - Parameter alpha: rows of `plane.width` bytes; nil where all is covered.
func resample(_ plane: Plane, alpha: [UInt8]?, _ columns: AxisWeights, _ rows: AxisWeights) -> SamplePlane {
    let width = columns.count
    var result = SamplePlane(
        width: width, height: rows.count, samples: [UInt8](repeating: 0, count: width * rows.count),
        alpha: [UInt8](repeating: 0, count: width * rows.count))
    guard !columns.used.isEmpty, !rows.used.isEmpty else { return result }
    // Every used row, scaled across: what is seen of it, and how much.
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
    var covers = [Float](repeating: 0, count: width)
    for y in 0..<rows.count {
        for x in 0..<width { (sums[x], covers[x]) = (0, 0) }
        for tap in 0..<rows.taps {
            let weight = rows.weights[y * rows.taps + tap]
            guard weight > 0 else { continue }
            let start = (rows.starts[y] + tap - rows.used.lowerBound) * width
            for x in 0..<width { sums[x] += weight * across[start + x] }
            if alpha != nil { for x in 0..<width { covers[x] += weight * cover[start + x] } }
        }
        for x in 0..<width {
            let edge = rows.coverage[y] * columns.coverage[x] * 255
            let share = alpha == nil ? 1 : covers[x]
            result.alpha[y * width + x] = UInt8((edge * share).rounded())
            if share > 0 { result.samples[y * width + x] = UInt8(min(255, (sums[x] / share).rounded())) }
        }
    }
    return result
}

private func scaleRow(_ row: UnsafePointer<UInt8>, _ columns: AxisWeights, into across: inout [Float], at place: Int) {
    let taps = columns.taps
    columns.weights.withUnsafeBufferPointer { weights in
        for x in 0..<columns.count {
            let from = row + columns.starts[x]
            var sum: Float = 0
            for tap in 0..<taps { sum += weights[x &* taps &+ tap] * Float(from[tap]) }
            across[place + x] = sum
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

/// Draws a plane through a map, with bilinear interpolation: for pictures that are turned, and not shrunk.
/// - Parameters:
///   - inverse: from the result's samples to the plane's, in coordinates in which sample 0 reaches from 0 to 1.
///   - left, top: where the result's first sample is.
func warp(
    _ plane: SamplePlane, _ inverse: AffineMap, left: Int, top: Int, width: Int, height: Int
) -> SamplePlane {
    var result = SamplePlane(
        width: width, height: height, samples: [UInt8](repeating: 0, count: width * height),
        alpha: [UInt8](repeating: 0, count: width * height))
    let (stepU, stepV) = (Float(inverse.xx), Float(inverse.yx))
    let (lastColumn, lastRow) = (plane.width - 1, plane.height - 1)
    plane.samples.withUnsafeBufferPointer { samples in
        plane.alpha.withUnsafeBufferPointer { alpha in
            for y in 0..<height {
                let (cx, cy) = (Double(left) + 0.5, Double(top + y) + 0.5)
                let startU = inverse.xx * cx + inverse.xy * cy + inverse.x0 - 0.5
                let startV = inverse.yx * cx + inverse.yy * cy + inverse.y0 - 0.5
                for x in 0..<width {
                    // From the row's start each time: errors of a sum would grow along the row.
                    let u = Float(startU) + Float(x) * stepU
                    let v = Float(startV) + Float(x) * stepV
                    guard u > -1, v > -1, u < Float(plane.width), v < Float(plane.height) else { continue }
                    let (column, row) = (u.rounded(.down), v.rounded(.down))
                    let (right, low) = (u - column, v - row)
                    let (x0, y0) = (Int(column), Int(row))
                    var (sum, covered): (Float, Float) = (0, 0)
                    @inline(__always) func take(_ px: Int, _ py: Int, _ weight: Float) {
                        guard px >= 0, py >= 0, px <= lastColumn, py <= lastRow else { return }
                        let place = py &* plane.width &+ px
                        let share = weight * Float(alpha[place])
                        covered += share
                        sum += share * Float(samples[place])
                    }
                    take(x0, y0, (1 - right) * (1 - low))
                    take(x0 + 1, y0, right * (1 - low))
                    take(x0, y0 + 1, (1 - right) * low)
                    take(x0 + 1, y0 + 1, right * low)
                    guard covered > 0 else { continue }
                    result.samples[y &* width &+ x] = UInt8(min(255, (sum / covered).rounded()))
                    result.alpha[y &* width &+ x] = UInt8(covered.rounded())
                }
            }
        }
    }
    return result
}
