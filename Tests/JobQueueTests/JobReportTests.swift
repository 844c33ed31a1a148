import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("A report")
struct JobReportTests {
    private func report() -> JobReport {
        JobReport(
            AttemptID(job: 7, attempt: 2), worker: "w1", .finished(result: JobResult(), reused: false), log: "a line",
            measured: JobMeasurement(.probe(path: "/media/a.mp4"), seconds: 1.5))
    }

    @Test("Is the same after it was sent, with its measurement", arguments: QueueKind.allCases)
    func sent(_ kind: QueueKind) async throws {
        try await onQueue(kind) { farm in
            try await farm.send(7...7)
            let delivery = try #require(try await farm.take().first)
            var report = report()
            report.id = delivery.ticket.identity
            try await farm.queue.report(report, finishing: delivery)
            #expect(try await farm.reports().map(\.report) == [report])
        }
    }

    @Test("Of an earlier version has no measurement, and one that cannot be read costs nothing else")
    func otherVersions() throws {
        let report = report()
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(try JSONDecoder().decode(JobReport.self, from: Data(json.utf8)) == report)
        var plain = report
        plain.measured = nil
        let version = #""version":\#(JobFeatures.version)"#
        try #require(json.contains(version) && json.contains(#""measured":"#) && json.contains("1.5"))
        for other in [
            json.replacing(#""measured":"#, with: #""unknown":"#), json.replacing(version, with: #""version":77"#),
            json.replacing("1.5", with: "-1.5"), json.replacing("1.5", with: #""long""#),
        ] {
            #expect(try JSONDecoder().decode(JobReport.self, from: Data(other.utf8)) == plain, "\(other)")
        }
    }

    @Test("Of an end may say when the attempt began, and then stands for two events")
    func startWithEnd() throws {
        var report = report()
        #expect(report.events == [report])
        report.startedAgo = 0.25
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        let read = try JSONDecoder().decode(JobReport.self, from: Data(json.utf8))
        #expect(read == report)
        let start = JobReport(report.id, worker: "w1", .started, startedAgo: 0.25)
        #expect(read.events == [start, self.report()])
        // A start is one event.
        #expect(start.events == [start])
        for (other, expected) in [("-3", 0.0), ("1e300", 0), ("0", 0), ("604800", 604_800)] {
            let changed = json.replacing(#""startedAgo":0.25"#, with: #""startedAgo":\#(other)"#)
            #expect(try JSONDecoder().decode(JobReport.self, from: Data(changed.utf8)).startedAgo == expected, "\(other)")
        }
        let text = json.replacing(#""startedAgo":0.25"#, with: #""startedAgo":"soon""#)
        #expect(try JSONDecoder().decode(JobReport.self, from: Data(text.utf8)) == self.report())
    }

    @Test("A worker's status of an earlier version names no machine")
    func status() throws {
        var status = QueueFixture.status("w1", running: [])
        status.machine = "AMD EPYC 7B12, 8 processors"
        let json = String(decoding: try JSONEncoder().encode(status), as: UTF8.self)
        #expect(try JSONDecoder().decode(WorkerStatus.self, from: Data(json.utf8)) == status)
        let earlier = json.replacing(#""machine":"#, with: #""unknown":"#)
        #expect(try JSONDecoder().decode(WorkerStatus.self, from: Data(earlier.utf8)).machine == nil)
    }
}
