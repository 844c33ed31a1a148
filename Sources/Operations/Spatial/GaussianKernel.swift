/// Weights of a sampled Gaussian, one sided. Made of additions and multiplications only, so that they are the same bits on every
/// processor, which a library's exponential function does not promise.
struct GaussianKernel {
    /// Of the middle sample and of those one, two, ... away; with the mirrored ones their sum is 1.
    let weights: [Float]

    /// Samples that it reaches out to.
    var radius: Int { weights.count - 1 }

    /// - Parameters:
    ///   - deviation: standard deviation in samples, above zero.
    ///   - reach: deviations after which it is cut off.
    init(deviation: Double, reach: Double) {
        let radius = max(1, Int((reach * deviation).rounded(.up)))
        self.init((0...radius).map { GaussianKernel.value($0, deviation) })
    }

    /// What a Gaussian of full-resolution samples does to chroma: each sample stands for two on the way in and is the mean of
    /// two on the way out, along each axis.
    /// - Parameter deviation: in full-resolution samples.
    init(chromaOf deviation: Double, reach: Double) {
        let radius = max(1, Int((reach * deviation / 2).rounded(.up)))
        self.init(
            (0...radius).map { place in
                let (before, middle, after) = (abs(2 * place - 1), 2 * place, 2 * place + 1)
                return GaussianKernel.value(before, deviation) + 2 * GaussianKernel.value(middle, deviation)
                    + GaussianKernel.value(after, deviation)
            })
    }

    private init(_ values: [Double]) {
        let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
        weights = values.map { Float($0 / sum) }
    }

    private static func value(_ distance: Int, _ deviation: Double) -> Double {
        let ratio = Double(distance) / deviation
        return exponential(ofMinus: ratio * ratio / 2)
    }

    /// `e^-x` within a few parts in 10^15 for 0...700: the Taylor series of a small part of x, squared as often as it was halved.
    private static func exponential(ofMinus x: Double) -> Double {
        guard x < 700 else { return 0 }
        var (part, halvings) = (x, 0)
        while part > 0.25 { (part, halvings) = (part / 2, halvings + 1) }
        var (sum, term) = (1.0, 1.0)
        for step in 1...14 {
            term *= -part / Double(step)
            sum += term
        }
        for _ in 0..<halvings { sum *= sum }
        return sum
    }
}
