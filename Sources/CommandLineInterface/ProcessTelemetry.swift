import CoreMetrics
import Instrumentation
package import LocalFarm
package import Logging
package import Telemetry
import FoundationEssentials
import Glibc

/// What a coordinator or a worker tells of itself besides its log: it begins with the process, once.
package struct ProcessTelemetry: Sendable {
    /// The numbers of this process; nil where nobody reads them.
    package let registry: MetricRegistry?
    /// Spans on their way to the collector; nil where there is no collector.
    package let spans: SpanBuffer?
    private let exporter: TraceExporter?

    /// Reads the settings, and makes this process record.
    /// - Parameters:
    ///   - name: the program's name for the collector.
    ///   - instance: this process's name, different from that of any other.
    ///   - hasMetrics: whether the process's numbers are read.
    /// - Throws: `FarmSettings.Fault`.
    package init(
        _ settings: FarmSettings, name: String, version: String, instance: String, hasMetrics: Bool, logger: Logger
    ) throws {
        ProcessSamples.version = version
        let endpoint = try settings.text(.traceEndpoint)
        guard endpoint.isEmpty || endpoint.hasPrefix("http://") || endpoint.hasPrefix("https://") else {
            throw FarmSettings.Fault(lines: ["traceEndpoint begins with http:// or https://, not as '\(endpoint)'"])
        }
        registry = hasMetrics ? MetricRegistry() : nil
        if let registry { MetricsSystem.bootstrap(registry) }
        guard !endpoint.isEmpty else {
            spans = nil
            exporter = nil
            return
        }
        let buffer = SpanBuffer()
        spans = buffer
        InstrumentationSystem.bootstrap(FarmTracer(buffer))
        exporter = TraceExporter(to: endpoint, service: (name, version, instance), from: buffer, logger: logger)
    }

    /// Sends spans until the task is cancelled; returns at once where there is no collector.
    package func run() async { await exporter?.run() }
}
