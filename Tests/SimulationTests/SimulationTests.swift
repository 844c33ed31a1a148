import FarmAPI
import Testing
import FoundationEssentials

/// Seeds of a simulated farm (docs/simulation.md). `SPOOL_SIMULATE_SEEDS` chooses how many are run, and
/// `SPOOL_SIMULATE_SEED` replays one.
@Suite("Simulated farm")
struct SimulationTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test("A farm whose parts fail at random keeps its promises after every step")
    func seeds() async {
        if let seed = SimulationTests.number("SPOOL_SIMULATE_SEED") {
            let outcome = await Simulation.run(ScenarioMaker.scenario(seed), tracing: true)
            print(outcome.trace.joined(separator: "\n"))
            #expect(outcome.violation == nil)
            return
        }
        let count = max(1, SimulationTests.number("SPOOL_SIMULATE_SEEDS") ?? 200)
        let start = ContinuousClock.now
        let result = await SeedRange.run(1...count, cores: ProcessInfo.processInfo.activeProcessorCount)
        let time = start.duration(to: .now)
        print("\(result.text), in \(time.components.seconds) s")
        #expect(result.completed > 0, "exports have to be completed")
        #expect(result.copies > 0 || count < 200, "some jobs have to be copied")
        if let failure = result.firstFailure {
            Issue.record("\(await Shrinking.report(ScenarioMaker.scenario(failure.seed)))")
        } else {
            #expect(result.seeds == Int(count))
        }
    }

    @Test("A seed always has the same history", arguments: [3, 45, 108] as [UInt64])
    func replay(_ seed: UInt64) async {
        let first = await Simulation.run(ScenarioMaker.scenario(seed), tracing: true)
        let second = await Simulation.run(ScenarioMaker.scenario(seed), tracing: true)
        #expect(!first.trace.isEmpty)
        #expect(first.trace == second.trace)
    }
}
