package import CoreMetrics
import Synchronization

/// Keeps the values of the farm's metrics and writes them for Prometheus: the backend of swift-metrics in the programs
/// that are scraped.
///
/// Only the metrics of `FarmMetric` are kept, each with at most `seriesLimit` sets of labels. Beyond that, values go to
/// one series whose labels are all `other`, so that no mistake can fill the memory of this process or of Prometheus.
package final class MetricRegistry: Sendable {
    /// How many sets of labels a metric may have.
    package static let seriesLimit = 400
    /// The greatest length of a label's value, in characters.
    private static let valueLimit = 128

    private let series = Mutex<[FarmMetric: [[String]: MetricSeries]]>([:])

    package init() {}

    /// All values in the text exposition format of Prometheus, version 0.0.4.
    /// - Parameter samples: further values, which were found out for this call.
    package func text(with samples: [MetricSample] = []) -> String {
        let recorded = series.withLock { $0 }
        let sampled = Dictionary(grouping: samples, by: \.metric)
        var text = ExpositionText()
        for metric in FarmMetric.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            let own = (recorded[metric] ?? [:]).map { ($0, $1.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
            let found = (sampled[metric] ?? []).sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
            guard !own.isEmpty || !found.isEmpty else { continue }
            text.begin(metric.description)
            for (labels, value) in own { text.add(metric.description, labels, value) }
            for sample in found { text.add(sample) }
        }
        return text.text
    }

    /// The series of a metric with these labels; nil for a metric that is not the farm's.
    private func series(_ name: String, _ dimensions: [(String, String)]) -> MetricSeries? {
        guard let metric = FarmMetric(rawValue: name) else { return nil }
        let description = metric.description
        let given = Dictionary(dimensions) { _, last in last }
        let labels = description.labels.map { String((given[$0] ?? "").prefix(MetricRegistry.valueLimit)) }
        let (found, isFolded) = series.withLock { all -> (MetricSeries, Bool) in
            if let known = all[metric]?[labels] { return (known, false) }
            let isFull = all[metric, default: [:]].count >= MetricRegistry.seriesLimit
            let key = isFull ? labels.map { _ in "other" } : labels
            if let known = all[metric]?[key] { return (known, isFull) }
            let new = MetricSeries(description)
            all[metric, default: [:]][key] = new
            return (new, isFull)
        }
        if isFolded { series(FarmMetric.foldedSeries.rawValue, [("metric", name)])?.add(1) }
        return found
    }
}

extension MetricRegistry: MetricsFactory {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    // A series stays until the process ends, as Prometheus expects.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
