#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The queue inside one process: for tests, and to say what a queue is in the fewest words.
public actor MemoryJobQueue: CoordinatorQueue, WorkerQueue {
    private struct Held {
        var delivery: JobDelivery
        var touchedAt: ContinuousClock.Instant
    }

    private var claimed = false
    private var waiting: [String: [JobDelivery]] = [:]
    private var taken: [String: Held] = [:]
    private var results: [ReportDelivery] = []
    private var stopping: Set<AttemptID> = []
    private var statuses: [String: (status: WorkerStatus, until: ContinuousClock.Instant)] = [:]
    private var nextEntry = 0
    /// Those who wait for something to arrive.
    private var waiters: [Int: WakeSignal] = [:]
    private var nextWaiter = 0

    public init() {}

    /// Loses everything, as a server that was flushed.
    public func flush() {
        claimed = false
        waiting = [:]
        taken = [:]
        results = []
        stopping = []
        statuses = [:]
    }

    // MARK: Coordinator

    public func prepare(pools: [String]) -> Bool {
        defer { claimed = true }
        return !claimed
    }

    public func send(_ tickets: [JobTicket]) {
        for ticket in tickets {
            let queue = "\(ticket.kind.role.rawValue):\(ticket.pool)"
            waiting[queue, default: []].append(JobDelivery(ticket, queue: queue, entry: newEntry()))
        }
        wakeWaiters()
    }

    public func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] {
        try await waiting(wait) { self.results.isEmpty ? nil : Array(self.results.prefix(limit)) } ?? []
    }

    public func acknowledge(_ reports: [ReportDelivery]) {
        let entries = Set(reports.map(\.entry))
        results.removeAll { entries.contains($0.entry) }
    }

    public func takeAbandoned(idle: Duration) -> [JobTicket] {
        let now = ContinuousClock.now
        let abandoned = taken.values.filter { $0.touchedAt.duration(to: now) >= idle }
        for item in abandoned { taken[item.delivery.entry] = nil }
        return abandoned.map(\.delivery.ticket)
    }

    public func held() -> Set<AttemptID> {
        Set(waiting.values.joined().map(\.ticket.identity) + taken.values.map(\.delivery.ticket.identity))
    }

    public func cancel(_ attempts: [AttemptID]) { stopping.formUnion(attempts) }

    public func workers() -> [WorkerStatus] {
        let now = ContinuousClock.now
        return statuses.values.filter { $0.until > now }.map(\.status).sorted { $0.id < $1.id }
    }

    // MARK: Worker

    public func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        let queues = roles.flatMap { role in pools.map { "\(role.rawValue):\($0)" } }
        return try await waiting(wait) { self.takeNow(queues, limit) } ?? []
    }

    private func takeNow(_ queues: [String], _ limit: Int) -> [JobDelivery]? {
        var found: [JobDelivery] = []
        for queue in queues {
            let count = min(limit - found.count, waiting[queue]?.count ?? 0)
            guard count > 0 else { continue }
            found += waiting[queue]?.prefix(count) ?? []
            waiting[queue]?.removeFirst(count)
        }
        for delivery in found { taken[delivery.entry] = Held(delivery: delivery, touchedAt: .now) }
        return found.isEmpty ? nil : found
    }

    public func renew(_ deliveries: [JobDelivery], worker: String) {
        for delivery in deliveries { taken[delivery.entry]?.touchedAt = .now }
    }

    public func report(_ report: JobReport, finishing: JobDelivery?) {
        results.append(ReportDelivery(report, entry: newEntry()))
        if let finishing { taken[finishing.entry] = nil }
        wakeWaiters()
    }

    public func beat(_ status: WorkerStatus, lifetime: Duration) -> Set<AttemptID> {
        statuses[status.id] = (status, .now + lifetime)
        return stopping.intersection(status.running.map(\.id))
    }

    public func leave(worker: String) { statuses[worker] = nil }

    // MARK: -

    private func newEntry() -> String {
        nextEntry += 1
        return "\(nextEntry)"
    }

    /// Looks, and again whenever something has arrived, until there is something or the time is up.
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
