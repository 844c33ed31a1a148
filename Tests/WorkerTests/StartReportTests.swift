import ExportPlan
import FarmAPI
import JobQueue
import TestSupport
import Testing

@Suite("A worker's reports of starts")
struct StartReportTests {
    @Test("A short job has one report, which tells of the start and of the end", .timeLimit(.minutes(2)))
    func short() async throws {
        let farm = try await WorkerFixture()
        try await farm.working {
            let ticket = JobTicket(
                job: 1, attempt: 1, kind: .video, tenant: WorkerFixture.tenant, pool: "default", key: ArtifactKey("k"),
                frameCount: 1, work: .noOp)
            try await farm.queue.send([ticket])
            let report = try #require(try await farm.queue.reports(limit: 100, wait: .seconds(60)).first?.report)
            #expect(report.events.map(\.outcome).first == .started && report.events.count == 2)
            #expect(try #require(report.startedAgo) < 120)
        }
    }

    @Test("A job that goes on has a report of its start alone, and its end does not tell of it again", .timeLimit(.minutes(2)))
    func long() async throws {
        let farm = try await WorkerFixture(progressTimeout: .milliseconds(800))
        try await farm.working {
            try await farm.queue.send([try farm.ticket(1, MisbehavingRenderer.silence)])
            var reports: [JobReport] = []
            while reports.last?.end != "crash" {
                let deliveries = try await farm.queue.reports(limit: 100, wait: .seconds(10))
                try await farm.queue.acknowledge(deliveries)
                reports += deliveries.map(\.report)
            }
            #expect(reports.map(\.end) == ["started", "crash"])
            #expect(reports.map { $0.startedAgo != nil } == [true, false])
            #expect(try #require(reports.first?.startedAgo) >= 0.1, "the report of the start waits for so long")
        }
    }
}
