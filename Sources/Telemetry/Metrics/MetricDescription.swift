/// What a metric is: its name, its type, its labels and one sentence for people, as Prometheus shows them.
package struct MetricDescription: Hashable, Sendable {
    /// The types of the text exposition format that this farm uses.
    package enum Kind: String, Hashable, Sendable {
        /// A sum that only grows until the process ends.
        case counter
        /// A value that goes up and down.
        case gauge
        /// How many values are at most as large as each of some limits, with their sum and number.
        case histogram
    }

    /// The name, such as `spool_job_seconds`. Times are in seconds and sizes in bytes.
    package var name: String
    package var kind: Kind
    /// One sentence, which Prometheus calls the help text.
    package var help: String
    /// The names of the labels, in their order.
    package var labels: [String]
    /// The upper limits of a histogram's buckets, rising, without the infinite one; empty for the other types.
    package var buckets: [Double]

    package init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = [], buckets: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.buckets = buckets
    }

    /// Limits in seconds for answers of servers: from half a millisecond to ten seconds.
    static let answerTimes = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    /// Limits in seconds for jobs, and for how long they wait: from ten milliseconds to an hour.
    static let jobTimes = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]
}

/// One value of a metric at one time, for numbers that are found out when they are asked for.
package struct MetricSample: Hashable, Sendable {
    package var metric: FarmMetric
    /// The values of the metric's labels, in their order.
    package var labels: [String]
    package var value: Double

    /// - Parameter labels: the values of the metric's labels, in their order.
    package init(_ metric: FarmMetric, _ labels: [String], _ value: Double) {
        self.metric = metric
        self.labels = labels
        self.value = value
    }

    /// The value of a metric without labels.
    package init(_ metric: FarmMetric, _ value: Double) { self.init(metric, [], value) }
}
