/// Lines of the text exposition format of Prometheus, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). `MetricRegistry` writes them.
struct ExpositionText {
    private(set) var text = ""

    /// The type that an answer with the text has.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Begins a metric, whose values follow.
    mutating func begin(_ metric: MetricDescription) {
        text += "# HELP \(metric.name) \(ExpositionText.escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    /// Adds what was recorded of a metric with one set of labels.
    mutating func add(_ metric: MetricDescription, _ labels: [String], _ value: MetricSeries.Value) {
        let pairs = ExpositionText.pairs(metric.labels, labels)
        guard metric.kind == .histogram else { return line(metric.name, pairs, value.sum) }
        var below = 0
        for (limit, count) in zip(metric.buckets + [.infinity], value.buckets) {
            below += count
            line(metric.name + "_bucket", pairs + ["le=\"\(ExpositionText.number(limit))\""], Double(below))
        }
        line(metric.name + "_sum", pairs, value.sum)
        line(metric.name + "_count", pairs, Double(value.count))
    }

    mutating func add(_ sample: MetricSample) {
        line(sample.metric.rawValue, ExpositionText.pairs(sample.metric.description.labels, sample.labels), sample.value)
    }

    private mutating func line(_ name: String, _ pairs: [String], _ value: Double) {
        text += name
        if !pairs.isEmpty { text += "{" + pairs.joined(separator: ",") + "}" }
        text += " \(ExpositionText.number(value))\n"
    }

    private static func pairs(_ names: [String], _ values: [String]) -> [String] {
        zip(names, values).map { "\($0)=\"\(escaped($1, quotes: true))\"" }
    }

    /// A number as Go reads it. Whole numbers have no fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }

    /// Text with a backslash before each backslash, an `n` behind one for each line feed, and, in the value of a label,
    /// a backslash before each quotation mark. Other control characters would be allowed, but break what people look
    /// with, so a mark stands for them.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension MetricRegistry {
    /// The type of an answer with `text`.
    package static var contentType: String { ExpositionText.contentType }
}
