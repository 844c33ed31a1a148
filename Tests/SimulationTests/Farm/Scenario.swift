import FarmAPI
import Coordinator
import ExportPlan

/// The farm of one seed, and everything that clients, operators and faults will do to it. The same scenario always has
/// the same history.
struct Scenario: Sendable {
    var seed: UInt64
    var workers: [WorkerModel]
    var exports: [ExportModel]
    /// In no particular order. Any of them may be left out.
    var events: [ScenarioEvent]

    /// From this time on there are no more faults, and everything that was broken is repaired, in milliseconds.
    static let recovery = 90_000
    /// By this time every export has to be over.
    static let deadline = recovery + 1_800_000
}

struct WorkerModel: Sendable {
    var id: String
    var roles: [WorkerRole]
    var slots: Int
    /// Bytes that its jobs may occupy together; nil for a worker of an earlier version.
    var memory: Int64?
    /// How long it takes for one predicted second, in seconds.
    var slowness: Double
}

/// An export with an artificial plan: its keys are readable names, and its jobs do nothing.
struct ExportModel: Sendable {
    var id: ExportID
    var tenant: Int64
    var priority: Int
    var probes: [PlannedJob]
    var plan: PlannedExport

    /// The artifacts that a job of this export reads.
    func inputs(of kind: JobKind) -> [ArtifactKey] {
        let kinds: Set<JobKind> =
            switch kind {
            case .probe, .measure, .audio, .picture: []
            case .allocation: [.measure]
            case .video: [.allocation]
            case .soundtrack: [.audio]
            case .stitch: [.video, .soundtrack]
            }
        return plan.jobs.filter { kinds.contains($0.kind) }.map(\.key)
    }
}

/// Something that happens to the farm from outside.
struct ScenarioEvent: Sendable, CustomStringConvertible {
    /// When it happens, in milliseconds.
    var at: Int
    var kind: Kind

    /// Times are in milliseconds, exports and workers are places in the scenario's lists.
    enum Kind: Sendable {
        case submit(export: Int)
        case cancel(export: Int)
        /// An operator retries a failed job of an export.
        case retry(export: Int)
        case pause(WorkerRole, for: Int)
        /// The worker is gone without a word, and is there again after a time.
        case kill(worker: Int, for: Int)
        /// The worker stands still with all that it has, and then goes on.
        case hang(worker: Int, for: Int)
        /// The worker takes several times as long as it usually does.
        case slow(worker: Int, factor: Int, for: Int)
        case drain(worker: Int, for: Int)
        /// The worker takes no jobs because of its store.
        case storePause(worker: Int, for: Int)
        /// The worker lacks what jobs of this kind need.
        case lack(worker: Int, kind: JobKind, for: Int)
        /// The next attempts at a job fail.
        case fail(export: Int, job: Int, FailureClass, times: Int)
        /// An artifact of an export is gone from the artifact store.
        case loseArtifact(export: Int, job: Int)
        case flushQueue
        case queueAway(for: Int)
        case storeAway(for: Int)
        case next(CountedFault, times: Int)
        /// Another coordinator takes the lead, and the former leader does not know.
        case newLeader
        /// The leader stands still; after 5 s another one takes the lead.
        case stopLeader(for: Int)
    }

    var description: String { "\(seconds(at)) \(kind)" }
}

/// A fault that happens to the next few calls of some kind.
enum CountedFault: Int, CaseIterable, Sendable {
    /// The store refuses a transaction.
    case refusedWrite
    /// The store commits, and the answer is lost.
    case unansweredWrite
    case lostTickets
    /// The tickets are in the queue, and the answer is lost.
    case unansweredTickets
    case doubledTickets
    /// The tickets arrive some seconds later, as those of a leader that was stopped before it sent them.
    case delayedTickets
    /// A worker's report does not reach the queue; the worker sends it again.
    case refusedReport
    /// A worker's report is in the queue, and the worker does not know it and sends it again.
    case unansweredReport
    case reorderedReports
    /// Reports are applied and not acknowledged, so that they come again.
    case refusedAcknowledgement
}
