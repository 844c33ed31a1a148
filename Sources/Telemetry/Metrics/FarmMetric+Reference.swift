extension FarmMetric {
    /// All metrics as a Markdown list: a part of `docs/observability.md`.
    package static var reference: String {
        allCases.map { metric in
            let description = metric.description
            let labels = description.labels.isEmpty ? "" : ", by " + description.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "- `\(metric.rawValue)` (\(description.kind.rawValue)\(labels)):\n  \(description.help)\n"
        }.joined()
    }
}
