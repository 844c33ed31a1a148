package import ProcessIsolation

/// Makes a control group for each rendering process, which limits the memory and the number of all that it starts.
package struct RendererGroups: Sendable {
    private let parent: DelegatedControlGroup
    /// The memory in bytes of a rendering process.
    private let memory: Int64
    private let threads: Int

    /// - Parameters:
    ///   - memory: the memory in bytes of a rendering process, with that of files in memory.
    ///   - threads: how many threads it may have, with those of processes that it starts. A decoder and an encoder start at
    ///     most a few for each processor, so that the default is far from what a job needs on the largest machines.
    package init(below parent: DelegatedControlGroup, memory: Int64, threads: Int = 4096) {
        self.parent = parent
        self.memory = memory
        self.threads = threads
    }

    /// - Throws: `Isolation.Refusal` when the system does not make it.
    package func make() throws -> ControlGroup {
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return try parent.makeGroup(name, memory: memory, processes: threads)
    }
}

extension ControlGroup {
    /// Ends all processes of the group and removes it, waiting at most `timeout` for them to end. A group that cannot be
    /// removed is removed when a worker starts again.
    package func remove(within timeout: Duration) async {
        let deadline = ContinuousClock.now + timeout
        while !remove(), ContinuousClock.now < deadline { await UncancelledPause.take(milliseconds: 5) }
    }
}
