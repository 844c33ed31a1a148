import Testing
import FoundationEssentials

/// The scheduler on a simulated farm. `make simulate` runs it with 1 000 workers and 10 000 exports;
/// `SPOOL_SIMULATE_WORKERS`, `SPOOL_SIMULATE_EXPORTS` and `SPOOL_SIMULATE_SEED` choose other numbers.
@Suite("Large farm")
struct LargeFarmTests {
    private static func number(_ name: String, otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    @Test("A farm with a backlog is busy, every tenant gets its share in every minute, and urgent exports do not wait")
    func backlog() {
        let workers = LargeFarmTests.number("SPOOL_SIMULATE_WORKERS", otherwise: 20)
        let exports = LargeFarmTests.number("SPOOL_SIMULATE_EXPORTS", otherwise: 200)
        let seed = LargeFarmTests.number("SPOOL_SIMULATE_SEED", otherwise: 1)
        var farm = LargeFarm(workers: workers, exports: exports, seed: UInt64(seed))
        farm.run()
        let report = farm.report
        print(report.text)
        var blind = LargeFarm(workers: workers, exports: exports, seed: UInt64(seed), tellsSources: false)
        blind.run()
        print("sources read for the first time, where the scheduler does not know them: \(blind.report.sourcesRead)")
        #expect(report.sourcesRead < blind.report.sourcesRead * 3 / 4, "jobs go to workers that have their sources")
        #expect(report.utilisation > blind.report.utilisation - 0.005, "and nothing is lost by it")
        #expect(report.refused == 0 && report.unfinished == 0)
        #expect(report.utilisation >= 0.97)
        #expect(report.fairnessErrors.count >= 10, "there has to be a backlog")
        #expect(report.fairnessErrors.reduce(0, +) < 0.02 * Double(report.fairnessErrors.count))
        if report.slots >= 1000 {
            #expect(report.fairnessErrors.allSatisfy { $0 < 0.05 })
        } else {
            // A tenant is charged for a job when it is sent, and served while it runs. On few slots the two differ in a
            // minute in which all its jobs become longer, as at the change from one priority to the next.
            #expect(Double(report.fairnessErrors.count { $0 < 0.05 }) >= 0.85 * Double(report.fairnessErrors.count))
            #expect(report.fairnessErrors.allSatisfy { $0 < 0.15 })
        }
        if report.slots >= 4000 { #expect(report.relativeFairnessErrors.allSatisfy { $0 < 0.05 }) }
        #expect(report.urgentWaits.count >= 10)
        #expect(LargeFarmReport.percentile(report.urgentWaits, 0.99) <= LargeFarm.segmentLength.upperBound)
    }
}
