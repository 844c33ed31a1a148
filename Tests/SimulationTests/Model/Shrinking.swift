/// Reduces the scenario of a failing seed to few events that still break a promise (delta debugging, A. Zeller and
/// R. Hildebrandt, 2002): parts of the list are dropped, halves first and single events last, as long as the rest
/// fails.
enum Shrinking {
    /// - Parameter limit: how many scenarios are run at most.
    static func shrink(_ scenario: Scenario, broken: BrokenRule?, limit: Int = 300) async -> Scenario {
        var least = scenario
        var runs = 0
        var size = max(1, least.events.count / 2)
        while runs < limit {
            var hasShrunk = false
            var start = 0
            while start < least.events.count, runs < limit {
                var smaller = least
                smaller.events.removeSubrange(start..<min(start + size, least.events.count))
                runs += 1
                if await Simulation.run(smaller, broken: broken).violation != nil {
                    least = smaller
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            if !hasShrunk { size = max(1, size / 2) }
        }
        return least
    }

    /// What a person needs to understand a failing seed.
    static func report(_ scenario: Scenario, broken: BrokenRule? = nil) async -> String {
        let least = await shrink(scenario, broken: broken)
        let outcome = await Simulation.run(least, broken: broken, tracing: true)
        var lines = ["seed \(scenario.seed): \(outcome.violation ?? "the promise is kept when the seed runs again")"]
        lines.append("\(least.events.count) of \(scenario.events.count) events are enough:")
        lines += least.events.sorted { $0.at < $1.at }.map { "  \($0)" }
        lines.append("the history" + (outcome.trace.count > 80 ? ", its last 80 lines:" : ":"))
        lines += outcome.trace.suffix(80).map { "  \($0)" }
        lines.append("replay the whole seed: SPOOL_SIMULATE_SEED=\(scenario.seed) swift test --filter SimulationTests")
        return lines.joined(separator: "\n")
    }
}
