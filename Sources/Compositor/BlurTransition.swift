import ExportPlan
import Media

/// A dissolve of rows that are smeared to the left and sharpen again: each place is the mean of those from it to
/// `1 + (W/2) min(2p, 2 - 2p)` places on, fewer at the row's end.
struct HorizontalBlur: TransitionDrawing {
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let width = target.size.width
        let remaining = progress.remaining
        let strength = remaining <= 0.5 ? remaining * 2 : (1 - remaining) * 2
        let length = min(width, 1 + Int(Float(width / 2) * strength))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * width) { rows in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { means in
                guard let a = rows.baseAddress, let mean = means.baseAddress else { return }
                for index in 0..<3 {
                    let (first, second, result) = (from.plane(index), to.plane(index), target.plane(index))
                    for y in 0..<result.height {
                        // Chroma at full width: the window moves by whole pixels.
                        spread(first.row(y), into: a, count: width, isChroma: index > 0)
                        spread(second.row(y), into: a + width, count: width, isChroma: index > 0)
                        mixMeans(a, a + width, length: length, remaining, into: mean, count: width)
                        let out = result.row(y)
                        if index == 0 {
                            for x in 0..<width { out[x] = UInt8(mean[x].rounded()) }
                        } else {
                            for x in 0..<width / 2 { out[x] = UInt8(((mean[2 * x] + mean[2 * x + 1]) / 2).rounded()) }
                        }
                    }
                }
            }
        }
    }

    private func spread(
        _ row: UnsafeMutablePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, count: Int, isChroma: Bool
    ) {
        if isChroma {
            for x in 0..<count { out[x] = row[x / 2] }
        } else {
            out.update(from: row, count: count)
        }
    }

    private func mixMeans(
        _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, length: Int, _ remaining: Float,
        into out: UnsafeMutablePointer<Float>, count: Int
    ) {
        var (sumA, sumB, inside) = (0, 0, length)
        for x in 0..<length {
            sumA += Int(a[x])
            sumB += Int(b[x])
        }
        for x in 0..<count {
            out[x] = (Float(sumA) * remaining + Float(sumB) * (1 - remaining)) / Float(inside)
            sumA -= Int(a[x])
            sumB -= Int(b[x])
            if x + length < count {
                sumA += Int(a[x + length])
                sumB += Int(b[x + length])
            } else {
                inside -= 1
            }
        }
    }
}
