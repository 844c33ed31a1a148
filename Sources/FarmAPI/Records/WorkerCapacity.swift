package import ExportPlan

/// What a worker offers its jobs: slots of equal size. A job that needs more than one slot offers takes several; how
/// many is its width at this worker. Scheduler and worker compute it with the same function, so that they agree.
package struct WorkerCapacity: Hashable, Sendable {
    package var slots: Int
    /// Bytes that all jobs may occupy together; nil where the worker does not say, as earlier versions do not, and then
    /// memory makes no job wider than one slot.
    package var memory: Int64?
    /// Processors that the jobs have; nil as above.
    package var processors: Double?

    package init(slots: Int, memory: Int64? = nil, processors: Double? = nil) {
        self.slots = slots
        self.memory = memory
        self.processors = processors
    }

    /// How many of the worker's slots a job takes, 1...`slots`. The predicted memory of jobs whose widths fit into the
    /// slots fits into the worker's memory, unless one of them alone exceeds it: such a job takes all slots, and runs
    /// alone.
    package func width(of demand: JobDemand) -> Int {
        guard slots > 1 else { return 1 }
        guard !demand.isWholeMachine else { return slots }
        return min(slots, max(1, widthByMemory(demand), widthByProcessors(demand)))
    }

    private func widthByMemory(_ demand: JobDemand) -> Int {
        guard let memory, memory > 0, demand.memory > 0 else { return 1 }
        let (product, isTooLarge) = demand.memory.multipliedReportingOverflow(by: Int64(slots))
        guard !isTooLarge else { return slots }
        let (whole, rest) = product.quotientAndRemainder(dividingBy: memory)
        return Int(whole) + (rest > 0 ? 1 : 0)
    }

    /// A slot stands for one busy thread at least, also where an operator gave the worker more slots than processors:
    /// then jobs of one thread share processors, which is what the operator asked for. Jobs are rounded to whole slots,
    /// because two jobs that keep one and a quarter threads busy are better side by side than one after the other.
    private func widthByProcessors(_ demand: JobDemand) -> Int {
        guard let processors, processors.isFinite else { return 1 }
        let share = max(1, processors / Double(slots))
        return Int((demand.processors / share).rounded())
    }
}

extension WorkerStatus {
    package var capacity: WorkerCapacity { WorkerCapacity(slots: slots, memory: memory, processors: processors) }
}
