import CoreMetrics
import Telemetry
import TestSupport
import Testing
import FoundationEssentials

@Suite("The registry of metrics")
struct MetricRegistryTests {
    private let registry = MetricRegistry()

    private func lines(_ samples: [MetricSample] = []) -> [Substring] { registry.text(with: samples).split(separator: "\n") }

    @Test("A counter adds up, never falls, and is written with its help text and type")
    func counter() {
        let counter = FloatingPointCounter(
            label: "spool_retries_total", dimensions: [("kind", "video"), ("class", "crash")], factory: registry)
        counter.increment(by: 2)
        counter.increment(by: 0.5)
        counter.increment(by: -7.0)
        counter.increment(by: Double.nan)
        #expect(
            lines() == [
                "# HELP spool_retries_total Failures after which a job is tried once more.",
                "# TYPE spool_retries_total counter", #"spool_retries_total{kind="video",class="crash"} 2.5"#,
            ])
    }

    @Test("A histogram's buckets count what is at most as large as their limits, and the last one counts everything")
    func histogram() {
        let timer = CoreMetrics.Timer(label: "spool_redis_seconds", dimensions: [("operation", "command")], factory: registry)
        for milliseconds in [1, 2, 3, 20_000] { timer.recordMilliseconds(milliseconds) }
        let text = registry.text()
        for line in [
            #"spool_redis_seconds_bucket{operation="command",le="0.0005"} 0"#,
            #"spool_redis_seconds_bucket{operation="command",le="0.001"} 1"#,
            #"spool_redis_seconds_bucket{operation="command",le="0.0025"} 2"#,
            #"spool_redis_seconds_bucket{operation="command",le="0.005"} 3"#,
            #"spool_redis_seconds_bucket{operation="command",le="10"} 3"#,
            #"spool_redis_seconds_bucket{operation="command",le="+Inf"} 4"#,
            #"spool_redis_seconds_sum{operation="command"} 20.006"#,
            #"spool_redis_seconds_count{operation="command"} 4"#,
        ] {
            #expect(text.contains(line + "\n"))
        }
    }

    @Test("The value of a label is one line without control characters, whatever it is, and of a limited length")
    func hostileLabels() {
        let hostile = "a\"} 1\nevil{x=\"\\\u{0}\u{1B}[2J\u{7F}\u{85}\r"
        Counter(label: "spool_redis_errors_total", dimensions: [("operation", hostile)], factory: registry).increment()
        Counter(
            label: "spool_redis_errors_total", dimensions: [("operation", String(repeating: "x", count: 10_000))],
            factory: registry
        ).increment()
        let found = lines()
        #expect(found.count == 4)
        let mark = "\u{FFFD}"
        let value = #"a\"} 1\nevil{x=\"\\"# + "\(mark)\(mark)[2J\(mark)\(mark)\(mark)"
        #expect(found[2] == "spool_redis_errors_total{operation=\"\(value)\"} 1")
        #expect(found[3].utf8.count < 200)
    }

    @Test("Beyond its limit of series a metric has one more, which is named other, and the folded values are counted")
    func limit() {
        for number in 0..<(MetricRegistry.seriesLimit + 50) {
            Counter(label: "spool_redis_errors_total", dimensions: [("operation", "\(number)")], factory: registry).increment()
        }
        let found = lines()
        #expect(found.filter { $0.hasPrefix("spool_redis_errors_total{") }.count == MetricRegistry.seriesLimit + 1)
        #expect(found.contains(#"spool_redis_errors_total{operation="other"} 50"#))
        #expect(found.contains(#"spool_metrics_folded_values_total{metric="spool_redis_errors_total"} 50"#))
    }

    @Test("What is not in the list of metrics is not kept, and a call of another type changes nothing")
    func unknown() {
        Counter(label: "hb.requests", dimensions: [("path", "/secret")], factory: registry).increment()
        #expect(lines().isEmpty)
        Meter(label: "spool_redis_errors_total", dimensions: [("operation", "a")], factory: registry).set(7)
        #expect(lines().last == #"spool_redis_errors_total{operation="a"} 0"#)
    }

    @Test("Samples are written beside what was recorded, in the order of names and labels")
    func samples() {
        Counter(label: "spool_trace_spans_sent_total", factory: registry).increment(by: 3)
        let found = lines([
            MetricSample(.slots, ["video", "default", "free"], 2), MetricSample(.slots, ["audio", "default", "busy"], 1e16),
            MetricSample(.databaseUp, 1),
        ]).filter { !$0.hasPrefix("#") }
        #expect(
            found == [
                "spool_database_up 1", #"spool_slots{role="audio",pool="default",state="busy"} 1e+16"#,
                #"spool_slots{role="video",pool="default",state="free"} 2"#, "spool_trace_spans_sent_total 3",
            ])
    }

    @Test("Names follow Prometheus: counters end with _total, histograms and times with _seconds, and each has a help text")
    func names() {
        for metric in FarmMetric.allCases {
            let description = metric.description
            #expect(description.name == metric.rawValue)
            #expect((description.kind == .counter) == description.name.hasSuffix("_total"))
            if description.kind == .histogram {
                #expect(description.name.hasSuffix("_seconds"))
                #expect(description.buckets == description.buckets.sorted() && !description.buckets.isEmpty)
            }
            #expect(description.help.hasSuffix(".") && description.help != description.name)
        }
    }

    @Test("promtool finds nothing to say about the text of all metrics")
    func promtool() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else {
            print("promtool is not installed (Debian's package prometheus), so the text is not checked by it")
            return
        }
        for metric in FarmMetric.allCases where metric.description.kind == .histogram {
            CoreMetrics.Timer(
                label: metric.rawValue, dimensions: metric.description.labels.map { ($0, "x") }, factory: registry
            ).recordSeconds(1)
        }
        let samples = FarmMetric.allCases.filter { $0.description.kind != .histogram }.map { metric in
            MetricSample(metric, metric.description.labels.map { _ in "a\"b\\c\nd" }, 1)
        }
        let directory = try TemporaryDirectory()
        let file = directory.file("metrics")
        try Data(registry.text(with: samples).utf8).write(to: URL(fileURLWithPath: file))
        let outcome = try await ShellTool.run("promtool check metrics < '\(file)' 2>&1")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }
}
