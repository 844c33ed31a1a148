import CPixelKernels

/// A function on 0...1, sampled at the squares of even steps, so that the steps are finer in the dark, where the eye
/// and power functions need it. Computing a power for each pixel would cost ten times as much, and its last bit would
/// depend on the processor.
struct ToneCurve {
    private static let steps = 4096
    /// `steps` + 1 values, and a copy of the last one, so that the last step needs no test.
    private let values: [Float]

    init(_ function: (Double) -> Double) {
        var values = (0...ToneCurve.steps).map { index in
            let root = Double(index) / Double(ToneCurve.steps)
            return Float(function(root * root))
        }
        values.append(values[ToneCurve.steps])
        self.values = values
    }

    /// Replaces every value, limited to 0...1, by the curve's value.
    func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
        spool_apply_curve(row, count, values, Int32(ToneCurve.steps))
    }
}
