extension ChildPool {
    /// Runs jobs that have nothing to do with each other: one that fails does not stop the others.
    /// - Returns: how each ended, in the given order.
    public func runEach(_ nodes: [JobGraph.Node]) async throws -> [Result<JobResult, JobFailure>] {
        var remaining = Array(nodes.indices)
        var outcomes = [Result<JobResult, JobFailure>?](repeating: nil, count: nodes.count)
        let width = slots
        while !remaining.isEmpty {
            let batch = remaining.prefix(width)
            remaining.removeFirst(batch.count)
            try await withThrowingTaskGroup(of: (Int, Result<JobResult, JobFailure>).self) { group in
                for index in batch { group.addTask { (index, try await runAlone(nodes[index])) } }
                for try await (index, outcome) in group { outcomes[index] = outcome }
            }
        }
        return outcomes.compactMap { $0 }
    }

    private func runAlone(_ node: JobGraph.Node) async throws -> Result<JobResult, JobFailure> {
        do {
            return .success(try await run([node]) { _ in }[0] ?? JobResult())
        } catch let failure as JobFailure {
            return .failure(failure)
        }
    }
}
