package import ExportPlan

/// Where a slot gets its jobs from and reports their outcomes to. A local export has a feed for its graph, a worker has
/// one for the jobs of the queue.
package protocol JobFeed: Sendable {
    /// The feed's identifier of a job.
    associatedtype Ticket: Sendable

    /// The next job; waits until there is one.
    /// - Returns: nil when there are no more jobs, so that the slot ends.
    func next() async -> Assignment<Ticket>?

    /// Reports that a process has got the job.
    /// - Parameter stop: kills the process; the job then ends with `died`.
    func started(_ ticket: Ticket, stop: @escaping @Sendable () -> Void) async

    /// Reports the number of finished frames, or of blocks of a sound, or of chunks read by a probe.
    func progress(_ ticket: Ticket, done: Int) async

    /// Reports that the job has ended.
    /// - Parameter log: the last lines that the process wrote to standard error during the job.
    /// - Throws: an error to end the slot.
    func ended(_ ticket: Ticket, _ outcome: JobOutcome, log: String) async throws
}

/// A job for a slot, with the order for the process.
package struct Assignment<Ticket: Sendable>: Sendable {
    package var ticket: Ticket
    package var order: RenderOrder

    package init(_ ticket: Ticket, _ order: RenderOrder) {
        self.ticket = ticket
        self.order = order
    }
}

/// How a job ended.
package enum JobOutcome: Sendable {
    case finished(JobResult)
    case failed(JobFailure)
    /// The process died while it did the job, or could not be started.
    case died(ProcessDeath)
}
