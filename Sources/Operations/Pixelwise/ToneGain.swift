/// Scales a colour so that its luminance, 0.3 (r + g + b), follows a curve, as GPUImage's
/// `GPUImageHighlightShadowFilter` does. The operations for highlights and shadows are two such curves.
struct ToneGain {
    private let curve: ToneCurve

    /// - Parameter function: maps the old luminance, 0...1, to the new one.
    init(_ function: (Double) -> Double) {
        curve = ToneCurve(function)
    }

    var stage: PixelwiseStage {
        let curve = curve
        var before: [Float] = []
        var after: [Float] = []
        return { row in
            if before.count != row.count {
                before = [Float](repeating: 0, count: row.count)
                after = before
            }
            before.withUnsafeMutableBufferPointer { before in
                after.withUnsafeMutableBufferPointer { after in
                    guard let was = before.baseAddress, let becomes = after.baseAddress else { return }
                    for x in 0..<row.count {
                        was[x] = unit(0.3 * (row.red[x] + row.green[x] + row.blue[x]))
                        becomes[x] = was[x]
                    }
                    curve.apply(to: becomes, count: row.count)
                    for x in 0..<row.count {
                        // Black has no colour to scale.
                        let gain = was[x] > 1e-6 ? becomes[x] / was[x] : 1
                        row.red[x] *= gain
                        row.green[x] *= gain
                        row.blue[x] *= gain
                    }
                }
            }
        }
    }
}
