import FarmAPI
import BlockingWork
import ExportPlan

/// A thread that compiles. A long document takes seconds, and no thread that serves others waits for it.
actor PlanningThread {
    private let thread = BlockingThread(name: "planning")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let planner: ExportPlanner
    private let costs: CostTable

    /// - Parameter costs: what the jobs' times are predicted with.
    init(_ planner: ExportPlanner, _ costs: CostTable) {
        self.planner = planner
        self.costs = costs
    }

    /// - Throws: `ExportFailure`; see `ExportPlanner.probes`.
    func probes(of source: ExportSource) throws -> [(location: String, job: PlannedJob)] {
        try planner.probes(of: source, predictedBy: costs)
    }

    /// - Throws: `ExportFailure`; see `ExportPlanner.plan`.
    func plan(_ source: ExportSource, _ probeResults: [String: ProbeResult]) throws -> PlannedExport {
        try planner.plan(source, probeResults: probeResults, predictedBy: costs)
    }
}
