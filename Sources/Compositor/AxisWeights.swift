/// How the samples along one axis of a scaled picture are made of those of the original: a triangle one sample wide where it is
/// enlarged, as wide as the step where it is shrunk. It follows any position and factor without a jump, and every original
/// sample counts: nothing shimmers. At the edges the last samples go on, and how much of a scaled sample lies on the original says
/// its coverage: an edge is as sharp as the scaled picture's samples allow, whatever the scale, and a picture that just
/// fills the frame covers all of it.
struct AxisWeights {
    /// First original sample of each.
    private(set) var starts: [Int] = []
    /// `taps` weights for each, of the samples from its start on; they add up to 1.
    private(set) var weights: [Float] = []
    let taps: Int
    /// How much of each sample lies on the original, 0...1.
    private(set) var coverage: [Float] = []

    var count: Int { starts.count }
    /// Whether every sample lies on the original altogether, as far as a byte can say.
    var coversAll: Bool { coverage.allSatisfy { $0 > 1 - 1e-4 } }
    /// Original samples that matter.
    let used: Range<Int>

    /// - Parameters:
    ///   - scale: scaled per original samples; below zero it is mirrored, not 0.
    ///   - offset: where the original's first edge lands.
    ///   - length: original samples.
    ///   - window: the part of the original that is seen: of the samples at its edges only as much counts as lies inside. Nil is
    ///     all of it.
    ///   - range: scaled samples that are wanted.
    init(scale: Double, offset: Double, length: Int, window: ClosedRange<Double>? = nil, range: Range<Int>) {
        let radius = max(1, 1 / abs(scale))
        taps = min(length, Int((2 * radius).rounded(.up)))
        var (low, high) = (length, 0)
        // Where the edges of what is seen land.
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

    /// The same weights for samples that lie on the original altogether: of a picture whose edges another step draws.
    var withoutEdges: AxisWeights {
        var result = self
        result.coverage = [Float](repeating: 1, count: coverage.count)
        return result
    }
}

extension ClosedRange<Double> {
    /// How much of a sample lies inside, 0...1.
    func share(ofSample index: Int) -> Double {
        Swift.max(0, Swift.min(upperBound, Double(index) + 1) - Swift.max(lowerBound, Double(index)))
    }
}
