public import ExportPlan
public import RenderMessages

/// Where a slot gets its jobs from, and whom it tells how they went. A local export has one for its graph, a worker of a farm
/// one for what it is handed.
public protocol JobFeed: Sendable {
    /// What the feed knows a job by.
    associatedtype Ticket: Sendable

    /// The next job; waits until there is one.
    /// - Returns: nil when there will be none: the slot ends.
    func next() async -> Assignment<Ticket>?

    /// The job is with a process now.
    /// - Parameter stop: kills the process; the job then ends as `died`.
    func started(_ ticket: Ticket, stop: @escaping @Sendable () -> Void) async

    /// Frames done so far; of a sound blocks, of a probe pieces read.
    func progress(_ ticket: Ticket, done: Int) async

    /// The job is over.
    /// - Parameter log: the last lines that the process wrote to standard error while it had the job.
    /// - Throws: to end the slot.
    func ended(_ ticket: Ticket, _ outcome: JobOutcome, log: String) async throws
}

/// A job for a slot: what to do, and in whose store.
public struct Assignment<Ticket: Sendable>: Sendable {
    public var ticket: Ticket
    public var order: RenderOrder

    public init(_ ticket: Ticket, _ order: RenderOrder) {
        self.ticket = ticket
        self.order = order
    }
}

/// How a job ended.
public enum JobOutcome: Sendable {
    case finished(JobResult)
    case failed(JobFailure)
    /// The process went down with it; the text says how.
    case died(String)
}
