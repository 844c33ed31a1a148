import FarmAPI
import Synchronization

/// Runs many seeds at once, one after the other on each core.
enum SeedRange {
    struct Result: Sendable {
        /// How many seeds were run.
        var seeds = 0
        var steps = 0
        /// Virtual time, in milliseconds.
        var time = 0
        var completed = 0
        var failed = 0
        var cancelled = 0
        /// Second attempts at stragglers.
        var copies = 0
        /// The least seed that broke a promise among those that were run, with the promise.
        var firstFailure: (seed: UInt64, violation: String)?
    }

    /// - Parameter stopping: whether to start no more seeds after the first that breaks a promise.
    static func run(
        _ seeds: ClosedRange<UInt64>, broken: BrokenRule? = nil, cores: Int, stopping: Bool = true
    ) async -> Result {
        let progress = Progress(seeds)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, cores) {
                group.addTask {
                    while let seed = progress.next(stopping: stopping) {
                        progress.add(await Simulation.run(ScenarioMaker.scenario(seed), broken: broken), seed)
                    }
                }
            }
        }
        return progress.result
    }

    /// What the cores share.
    private final class Progress: Sendable {
        private let state: Mutex<(next: UInt64, result: Result)>
        private let last: UInt64

        init(_ seeds: ClosedRange<UInt64>) {
            state = Mutex((seeds.lowerBound, Result()))
            last = seeds.upperBound
        }

        func next(stopping: Bool) -> UInt64? {
            state.withLock { state in
                guard state.next <= last, !stopping || state.result.firstFailure == nil else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func add(_ outcome: Simulation.Outcome, _ seed: UInt64) { state.withLock { $0.result.add(outcome, seed) } }

        var result: Result { state.withLock { $0.result } }
    }
}

extension SeedRange.Result {
    fileprivate mutating func add(_ outcome: Simulation.Outcome, _ seed: UInt64) {
        seeds += 1
        steps += outcome.steps
        time += outcome.end
        completed += outcome.ends.count { $0 == .completed }
        failed += outcome.ends.count { $0 == .failed }
        cancelled += outcome.ends.count { $0 == .cancelled }
        copies += outcome.copies
        guard let violation = outcome.violation, seed < firstFailure?.seed ?? .max else { return }
        firstFailure = (seed, violation)
    }

    /// The result in one line.
    var text: String {
        "\(seeds) seeds: \(steps) steps, \(time / 3_600_000) hours of virtual time; \(completed) exports completed, "
            + "\(failed) failed, \(cancelled) cancelled; \(copies) copies of stragglers"
    }
}
