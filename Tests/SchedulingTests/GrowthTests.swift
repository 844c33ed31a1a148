import ExportPlan
import Scheduling
import Testing

/// What a dispatch costs, counted in steps of the scheduler and not in time.
@Suite("Growth")
struct GrowthTests {
    /// Steps for each of 500 jobs that end and are followed by the next, with so many jobs ready.
    private func steps(jobs: Int64, exports: Int64) -> Double {
        var farm = SmallFarm(slots: 8)
        for number in 1...exports { farm.export(number, tenant: number % 7) }
        for job in 1...jobs { farm.job(job, of: job % exports + 1, .video, Double(job % 17) + 1) }
        var inFlight = farm.dispatch()
        let before = farm.scheduler.steps
        for _ in 0..<500 {
            guard !inFlight.isEmpty else { break }
            farm.end(inFlight.removeFirst(), seconds: 3)
            inFlight += farm.dispatch()
        }
        return Double(farm.scheduler.steps - before) / 500
    }

    @Test("A dispatch with 100 000 jobs ready takes no more steps than the logarithm allows over one with 1 000")
    func dispatch() {
        let (few, many) = (steps(jobs: 1000, exports: 20), steps(jobs: 100_000, exports: 2000))
        print("steps for each dispatch: \(few) with 1 000 jobs ready, \(many) with 100 000")
        #expect(many < few * 17 / 10 * 1.2, "log2 of 100 000 is 16.6, that of 1 000 is 10")
    }

    @Test("What an event costs does not grow with the jobs that are ready either")
    func events() {
        var costs: [Int] = []
        for jobs in [1000, 100_000] as [Int64] {
            var farm = SmallFarm(slots: 8)
            for number in 1...jobs / 50 { farm.export(number, tenant: number % 7) }
            for job in 1...jobs { farm.job(job, of: job % (jobs / 50) + 1) }
            let before = farm.scheduler.steps
            farm.handle(.priority(farm.id(3), 5))
            farm.handle(.notReady(17))
            farm.job(jobs + 1, of: 5)
            farm.handle(.exportRemoved(farm.id(9)))
            farm.dispatch()
            costs.append(farm.scheduler.steps - before)
        }
        #expect(costs[1] < costs[0] * 2, "\(costs)")
    }

    @Test("Entries that became stale do not pile up, however often jobs come and go and priorities change")
    func staleEntries() {
        var farm = SmallFarm(slots: 1)
        for number in 1...3 as ClosedRange<Int64> {
            farm.export(number)
            for job in 1...4 as ClosedRange<Int64> { farm.job(number * 10 + job, of: number) }
        }
        farm.dispatch()
        for turn in 1...5000 as ClosedRange<Int64> {
            farm.handle(.priority(farm.id(2), Int(turn % 3) + 1))
            farm.handle(.notReady(22))
            farm.job(22, of: 2, .video, 0.5)
            farm.handle(.notReady(33))
            farm.job(33, of: 3, .video, 1, after: 100)
        }
        #expect(farm.scheduler.entryCount < 400, "\(farm.scheduler.entryCount) entries for 12 jobs")
    }
}
