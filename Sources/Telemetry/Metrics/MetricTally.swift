/// Collects values of metrics, which are then recorded together: a round of the leader counts hundreds of jobs, and looking
/// up a series costs more than adding to it.
package struct MetricTally: Sendable {
    private struct Series: Hashable {
        var metric: FarmMetric
        var labels: [String]
    }

    private var amounts: [Series: Double] = [:]
    private var times: [Series: [Double]] = [:]

    package init() {}

    /// Adds to a counter.
    /// - Parameter labels: the values of the metric's labels, in their order.
    package mutating func add(_ metric: FarmMetric, _ amount: Double = 1, _ labels: String...) {
        amounts[Series(metric: metric, labels: labels), default: 0] += amount
    }

    /// Adds a number of seconds to a histogram.
    /// - Parameter labels: as for `add`.
    package mutating func observe(_ metric: FarmMetric, seconds: Double, _ labels: String...) {
        times[Series(metric: metric, labels: labels), default: []].append(seconds)
    }

    /// Records everything that was collected.
    package func record() {
        for (series, amount) in amounts { series.metric.add(amount, labels: series.labels) }
        for (series, seconds) in times { series.metric.observe(seconds: seconds, labels: series.labels) }
    }
}
