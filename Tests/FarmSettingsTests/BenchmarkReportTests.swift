import LocalFarm
import Testing
import FoundationEssentials

@Suite("The report of 'spool bench'")
struct BenchmarkReportTests {
    private func report(
        completed: Int = 6, done: Int = 60, succeeded: Int = 60, completions: Int = 6,
        latency: BenchmarkReport.Latency? = .init(p50: 12.34, p99: 56.78)
    ) -> BenchmarkReport {
        BenchmarkReport(
            .init(jobs: 60, exports: 6, tenants: 2, workers: 3, slots: 4),
            .init(
                exportsCompleted: completed, jobsDone: done, attempts: 61, attemptsSucceeded: succeeded,
                completionEvents: completions, events: 24),
            storing: .init(seconds: 0.987, databaseSeconds: 0.456), seconds: 0.5,
            processorSeconds: [.coordinator: 0.06, .postgres: 0.12, .redis: 0.03, .workers: 0.3], submitToFirstStart: latency,
            reportToNextStart: latency, coordinatorPeakMemory: 45_600_000)
    }

    @Test("has rates, and processor time by job, by export and for the control plane")
    func numbers() {
        let report = report()
        #expect(report.jobsPerSecond == 120)
        #expect(report.exportsPerSecond == 12)
        #expect(
            report.processorTime.map(\.process) == ["coordinator", "postgres", "redis", "workers", "control plane", "all"])
        #expect(report.processorTime.map(\.seconds) == [0.06, 0.12, 0.03, 0.3, 0.21, 0.51])
        #expect(report.processorTime.map(\.millisecondsPerJob) == [1, 2, 0.5, 5, 3.5, 8.5])
        #expect(report.processorTime.map(\.millisecondsPerExport) == [10, 20, 5, 50, 35, 85])
    }

    @Test("says the same as text and as JSON")
    func agreement() throws {
        let report = report()
        let read = try JSONDecoder().decode(BenchmarkReport.self, from: JSONEncoder().encode(report))
        #expect(read == report)
        #expect(
            read.lines == [
                "JOBS  EXPORTS  TENANTS  WORKERS  SLOTS  ATTEMPTS  EVENTS  SECONDS  JOBS/S  EXPORTS/S",
                "  60        6        2        3      4        61      24      0.5   120.0       12.0",
                "",
                "PROCESSOR TIME  SECONDS  MS/JOB  MS/EXPORT",
                "coordinator        0.06     1.0       10.0",
                "postgres           0.12     2.0       20.0",
                "redis              0.03     0.5        5.0",
                "workers             0.3     5.0       50.0",
                "control plane      0.21     3.5       35.0",
                "all                0.51     8.5       85.0",
                "",
                "LATENCY                P50 MS  P99 MS",
                "submit to first start    12.3    56.8",
                "report to next start     12.3    56.8",
                "",
                "stored in 0.99 s, with 0.46 s of processor time of PostgreSQL",
                "peak memory of the coordinator: 45.6 MB",
            ])
    }

    @Test("has a dash where nothing waited")
    func nothingWaited() {
        #expect(report(latency: nil).lines.contains { $0.hasPrefix("report to next start") && $0.hasSuffix("-") })
    }

    @Test("counts only when every job and every export ended once as it should")
    func faults() {
        #expect(report().fault == nil)
        #expect(report(completed: 5).fault == "1 of 6 exports did not complete")
        #expect(report(done: 59).fault == "59 of 60 jobs are done")
        #expect(report(succeeded: 61).fault == "60 jobs have 61 attempts that succeeded")
        #expect(report(completions: 7).fault == "6 exports have 7 events of completion")
    }
}
