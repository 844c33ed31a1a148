import Testing
import FoundationEssentials

/// The simulator has to find rules that are broken on purpose; otherwise its silence means nothing.
@Suite("Broken rules in the simulated farm")
struct BrokenRuleTests {
    @Test("A broken rule is found within 1 000 seeds", arguments: BrokenRule.allCases)
    func found(_ rule: BrokenRule) async throws {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let result = await SeedRange.run(1...1000, broken: rule, cores: cores)
        let failure = try #require(result.firstFailure, "\(rule) was not found")
        print("\(rule): found with seed \(failure.seed): \(failure.violation)")
    }

    @Test("A failing seed is reduced to events of which each is needed to break the promise")
    func shrinking() async throws {
        let found = await SeedRange.run(1...1000, broken: .uncountedCrash, cores: 1).firstFailure
        let scenario = ScenarioMaker.scenario(try #require(found).seed)
        let least = await Shrinking.shrink(scenario, broken: .uncountedCrash)
        #expect(least.events.count < scenario.events.count)
        for event in least.events.indices {
            var less = least
            less.events.remove(at: event)
            let outcome = await Simulation.run(less, broken: .uncountedCrash)
            #expect(outcome.violation == nil, "without \(least.events[event]) it fails, too")
        }
        #expect(await Simulation.run(least, broken: .uncountedCrash).violation != nil)
        #expect(await Simulation.run(least).violation == nil)
        let report = await Shrinking.report(scenario, broken: .uncountedCrash)
        #expect(report.contains("SPOOL_SIMULATE_SEED=\(scenario.seed)"))
    }
}
