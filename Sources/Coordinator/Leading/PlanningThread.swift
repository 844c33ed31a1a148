import FarmAPI
import BlockingWork
import ExportPlan

/// A thread that compiles. A long document takes seconds, and no thread that serves others waits for it. Where the
/// processors are busy, it gives way to answers and to the dispatch, and rendering processes give way to it.
actor PlanningThread {
    private let thread = BlockingThread(name: "planning", niceness: 5)
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let planner: ExportPlanner

    init(_ planner: ExportPlanner) {
        self.planner = planner
    }

    /// - Parameter costs: what the jobs' times are predicted with.
    /// - Throws: `ExportFailure`; see `ExportPlanner.probes`.
    func probes(
        of source: ExportSource, predictedBy costs: CostTable
    ) throws -> [(location: String, job: PlannedJob)] {
        try planner.probes(of: source, predictedBy: costs)
    }

    /// - Parameter costs: what the jobs' times are predicted with.
    /// - Throws: `ExportFailure`; see `ExportPlanner.plan`.
    func plan(
        _ source: ExportSource, _ probeResults: [String: ProbeResult], predictedBy costs: CostTable
    ) throws -> PlannedExport {
        try planner.plan(source, probeResults: probeResults, predictedBy: costs)
    }
}
