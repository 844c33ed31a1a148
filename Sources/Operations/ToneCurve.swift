import CPixelKernels

/// A function of one number 0...1, sampled finely where eyes and powers need it: at the squares of even steps. A power
/// for each pixel would cost ten times as much, and its last bit depends on the processor.
struct ToneCurve {
    private static let steps = 4096
    /// `steps` + 1 values and one more, so that the last step needs no test.
    private let values: [Float]

    init(_ function: (Double) -> Double) {
        var values = (0...ToneCurve.steps).map { index in
            let root = Double(index) / Double(ToneCurve.steps)
            return Float(function(root * root))
        }
        values.append(values[ToneCurve.steps])
        self.values = values
    }

    /// Puts every value, limited to 0...1, through the curve.
    func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
        spool_apply_curve(row, count, values, Int32(ToneCurve.steps))
    }
}
