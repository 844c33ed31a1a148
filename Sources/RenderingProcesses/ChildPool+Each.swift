package import ExportPlan

extension ChildPool {
    /// Runs independent jobs, as many at once as there are slots. A job that fails does not stop the others.
    /// - Parameters:
    ///   - isQuiet: whether to discard what processes write to standard error.
    ///   - ended: called after each job with the number of jobs that have ended.
    /// - Returns: the result of each job, in the given order.
    /// - Throws: `CancellationError`.
    package func runEach(
        _ nodes: [JobGraph.Node], isQuiet: Bool = false, ended: (Int) -> Void = { _ in }
    ) async throws -> [Result<JobResult, JobFailure>] {
        var count = 0
        var outcomes = [Result<JobResult, JobFailure>?](repeating: nil, count: nodes.count)
        try await withThrowingTaskGroup(of: (Int, Result<JobResult, JobFailure>).self) { group in
            var waiting = nodes.indices.makeIterator()
            func startNext() {
                guard let index = waiting.next() else { return }
                group.addTask { (index, try await runAlone(nodes[index], isQuiet, slots / min(slots, nodes.count))) }
            }
            for _ in 0..<slots { startNext() }
            for try await (index, outcome) in group {
                outcomes[index] = outcome
                count += 1
                ended(count)
                startNext()
            }
        }
        return outcomes.compactMap { $0 }
    }

    private func runAlone(
        _ node: JobGraph.Node, _ isQuiet: Bool, _ processors: Int
    ) async throws -> Result<JobResult, JobFailure> {
        do {
            return .success(try await run([node], isQuiet: isQuiet, processors: processors) { _ in }[0] ?? JobResult())
        } catch let failure as JobFailure {
            return .failure(failure)
        }
    }
}
