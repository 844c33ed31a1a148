/// Where a job stands; `JobLifecycle` has the moves.
public enum JobState: String, CaseIterable, Hashable, Sendable, Codable {
    /// Needs the artifacts of other jobs.
    case waiting
    /// May be dispatched.
    case ready
    /// On its way to a worker.
    case dispatched
    /// A worker has begun.
    case running
    case done, failed, cancelled

    public var isTerminal: Bool { self == .done || self == .failed || self == .cancelled }
    public var isInFlight: Bool { self == .dispatched || self == .running }
}

/// How one try of a job went.
public enum AttemptState: String, CaseIterable, Hashable, Sendable, Codable {
    case dispatched, running
    case succeeded, failed
    /// Its worker fell silent, or the queue lost it.
    case lost
    /// Handed back by a worker that drained.
    case returned
    case cancelled
}
