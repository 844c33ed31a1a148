import BlockingWork

/// A thread that compiles: a long document takes seconds, and none of the threads that serve others waits for it.
actor PlanningThread {
    private let thread = BlockingThread(name: "planning")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let planner: ExportPlanner

    init(_ planner: ExportPlanner) {
        self.planner = planner
    }

    /// - Throws: `ExportFailure`; see `ExportPlanner.probes`.
    func probes(of source: ExportSource) throws -> [(location: String, job: NewJob)] { try planner.probes(of: source) }

    /// - Throws: `ExportFailure`; see `ExportPlanner.plan`.
    func plan(_ source: ExportSource, _ findings: [String: SourceFinding]) throws -> PlannedExport {
        try planner.plan(source, findings: findings)
    }
}
