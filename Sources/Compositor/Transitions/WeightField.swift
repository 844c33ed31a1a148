import ExportPlan
import Operations

/// A number for each place of the picture, computed once. One formula turns it into the weights of each frame. A field
/// that changes along only one axis stores only one row or one column.
struct WeightField {
    private enum Extent { case columns, rows, both }

    private let extent: Extent
    private let width: Int
    private let values: [Float]

    /// A field that depends on the column only: all rows are alike.
    static func columns(_ size: FrameSize, _ value: (Int) -> Float) -> WeightField {
        WeightField(extent: .columns, width: size.width, values: (0..<size.width).map(value))
    }

    /// A field that depends on the row only: all columns are alike.
    static func rows(_ size: FrameSize, _ value: (Int) -> Float) -> WeightField {
        WeightField(extent: .rows, width: size.width, values: (0..<size.height).map(value))
    }

    static func places(_ size: FrameSize, _ value: (_ x: Int, _ y: Int) -> Float) -> WeightField {
        var values: [Float] = []
        values.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { values.append(value(x, y)) }
        }
        return WeightField(extent: .both, width: size.width, values: values)
    }

    /// Weights `S(value + offset)`, where `S(t) = t²(3 - 2t)` for `t` clipped to 0...1.
    func smoothWeights(offset: Float, row: Int, into weights: UnsafeMutablePointer<UInt16>) {
        fill(row, weights) { values, count, out in
            for x in 0..<count { out[x] = WeightField.weight(smoothStep(values[x] + offset)) }
        }
    }

    /// Weights `value * gain + offset`, clipped to 0...1.
    func linearWeights(gain: Float, offset: Float, row: Int, into weights: UnsafeMutablePointer<UInt16>) {
        fill(row, weights) { values, count, out in
            for x in 0..<count { out[x] = WeightField.weight(min(1, max(0, values[x] * gain + offset))) }
        }
    }

    /// Weight 1 where the value is below the threshold, otherwise 0.
    func hardWeights(below threshold: Float, row: Int, into weights: UnsafeMutablePointer<UInt16>) {
        let one = UInt16(Blend.one)
        fill(row, weights) { values, count, out in
            for x in 0..<count { out[x] = values[x] < threshold ? one : 0 }
        }
    }

    @inline(__always)
    private func fill(
        _ row: Int, _ weights: UnsafeMutablePointer<UInt16>,
        _ formula: (UnsafePointer<Float>, Int, UnsafeMutablePointer<UInt16>) -> Void
    ) {
        values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            switch extent {
            case .columns: formula(base, width, weights)
            case .both: formula(base + row * width, width, weights)
            case .rows:
                formula(base + row, 1, weights)
                weights.update(repeating: weights[0], count: width)
            }
        }
    }

    /// A fraction (0...1) in 1/32768, rounded. Adding 2²³ leaves the integer part in the low bits. This conversion
    /// vectorises; Swift's checked one does not.
    @inline(__always)
    static func weight(_ fraction: Float) -> UInt16 {
        UInt16(truncatingIfNeeded: (fraction * 32_768 + 8_388_608).bitPattern)
    }
}
