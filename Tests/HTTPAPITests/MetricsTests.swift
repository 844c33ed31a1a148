import Coordinator
import FarmAPI
import HTTPAPI
import HTTPTypes
import TestServer
import Testing
import FoundationEssentials

@Suite("/metrics")
struct MetricsTests {
    private func farm(_ access: MetricsAccess) async throws -> Farm {
        var options = Farm.quickOptions
        options.metricsAccess = access
        return try await Farm(options: options)
    }

    @Test("The setting says whose tokens may read the numbers")
    func access() async throws {
        for (access, allowed) in [(MetricsAccess.admin, ["admin"]), (.read, ["admin", "read", "other"]), (.open, nil)] {
            let farm = try await farm(access)
            for token in ["submit", "read", "other", "admin"] {
                let status = try await farm.send(.get, "/metrics", as: token).status
                #expect(status == (allowed?.contains(token) ?? true ? .ok : .forbidden), "\(access) \(token)")
            }
            #expect(try await farm.send(.get, "/metrics", as: nil).status == (allowed == nil ? .ok : .unauthorized))
        }
    }

    /// A database that is away.
    private struct AwayDatabase: ObservationStore {
        func observe(at now: Date) async throws -> FarmCounts { throw FarmError(.unavailable, "nobody listens") }
        func assetBytes() async throws -> Int64 { throw FarmError(.unavailable, "nobody listens") }
    }

    @Test("While the database is away, a token that has not read the numbers before is refused")
    func databaseAway() async throws {
        let answer = try await Farm(observing: AwayDatabase()).send(.get, "/metrics", as: "admin")
        #expect(answer.status == .serviceUnavailable)
        #expect(
            answer.fault?.detail
                == "the database does not answer, and this token has not read the numbers before; try again later")
    }

    @Test("The answer has the type of Prometheus's text format, the farm's state, and no tenant's name or label")
    func text() async throws {
        let farm = try await farm(.open)
        let answer = try await farm.send(
            .post, "/v1/exports", body: "{\"document\":\(Farm.draft),\"label\":\"secret\",\"pool\":\"one-secret-pool\"}")
        #expect(answer.status == .created)
        try await farm.plan(try answer.json(Export.self))
        let numbers = try await farm.send(.get, "/metrics", as: nil)
        #expect(numbers.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            "# TYPE spool_backlog_seconds gauge", "spool_database_up 1", "spool_queue_up 1", "spool_leading 0",
            #"spool_jobs{role="video",pool="other",state="ready"} 1"#, #"spool_exports_open{state="rendering"} 1"#,
        ] {
            #expect(numbers.text.contains(line + "\n"), "\(line)")
        }
        let values = numbers.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(!values.contains { $0.contains("secret") || $0.contains("operator") })
    }

    @Test("The health of a farm without leader and workers is told in words, and nothing else of it")
    func readiness() async throws {
        let farm = try await Farm()
        #expect(try await farm.send(.get, "/healthz", as: nil).text == #"{"missing":[],"status":"ok"}"#)
        let text = try await farm.send(.get, "/readyz", as: nil).text
        #expect(
            text
                == #"{"database":true,"missing":[],"queue":true,"store":true,"warnings":["#
                + #""no coordinator leads, so nothing is dispatched","no worker takes jobs of the role video","#
                + #""no worker takes jobs of the role audio","no worker takes jobs of the role stitch"]}"#)
    }
}
