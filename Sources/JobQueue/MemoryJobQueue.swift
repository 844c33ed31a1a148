package import FarmAPI
import FoundationEssentials

/// The queue inside one process: for tests, and as the shortest description of what a queue does.
package actor MemoryJobQueue: CoordinatorQueue, WorkerQueue {
    private struct Held {
        var delivery: JobDelivery
        var worker: String
        var touchedAt: ContinuousClock.Instant
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private var claimed = false
    private var highestSentJob: Int64 = 0
    private var waiting: [String: [JobDelivery]] = [:]
    /// When each ticket that waits was sent, by its entry.
    private var sentAt: [String: ContinuousClock.Instant] = [:]
    private var taken: [String: Held] = [:]
    private var results: [ReportDelivery] = []
    /// When each report arrived, by its entry.
    private var reportedAt: [String: ContinuousClock.Instant] = [:]
    private var stopping: Set<AttemptID> = []
    /// When each worker that shall drain was started, by its id.
    private var draining: [String: Date] = [:]
    /// The same for workers whose request to drain was taken back.
    private var resuming: [String: Date] = [:]
    private var statuses: [String: (status: WorkerStatus, until: ContinuousClock.Instant)] = [:]
    private var nextEntry = 0
    /// The callers that wait for something to arrive.
    private var waiters: [Int: WakeSignal] = [:]
    private var nextWaiter = 0

    /// - Parameter now: the clock by which leases and heartbeats expire.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Loses everything, as a flushed server does.
    package func flush() {
        claimed = false
        highestSentJob = 0
        waiting = [:]
        sentAt = [:]
        taken = [:]
        results = []
        reportedAt = [:]
        stopping = []
        draining = [:]
        resuming = [:]
        statuses = [:]
    }

    // MARK: Coordinator

    package func prepare(pools: [String]) -> Bool {
        defer { claimed = true }
        return !claimed
    }

    package func highestJob() -> Int64 { highestSentJob }

    package func send(_ tickets: [JobTicket]) {
        for ticket in tickets {
            highestSentJob = max(highestSentJob, ticket.job)
            let queue = MemoryJobQueue.queue(ticket)
            let entry = newEntry()
            waiting[queue, default: []].append(JobDelivery(ticket, queue: queue, entry: entry))
            sentAt[entry] = now()
        }
        wakeWaiters()
    }

    package func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] {
        try await waiting(wait) { self.results.isEmpty ? nil : Array(self.results.prefix(limit)) } ?? []
    }

    package func acknowledge(_ reports: [ReportDelivery]) {
        let entries = Set(reports.map(\.entry))
        results.removeAll { entries.contains($0.entry) }
        for entry in entries { reportedAt[entry] = nil }
    }

    package func reclaimExpired(idle: Duration) -> [JobTicket] {
        let now = self.now()
        let expired = taken.values.filter { $0.touchedAt.duration(to: now) >= idle }
        for item in expired { taken[item.delivery.entry] = nil }
        return expired.map(\.delivery.ticket)
    }

    package func withdrawUnread(age: Duration, besides workers: [WorkerStatus]) -> [JobTicket] {
        let served = Set(
            workers.flatMap { worker in
                MemoryJobQueue.queues(ofWorker: worker.id, roles: worker.roles, pools: worker.pools)
                    .filter { worker.readsExpress == true || !$0.hasPrefix(MemoryJobQueue.express) }
            })
        return withdrawUnread(age, from: Set(waiting.keys).subtracting(served))
    }

    package func withdrawUnread(age: Duration, sentTo workers: [String]) -> [JobTicket] {
        withdrawUnread(age, from: Set(workers.map { MemoryJobQueue.queue(ofWorker: $0) }))
    }

    private func withdrawUnread(_ age: Duration, from queues: Set<String>) -> [JobTicket] {
        let now = self.now()
        var withdrawn: [JobDelivery] = []
        for (queue, deliveries) in waiting where queues.contains(queue) {
            let old = deliveries.filter { sentAt[$0.entry].map { $0.duration(to: now) >= age } ?? false }
            waiting[queue]?.removeAll { old.contains($0) }
            withdrawn += old
        }
        for delivery in withdrawn { sentAt[delivery.entry] = nil }
        return withdrawn.map(\.ticket)
    }

    package func reported() -> Set<AttemptID> { Set(results.map(\.report).filter(\.isFinal).map(\.id)) }

    package func ping() {}

    package func held() -> Set<AttemptID> {
        Set(waiting.values.joined().map(\.ticket.identity) + taken.values.map(\.delivery.ticket.identity))
    }

    package func contents() -> QueueContents {
        let now = self.now()
        func age(_ time: ContinuousClock.Instant?) -> Double { time.map { $0.duration(to: now) / .seconds(1) } ?? 0 }
        let unread = waiting.values.joined().map { delivery in
            let ticket = delivery.ticket
            return QueueContents.Waiting(
                ticket.identity, for: ticket.worker.map { .worker($0) } ?? .pool(ticket.kind.role, ticket.pool),
                age: age(sentAt[delivery.entry]))
        }
        let running = taken.values.map { held in
            QueueContents.Taken(held.delivery.ticket.identity, by: held.worker, silence: age(held.touchedAt))
        }
        return QueueContents(
            waiting: unread, taken: running, reported: reported(),
            reportAge: results.first.map { age(reportedAt[$0.entry]) })
    }

    package func cancel(_ attempts: [AttemptID]) { stopping.formUnion(attempts) }

    package func drain(_ worker: WorkerStatus) {
        draining[worker.id] = worker.startedAt
        resuming[worker.id] = nil
    }

    package func resume(_ worker: WorkerStatus) {
        draining[worker.id] = nil
        resuming[worker.id] = worker.startedAt
    }

    package func workers() -> [WorkerStatus] {
        let now = self.now()
        for (id, status) in statuses where status.until <= now { waiting[MemoryJobQueue.queue(ofWorker: id)] = nil }
        return statuses.values.filter { $0.until > now }.map(\.status).sorted { $0.id < $1.id }
    }

    // MARK: Worker

    package func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        let queues = MemoryJobQueue.queues(ofWorker: worker, roles: roles, pools: pools)
        return try await waiting(wait) { self.takeNow(queues, worker, limit) } ?? []
    }

    private func takeNow(_ queues: [String], _ worker: String, _ limit: Int) -> [JobDelivery]? {
        guard limit > 0, let queue = queues.first(where: { waiting[$0]?.isEmpty == false }) else { return nil }
        let found = Array(waiting[queue, default: []].prefix(limit))
        waiting[queue]?.removeFirst(found.count)
        for delivery in found {
            taken[delivery.entry] = Held(delivery: delivery, worker: worker, touchedAt: now())
            sentAt[delivery.entry] = nil
        }
        return found
    }

    package func renew(_ deliveries: [JobDelivery], worker: String) {
        for delivery in deliveries { taken[delivery.entry]?.touchedAt = now() }
    }

    package func report(_ report: JobReport, finishing: JobDelivery?) {
        let entry = newEntry()
        results.append(ReportDelivery(report, entry: entry))
        reportedAt[entry] = now()
        if let finishing { taken[finishing.entry] = nil }
        wakeWaiters()
    }

    package func heartbeat(_ status: WorkerStatus, lifetime: Duration) -> HeartbeatAnswer {
        statuses[status.id] = (status, now() + lifetime)
        return HeartbeatAnswer(
            cancelled: stopping.intersection(status.attempts),
            isToDrain: draining[status.id].map(status.isOf(processStartedAt:)) ?? false,
            isToResume: resuming[status.id].map(status.isOf(processStartedAt:)) ?? false)
    }

    package func deregister(worker: String) {
        statuses[worker] = nil
        draining[worker] = nil
        resuming[worker] = nil
        waiting[MemoryJobQueue.queue(ofWorker: worker)] = nil
    }

    /// The name of the queue for jobs that only one worker may take.
    private static func queue(ofWorker id: String) -> String { "worker:\(id)" }

    /// The name of the queue that a ticket goes to.
    private static func queue(_ ticket: JobTicket) -> String {
        let lane = "\(ticket.kind.role.rawValue):\(ticket.pool)"
        return ticket.worker.map(queue(ofWorker:)) ?? (ticket.isExpress == true ? express + lane : lane)
    }

    /// The names of the queues that a worker takes tickets from, in order.
    private static func queues(ofWorker id: String, roles: [WorkerRole], pools: [String]) -> [String] {
        let lanes = roles.flatMap { role in pools.map { "\(role.rawValue):\($0)" } }
        return [queue(ofWorker: id)] + lanes.map { express + $0 } + lanes
    }

    /// The beginning of the names of express queues.
    private static let express = "express:"

    // MARK: -

    private func newEntry() -> String {
        nextEntry += 1
        return "\(nextEntry)"
    }

    /// Calls `look`, and again after every arrival, until it finds something or the time is up.
    private func waiting<Found>(_ time: Duration, _ look: () -> Found?) async throws -> Found? {
        let deadline = ContinuousClock.now + time
        let signal = WakeSignal()
        let number = nextWaiter
        nextWaiter += 1
        waiters[number] = signal
        defer { waiters[number] = nil }
        while true {
            if let found = look() { return found }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return nil }
            _ = await signal.wait(atMost: left)
            try Task.checkCancellation()
        }
    }

    private func wakeWaiters() {
        for waiter in waiters.values { waiter.wake() }
    }
}
