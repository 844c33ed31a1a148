/// The state of a job; `JobLifecycle` has the transitions.
package enum JobState: String, CaseIterable, Hashable, Sendable, Codable {
    /// It waits for artifacts of other jobs.
    case waiting
    /// It may be dispatched.
    case ready
    /// It is on its way to a worker.
    case dispatched
    /// A worker has started it.
    case running
    case done, failed, cancelled

    package var isTerminal: Bool { self == .done || self == .failed || self == .cancelled }
    package var isInFlight: Bool { self == .dispatched || self == .running }
}

/// The state of one attempt at a job.
package enum AttemptState: String, CaseIterable, Hashable, Sendable, Codable {
    case dispatched, running
    case succeeded, failed
    /// Its lease expired, or the artifact that it made is gone.
    case lost
    /// A draining worker returned it, or its ticket is no longer in the queue.
    case returned
    case cancelled
}
