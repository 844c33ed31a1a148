package import FarmAPI

/// A ticket that a worker has taken, and how the queue identifies it.
package struct JobDelivery: Hashable, Sendable {
    package var ticket: JobTicket
    /// The queue that it came from, and its place there.
    package var queue: String
    package var entry: String

    package init(_ ticket: JobTicket, queue: String, entry: String) {
        self.ticket = ticket
        self.queue = queue
        self.entry = entry
    }
}

/// A report that the coordinator has received.
package struct ReportDelivery: Hashable, Sendable {
    package var report: JobReport
    package var entry: String

    package init(_ report: JobReport, entry: String) {
        self.report = report
        self.entry = entry
    }
}

/// What a worker learns with its heartbeat.
package struct HeartbeatAnswer: Hashable, Sendable {
    /// The attempts that shall stop, among those that run or wait at the worker.
    package var cancelled: Set<AttemptID>
    /// Whether the worker shall drain.
    package var isToDrain: Bool
    /// Whether the request to drain was taken back.
    package var isToResume: Bool

    package init(cancelled: Set<AttemptID> = [], isToDrain: Bool = false, isToResume: Bool = false) {
        self.cancelled = cancelled
        self.isToDrain = isToDrain
        self.isToResume = isToResume
    }
}

/// The coordinator's end of the queue. The queue holds only deliveries: all of it may vanish at any moment, and the
/// coordinator fills it again from the database.
///
/// `RedisJobQueue` and `MemoryJobQueue` are the implementations; one suite of tests runs on both.
package protocol CoordinatorQueue: Sendable {
    /// Makes the queue usable for these pools and claims it.
    /// - Returns: true when the queue has lost everything since this coordinator last looked, or another coordinator
    ///   has used it. Jobs in flight then have to be compared with `held`.
    func prepare(pools: [String]) async throws -> Bool

    /// The highest number of a job whose ticket was ever sent; 0 where the queue knows none.
    func highestJob() async throws -> Int64

    func send(_ tickets: [JobTicket]) async throws

    /// Reports in the order of arrival. Each is delivered until it is acknowledged; reports that an earlier coordinator
    /// left come first.
    func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery]

    func acknowledge(_ reports: [ReportDelivery]) async throws

    /// Reclaims tickets whose lease has expired: their worker has neither finished nor renewed them for `idle`.
    /// - Returns: the tickets, whose work may lack the references to its sources.
    func reclaimExpired(idle: Duration) async throws -> [JobTicket]

    /// Withdraws tickets that no worker has taken for `age`, from queues of roles and pools that none of `workers`
    /// serves.
    /// - Returns: as for `reclaimExpired`.
    func withdrawUnread(age: Duration, besides workers: [WorkerStatus]) async throws -> [JobTicket]
    /// Withdraws the tickets that were sent to these workers by name and that they have not taken.
    /// - Parameter age: a ticket that was sent less than this ago stays.
    func withdrawUnread(age: Duration, sentTo workers: [String]) async throws -> [JobTicket]

    /// Every attempt whose end is reported, and whose report is not acknowledged yet.
    func reported() async throws -> Set<AttemptID>

    /// Returns when the queue answers.
    func ping() async throws

    /// Every attempt that waits in the queue or that a worker has taken.
    func held() async throws -> Set<AttemptID>

    /// Everything that the queue holds, in all lanes that tickets were ever sent to.
    func contents() async throws -> QueueContents

    /// Asks the workers that have them to stop.
    func cancel(_ attempts: [AttemptID]) async throws

    /// Asks a worker to drain, as SIGTERM does. It is asked until it is deregistered, for an hour at most.
    /// - Parameter worker: the worker's status. Another process that is started later with the same id is not asked.
    func drain(_ worker: WorkerStatus) async throws

    /// Takes back a request to drain. The worker is told so until it is deregistered, for an hour at most. A worker that has
    /// begun to drain takes jobs again, unless it is too late for that (`WorkerStatus.canResume`).
    /// - Parameter worker: as for `drain`.
    func resume(_ worker: WorkerStatus) async throws

    /// The workers whose last heartbeat is still valid.
    func workers() async throws -> [WorkerStatus]
}

/// The worker's end of the queue.
package protocol WorkerQueue: Sendable {
    /// The next tickets for these roles and pools; waits for the first. Tickets for this worker alone come first.
    ///
    /// All that one call returns are of the same role and pool, or for this worker alone: only the worker knows how many
    /// slots are left beside them.
    /// - Parameter limit: how many tickets at most.
    /// - Returns: no tickets when none came in time, when none that came can be read, or when the coordinator has yet to
    ///   prepare the queue.
    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery]

    /// Renews the leases of deliveries.
    func renew(_ deliveries: [JobDelivery], worker: String) async throws

    /// Sends a report. With `finishing`, the delivery ends in the same step.
    func report(_ report: JobReport, finishing: JobDelivery?) async throws

    /// Sends a heartbeat that is valid for `lifetime`.
    func heartbeat(_ status: WorkerStatus, lifetime: Duration) async throws -> HeartbeatAnswer

    /// Deregisters the worker.
    func deregister(worker: String) async throws
}

extension [JobDelivery] {
    /// How many slots the deliveries take at a worker.
    func width(at worker: WorkerCapacity) -> Int { reduce(0) { $0 + $1.ticket.width(at: worker) } }
}
