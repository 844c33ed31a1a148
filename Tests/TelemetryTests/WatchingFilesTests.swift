import Telemetry
import TestSupport
import Testing
import Foundation

/// The alert rules, the dashboard and the document name metrics that exist.
@Suite("Files for those who watch a farm")
struct WatchingFilesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: WatchingFilesTests.root.appendingPathComponent(path)), as: UTF8.self)
    }

    /// The names of metrics in a query or a rule. Names of recorded rules contain a colon.
    private func metrics(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:spool|process)_[a-z0-9_]+/).map { String($0.output) })
    }

    private static let names: Set<String> = Set(
        FarmMetric.allCases.flatMap { metric in
            metric.description.kind == .histogram
                ? ["_bucket", "_sum", "_count"].map { metric.rawValue + $0 } : [metric.rawValue]
        })

    /// The labels that a text groups by or selects.
    private func labels(in text: String) -> Set<String> {
        let grouped = text.matches(of: /\b(?:by|on) \(([a-z_, ]+)\)/).flatMap { $0.output.1.split(separator: ",") }
        let selected = text.matches(of: /[{,]\s*([a-z_]+)\s*=~?\s*\\?"/).map { $0.output.1 }
        return Set((grouped + selected).map { $0.trimmingCharacters(in: .whitespaces) })
    }

    private static let labelNames = Set(FarmMetric.allCases.flatMap(\.description.labels)).union(["le", "instance", "job"])

    private struct Dashboard: Decodable {
        struct Target: Decodable { var expr: String }
        struct Place: Decodable { var x, y, w, h: Int }
        struct Panel: Decodable {
            var id: Int
            var title: String
            var gridPos: Place
            var targets: [Target]
        }
        var uid: String
        var panels: [Panel]
    }

    private func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(Dashboard.self, from: Data(try text("config/grafana/spool.json").utf8))
    }

    @Test("Every query of the dashboard names metrics and labels that exist, and its panels do not overlap")
    func dashboardQueries() throws {
        let dashboard = try dashboard()
        #expect(dashboard.panels.count > 15)
        for panel in dashboard.panels {
            #expect(!panel.targets.isEmpty, "\(panel.title)")
            for target in panel.targets {
                let found = metrics(in: target.expr)
                #expect(!found.isEmpty, "\(target.expr)")
                #expect(found.subtracting(WatchingFilesTests.names) == [], "\(panel.title): \(target.expr)")
                #expect(labels(in: target.expr).subtracting(WatchingFilesTests.labelNames) == [], "\(target.expr)")
            }
        }
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        var cells: Set<[Int]> = []
        for place in dashboard.panels.map(\.gridPos) {
            #expect(place.x + place.w <= 24)
            for x in place.x..<place.x + place.w {
                for y in place.y..<place.y + place.h { #expect(cells.insert([x, y]).inserted) }
            }
        }
    }

    @Test(
        "Every alert rule, and every series of the rules' tests, names metrics and labels that exist",
        arguments: ["alerts", "alerts-test"])
    func rules(_ file: String) throws {
        let rules = try text("config/prometheus/\(file).yaml")
        #expect(metrics(in: rules).subtracting(WatchingFilesTests.names) == [])
        let known = WatchingFilesTests.labelNames.union(["severity"])
        #expect(labels(in: rules).subtracting(known) == [])
    }

    @Test("promtool accepts the rules, their tests, and every query of the dashboard")
    func promtool() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else {
            print("promtool is not installed (Debian's package prometheus), so rules and queries are not checked by it")
            return
        }
        let directory = try TemporaryDirectory()
        let queries = try dashboard().panels.flatMap(\.targets).map(\.expr).enumerated().map { number, query in
            let query = query.replacing("$__rate_interval", with: "5m")
            return "      - record: spool:dashboard:query\(number)\n        expr: |\n          \(query)\n"
        }
        let text = "groups:\n  - name: dashboard\n    rules:\n" + queries.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("queries.yaml")))
        let rules = WatchingFilesTests.root.appendingPathComponent("config/prometheus").path
        let outcome = try await ShellTool.run(
            """
            cd '\(rules)' && promtool check rules alerts.yaml '\(directory.file("queries.yaml"))' 2>&1 \
              && promtool test rules alerts-test.yaml 2>&1
            """)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("The document lists every metric as the program describes it")
    func document() throws {
        #expect(try text("docs/observability.md").contains(FarmMetric.reference))
    }
}
