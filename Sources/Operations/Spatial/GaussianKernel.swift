/// One side of a sampled Gaussian's weights. They are computed by additions, multiplications and divisions only, so
/// that they are bit-identical on every processor; a library's exponential function does not promise that.
struct GaussianKernel {
    /// The weights at distance 0, 1, 2 and so on. The sum of the weights of both sides is 1.
    let weights: [Float]

    /// How many samples the kernel reaches to each side.
    var radius: Int { weights.count - 1 }

    /// - Parameters:
    ///   - deviation: the standard deviation in samples, above zero.
    ///   - reach: the number of standard deviations after which the kernel is cut off.
    init(deviation: Double, reach: Double) {
        let radius = max(1, Int((reach * deviation).rounded(.up)))
        self.init((0...radius).map { GaussianKernel.value($0, deviation) })
    }

    /// The kernel that has the effect on chroma of a Gaussian on full-resolution samples. Along each axis a chroma
    /// sample is repeated twice on input, and is the mean of two samples on output.
    /// - Parameter deviation: the standard deviation in full-resolution samples.
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

    /// `e^-x` within a few parts in 10^15 for 0...700. x is halved until it is small, and the Taylor series of that
    /// part is squared once for each halving.
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
