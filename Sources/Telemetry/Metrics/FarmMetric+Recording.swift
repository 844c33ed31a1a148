import CoreMetrics

/// How the farm's parts record: through swift-metrics, so that a program without a registry, as in most tests and in all
/// local commands, records nothing and pays nothing.
extension FarmMetric {
    /// Adds to a counter.
    /// - Parameter labels: the values of the metric's labels, in their order.
    package func add(_ amount: Double = 1, _ labels: String...) { add(amount, labels: labels) }

    /// As above, for labels that are in an array.
    func add(_ amount: Double, labels: [String]) {
        FloatingPointCounter(label: rawValue, dimensions: dimensions(labels)).increment(by: amount)
    }

    /// Adds a time to a histogram.
    /// - Parameter labels: as for `add`.
    package func observe(_ time: Duration, _ labels: String...) {
        let (seconds, attoseconds) = time.components
        // A duration of more than 292 years would not fit.
        let nanoseconds = seconds > 1 << 32 ? Int64.max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        CoreMetrics.Timer(label: rawValue, dimensions: dimensions(labels)).recordNanoseconds(nanoseconds)
    }

    /// Adds numbers of seconds to a histogram. What is no time is left out.
    /// - Parameter labels: as for `add`.
    func observe(seconds: [Double], labels: [String]) {
        let timer = CoreMetrics.Timer(label: rawValue, dimensions: dimensions(labels))
        for seconds in seconds where seconds.isFinite && seconds >= 0 && seconds < 1e9 {
            timer.recordNanoseconds(Int64(seconds * 1e9))
        }
    }

    private func dimensions(_ values: [String]) -> [(String, String)] { Array(zip(description.labels, values)) }
}
