/// How the samples along one axis of a scaled picture are made of those of the original: a triangle one sample wide where it is
/// enlarged, as wide as the step where it is shrunk. It follows any position and factor without a jump, and every original
/// sample counts: nothing shimmers.
struct AxisWeights {
    /// First original sample of each.
    private(set) var starts: [Int] = []
    /// `taps` weights for each, of the samples from its start on; they add up to 1.
    private(set) var weights: [Float] = []
    let taps: Int
    /// How much of each sample's triangle lies on the original, 0...1: soft edges.
    private(set) var coverage: [Float] = []

    var count: Int { starts.count }
    /// Original samples that matter.
    let used: Range<Int>

    /// - Parameters:
    ///   - scale: scaled per original samples; below zero it is mirrored, not 0.
    ///   - offset: where the original's first edge lands.
    ///   - length: original samples.
    ///   - range: scaled samples that are wanted.
    init(scale: Double, offset: Double, length: Int, range: Range<Int>) {
        let radius = max(1, 1 / abs(scale))
        taps = min(length, Int((2 * radius).rounded(.up)))
        var (low, high) = (length, 0)
        for index in range {
            let center = (Double(index) + 0.5 - offset) / scale - 0.5
            let first = Int((center - radius).rounded(.down)) + 1
            let last = Int((center + radius).rounded(.up)) - 1
            var inside = 0.0
            var all = 0.0
            let start = min(max(0, first), length - taps)
            var row = [Double](repeating: 0, count: taps)
            for sample in first...max(first, last) {
                let weight = max(0, 1 - abs(Double(sample) - center) / radius)
                all += weight
                guard sample >= 0, sample < length, sample - start < taps else { continue }
                inside += weight
                row[sample - start] = weight
            }
            starts.append(start)
            coverage.append(all > 0 ? Float(inside / all) : 0)
            weights += row.map { inside > 0 ? Float($0 / inside) : 0 }
            if inside > 0 { (low, high) = (min(low, start), max(high, start + taps)) }
        }
        used = low < high ? low..<high : 0..<0
    }
}
