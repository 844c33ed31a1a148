/// A rule of the farm that can be broken on purpose, to see that the simulator finds it. The fakes break it, so the code
/// under test is the same.
enum BrokenRule: String, CaseIterable, Sendable {
    /// Workers are not told of cancelled attempts.
    case lostCancel
    /// Some tickets are sent twice.
    case doubleDispatch
    /// Somebody renews the leases of dead workers.
    case renewalForDeadWorkers
    /// Some reports are acknowledged without being applied.
    case unappliedReport
    /// A coordinator that has lost the lead may write.
    case ignoredFence
    /// The scheduler is not told of some jobs that became ready.
    case forgottenReadyJob
    /// A ticket that the queue lost counts as a failed attempt.
    case countedOutage
    /// An artifact that is gone is not made again.
    case unmadeArtifact
    /// A crash does not count as a failed attempt.
    case uncountedCrash
    /// Nobody notices that the queue lost tickets.
    case ignoredLostTickets
    /// Jobs of paused roles are sent.
    case ignoredPause
    /// A job is sent again to the worker that it crashed on.
    case ignoredExclusion
    /// A client is told that its export is cancelled, and it goes on.
    case ignoredCancel
    /// A failure of an earlier attempt counts against the present one.
    case lateFailureCounts
    /// Tickets do not say what their jobs need, so that each takes one slot.
    case ignoredDemand
    /// A failed attempt is final at once.
    case missingRetry
}
