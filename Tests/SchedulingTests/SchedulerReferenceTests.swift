import Scheduling
import Testing
import FoundationEssentials

/// The scheduler beside a slow reference, which sorts all ready jobs by the documented keys for each choice.
/// `SPOOL_FUZZ_SEED` is the first seed, and `SPOOL_FUZZ_HISTORIES` the number of histories.
@Suite("Scheduler and reference")
struct SchedulerReferenceTests {
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SPOOL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["SPOOL_FUZZ_HISTORIES"].flatMap { UInt64($0) } ?? 1000
        return (0..<count).map { first &+ $0 }
    }()

    @Test("In random histories with all events the scheduler decides as a sort over all ready jobs does")
    func agreement() {
        var (dispatched, reported, wide) = (0, 0, 0)
        for seed in SchedulerReferenceTests.seeds {
            var history = RandomHistory(seed: seed)
            history.run(steps: 80)
            dispatched += history.dispatched
            reported += history.reported
            wide += history.wide
            guard let fault = history.fault else { continue }
            Issue.record("seed \(seed): \(fault)\n\(history.log.joined(separator: "\n"))")
            return
        }
        print(
            "scheduler: \(SchedulerReferenceTests.seeds.count) histories, \(dispatched) dispatches, \(reported) without a worker, \(wide) wide"
        )
        #expect(dispatched > SchedulerReferenceTests.seeds.count * 10, "histories have to dispatch")
        #expect(reported > SchedulerReferenceTests.seeds.count / 100, "histories have to have jobs that no worker may take")
        #expect(wide > SchedulerReferenceTests.seeds.count / 10, "histories have to have jobs that take several slots")
    }
}
