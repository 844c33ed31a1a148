import ExportPlan
import Media

/// A dissolve whose rows blur horizontally and sharpen again: each sample is the mean of the `1 + (W/2) min(2p, 2 -
/// 2p)` samples that start at it and go to the right, or of fewer at the end of the row.
struct HorizontalBlur: TransitionDrawing {
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let width = target.size.width
        let remaining = progress.remaining
        let strength = remaining <= 0.5 ? remaining * 2 : (1 - remaining) * 2
        let length = min(width, 1 + Int(Float(width / 2) * strength))
        let weight = Int32(WeightField.weight(1 - remaining))
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { mixedRow in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { meanRow in
                guard let mixed = mixedRow.baseAddress, let means = meanRow.baseAddress else { return }
                for index in 0..<3 {
                    let (first, second, result) = (from.plane(index), to.plane(index), target.plane(index))
                    for y in 0..<result.height {
                        let (a, b, out) = (first.row(y), second.row(y), result.row(y))
                        // The mean of the mix is the mix of the means. Chroma is averaged at full width because the
                        // window moves by whole pixels.
                        for x in 0..<result.width {
                            let value = Int32(a[x]) &* (Int32(Blend.one) &- weight) &+ Int32(b[x]) &* weight
                            if index == 0 {
                                mixed[x] = value
                            } else {
                                mixed[2 * x] = value
                                mixed[2 * x + 1] = value
                            }
                        }
                        average(mixed, over: length, into: means, count: width)
                        for x in 0..<result.width {
                            let mean = index == 0 ? means[x] : (means[2 * x] + means[2 * x + 1]) / 2
                            // Rounds in the same method as `WeightField.weight`.
                            out[x] = UInt8(truncatingIfNeeded: (mean + 8_388_608).bitPattern)
                        }
                    }
                }
            }
        }
    }

    /// Running means, scaled back to code values.
    private func average(
        _ values: UnsafeMutablePointer<Int32>, over length: Int, into means: UnsafeMutablePointer<Float>, count: Int
    ) {
        var sum = 0
        for x in 0..<length { sum &+= Int(values[x]) }
        let whole = 1 / (Float(length) * Float(Blend.one))
        for x in 0..<(count - length) {
            means[x] = Float(sum) * whole
            sum &+= Int(values[x + length]) &- Int(values[x])
        }
        for x in (count - length)..<count {
            means[x] = Float(sum) / (Float(count - x) * Float(Blend.one))
            sum &-= Int(values[x])
        }
    }
}
