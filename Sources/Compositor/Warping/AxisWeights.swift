/// How the samples along one axis of a scaled picture are made of the original samples.
///
/// The filter is a triangle. Its half width is one original sample where the picture is enlarged, and the step between
/// scaled samples where it is shrunk. It follows any position and factor without a jump, and every original sample
/// counts, so nothing shimmers. Near the edges the weights of the samples that exist add up to 1. A scaled sample's
/// coverage is the part of it that lies on the original: an edge is as sharp as the scaled picture's samples allow, at
/// any scale, and a picture that just fills the frame covers all of it.
struct AxisWeights {
    /// The first original sample of each scaled sample.
    private(set) var starts: [Int] = []
    /// `taps` weights for each scaled sample, one for each original sample from its start on. They add up to 1.
    private(set) var weights: [Float] = []
    let taps: Int
    /// The part of each scaled sample that lies on the original, 0...1.
    private(set) var coverage: [Float] = []

    var count: Int { starts.count }
    /// Whether every scaled sample lies on the original altogether, within the precision of a byte.
    var coversAll: Bool { coverage.allSatisfy { $0 > 1 - 1e-4 } }
    /// The range of original samples that have a weight.
    let used: Range<Int>

    /// - Parameters:
    ///   - scale: scaled samples per original sample. A negative scale mirrors. It must not be 0.
    ///   - offset: where the original's first edge lands, in scaled samples.
    ///   - length: the number of original samples.
    ///   - window: the visible part of the original. The samples at its edges count by the part of them that lies
    ///     inside. Nil shows everything.
    ///   - range: the scaled samples to compute.
    init(scale: Double, offset: Double, length: Int, window: ClosedRange<Double>? = nil, range: Range<Int>) {
        let radius = max(1, 1 / abs(scale))
        taps = min(length, Int((2 * radius).rounded(.up)))
        var (low, high) = (length, 0)
        // Where the edges of the visible part land.
        let ends = window.map { (offset + scale * $0.lowerBound, offset + scale * $0.upperBound) }
        let (first, last) = ends ?? (offset, offset + scale * Double(length))
        let (near, far) = (min(first, last), max(first, last))
        for index in range {
            let center = (Double(index) + 0.5 - offset) / scale - 0.5
            let first = Int((center - radius).rounded(.down)) + 1
            let last = Int((center + radius).rounded(.up)) - 1
            var inside = 0.0
            let start = min(max(0, first), length - taps)
            var row = [Double](repeating: 0, count: taps)
            for sample in first...max(first, last) {
                var weight = max(0, 1 - abs(Double(sample) - center) / radius)
                if let window { weight *= window.share(ofSample: sample) }
                guard sample >= 0, sample < length, sample - start < taps else { continue }
                inside += weight
                row[sample - start] = weight
            }
            starts.append(start)
            coverage.append(Float(max(0, min(far, Double(index) + 1) - max(near, Double(index)))))
            weights += row.map { inside > 0 ? Float($0 / inside) : 0 }
            if inside > 0 { (low, high) = (min(low, start), max(high, start + taps)) }
        }
        used = low < high ? low..<high : 0..<0
    }

    /// The same weights with full coverage, for a picture whose edges another step draws.
    var withoutEdges: AxisWeights {
        var result = self
        result.coverage = [Float](repeating: 1, count: coverage.count)
        return result
    }
}

extension ClosedRange<Double> {
    /// The part of a sample that lies inside this range, 0...1.
    func share(ofSample index: Int) -> Double {
        Swift.max(0, Swift.min(upperBound, Double(index) + 1) - Swift.max(lowerBound, Double(index)))
    }
}
