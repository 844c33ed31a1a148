/// A ticket in a worker's hands, and what the queue knows it by.
public struct JobDelivery: Hashable, Sendable {
    public var ticket: JobTicket
    /// The queue that it came from, and its place there.
    public var queue: String
    public var entry: String

    public init(_ ticket: JobTicket, queue: String, entry: String) {
        self.ticket = ticket
        self.queue = queue
        self.entry = entry
    }
}

/// A report in the coordinator's hands.
public struct ReportDelivery: Hashable, Sendable {
    public var report: JobReport
    public var entry: String

    public init(_ report: JobReport, entry: String) {
        self.report = report
        self.entry = entry
    }
}

/// The way from the coordinator to the workers and back. It holds deliveries only: all of it may vanish at any moment, and
/// the coordinator fills it again from the database.
///
/// `RedisJobQueue` and `MemoryJobQueue` are the implementations; one suite of tests runs on both.
public protocol CoordinatorQueue: Sendable {
    /// Makes the queue usable for these pools and claims it.
    /// - Returns: true when it has lost everything since this coordinator last looked, or another coordinator has used it:
    ///   what was dispatched has to be compared with `held`.
    func prepare(pools: [String]) async throws -> Bool

    func send(_ tickets: [JobTicket]) async throws

    /// Reports in the order of arrival, each until it is acknowledged: those that an earlier coordinator left come first.
    func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery]

    func acknowledge(_ reports: [ReportDelivery]) async throws

    /// Takes back what workers have neither finished nor renewed for so long.
    func takeAbandoned(idle: Duration) async throws -> [JobTicket]

    /// Every attempt that waits in the queue or is in a worker's hands.
    func held() async throws -> Set<AttemptID>

    /// Asks the workers that have them to stop.
    func cancel(_ attempts: [AttemptID]) async throws

    /// Workers that gave a sign of life of late.
    func workers() async throws -> [WorkerStatus]
}

/// The worker's end of the queue.
public protocol WorkerQueue: Sendable {
    /// The next tickets for these roles and pools, up to `limit`; waits for the first.
    /// - Returns: none when nothing came in time, or when the coordinator has yet to prepare the queue.
    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery]

    /// Keeps deliveries from being taken back.
    func renew(_ deliveries: [JobDelivery], worker: String) async throws

    /// Says how it goes. With `finishing` the delivery is over in the same step.
    func report(_ report: JobReport, finishing: JobDelivery?) async throws

    /// Gives a sign of life that lasts `lifetime`.
    /// - Returns: which of the running attempts shall stop.
    func beat(_ status: WorkerStatus, lifetime: Duration) async throws -> Set<AttemptID>

    /// Takes the worker off the list.
    func leave(worker: String) async throws
}
