import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Synchronization

/// An artifact of a tenant.
struct Artifact: Hashable, Sendable {
    var tenant: Int64
    var key: ArtifactKey
}

/// A failure that the store was told of while its attempt was under way.
struct AppliedFailure: Hashable, Sendable {
    var id: AttemptID
    var failureClass: FailureClass
    /// Whether it says that artifacts of other jobs are gone.
    var isOfInputs: Bool
    var worker: String
}

/// What the fakes share: which faults are due, and what they saw. `Promises` judges by it.
final class FarmRecord: Sendable {
    let clock: SimulatedClock
    let chance: Chance
    let broken: BrokenRule?
    let state: Mutex<State>

    struct State: Sendable {
        // Faults.
        var queueAwayUntil = 0
        var storeAwayUntil = 0
        /// When the queue was last away or lost everything.
        var queueTroubleUntil = 0
        /// How many of the next calls of each kind meet the fault.
        var due: [CountedFault: Int] = [:]
        /// The epoch of the coordinator that leads.
        var epoch: Int64 = 1

        // Calls to the simulation.
        var called = false
        var sent = false
        var delayed: [(delay: Int, tickets: [JobTicket])] = []

        // Observations.
        var isChanged = false
        /// The time of the present step.
        var lastStep = 0
        var violations: [String] = []
        var dispatched: Set<AttemptID> = []
        /// How many attempts were begun as copies.
        var copies = 0
        var sentIDs: Set<AttemptID> = []
        var failures: [Int64: [AppliedFailure]] = [:]
        var failed: Set<AttemptID> = []
        /// Attempts that some worker has taken.
        var taken: Set<AttemptID> = []
        /// Artifacts that some worker found missing.
        var missed: Set<Artifact> = []
        var artifacts: Set<Artifact> = []
        /// Artifacts that a worker has made at any time.
        var made: Set<Artifact> = []
        /// When the store said that a worker has to be told to stop.
        var toStop: [AttemptID: Int] = [:]
        var cancelled: Set<ExportID> = []
        var retried: Set<ExportID> = []
        var pausedSince: [WorkerRole: Int] = [:]
        /// The queue's entries of workers that died with them.
        var orphans: [JobDelivery] = []
        /// When each worker that takes jobs began to be well, with its roles.
        var well: [String: (since: Int, roles: Set<WorkerRole>)] = [:]
        /// The last attempt of a job before an operator's retry.
        var floors: [Int64: Int] = [:]
    }

    init(clock: SimulatedClock, chance: Chance, broken: BrokenRule?) {
        self.clock = clock
        self.chance = chance
        self.broken = broken
        state = Mutex(State())
    }

    func with<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0) }
    }

    /// Notes that a promise is broken.
    func violate(_ what: String) { with { $0.violations.append(what) } }

    /// Whether a counted fault meets this call.
    func takes(_ fault: CountedFault) -> Bool {
        with { state in
            guard let left = state.due[fault], left > 0 else { return false }
            state.due[fault] = left - 1
            return true
        }
    }

    func isBroken(_ rule: BrokenRule) -> Bool { broken == rule }
}
