import FarmAPI
import Coordinator
import ExportPlan
import JobQueue

/// The queue in memory, as a coordinator or a worker sees it through a network that fails: it is away, loses, doubles
/// and delays tickets, and answers calls that then seem to have failed. Its answers are sorted, so that they do not
/// depend on the order of hash tables.
struct FaultyQueue: Sendable {
    let base: MemoryJobQueue
    let record: FarmRecord
    let store: MemoryFarmStore
    /// The coordinator that used the queue last, for all of its users.
    let claim: QueueClaim
    /// The epoch of the leader that uses it; 0 for workers and for the API.
    let epoch: Int64

    private func checkPresence() throws {
        guard record.clock.now >= record.with(\.queueAwayUntil) else { throw FarmError(.unavailable, "the queue is away") }
    }

    private static func sorted(_ tickets: [JobTicket]) -> [JobTicket] {
        tickets.sorted { ($0.job, $0.attempt) < ($1.job, $1.attempt) }
    }
}

/// Which coordinator used the queue last.
actor QueueClaim {
    private var epoch: Int64 = 0

    /// - Returns: whether another coordinator has used the queue.
    func take(_ new: Int64) -> Bool {
        defer { epoch = new }
        return epoch != new
    }
}

extension FaultyQueue: CoordinatorQueue {
    func prepare(pools: [String]) async throws -> Bool {
        try checkPresence()
        let isOthers = await claim.take(epoch)
        let isNew = await base.prepare(pools: pools)
        return isNew || isOthers
    }

    func highestJob() async throws -> Int64 {
        try checkPresence()
        return await base.highestJob()
    }

    func send(_ tickets: [JobTicket]) async throws {
        var tickets = tickets
        if record.isBroken(.doubleDispatch) { tickets += tickets.filter { $0.job % 7 == 0 } }
        if record.isBroken(.ignoredExclusion) { for index in tickets.indices { tickets[index].worker = nil } }
        if record.isBroken(.ignoredDemand) { for index in tickets.indices { tickets[index].demand = nil } }
        try checkPresence()
        for ticket in tickets { await judge(ticket) }
        if record.takes(.lostTickets) { throw FarmError(.unavailable, "the tickets were lost") }
        if record.takes(.delayedTickets) {
            let delay = record.chance.number(.order, in: 500...12_000, tickets.first?.job ?? 0, 1)
            let late = tickets
            return record.with { $0.delayed.append((delay, late)) }
        }
        await base.send(tickets)
        if record.takes(.doubledTickets) { await base.send(tickets) }
        record.with { $0.sent = true }
        if record.takes(.unansweredTickets) { throw FarmError(.unavailable, "the connection broke after the tickets") }
    }

    /// Checks that a ticket may be sent now.
    private func judge(_ ticket: JobTicket) async {
        let id = ticket.identity
        guard let (job, attempts) = await store.job(id.job, tenant: nil) else {
            return record.violate("there is no job \(id.job), and it was sent")
        }
        let (now, role) = (record.clock.now, ticket.kind.role)
        record.with { state in
            if !state.dispatched.contains(id) { state.violations.append("\(id.text) was sent and not dispatched") }
            if !state.sentIDs.insert(id).inserted { state.violations.append("\(id.text) was sent twice") }
            // A copy of a straggler is sent while the job runs.
            let isCopy = job.state == .running && attempts.count { $0.finishedAt == nil } == 2
            if job.state != .dispatched && !isCopy || job.attempt != id.attempt {
                state.violations.append("\(id.text) was sent, and the job is \(job.state) at attempt \(job.attempt)")
            }
            if let since = state.pausedSince[role], now - since > 2000 {
                state.violations.append("\(id.text) was sent, and its role is paused")
            }
            let floor = state.floors[id.job] ?? 0
            let failures = attempts.filter { attempt in
                guard attempt.number > floor, attempt.state == .failed, let failure = attempt.failure else { return false }
                return failure.failureClass == .crash || failure.failureClass == .environment
            }
            let excluded = Set(failures.compactMap(\.worker))
            // The leader may send a job anywhere once it has seen it without another worker. So only workers count that
            // were well for a while when the job last failed. After an outage of the queue it knows a worker from the next
            // heartbeat on.
            let failedAt = failures.compactMap(\.finishedAt).max().map(record.clock.time(of:)) ?? 0
            let others = state.well.filter { worker, health in
                !excluded.contains(worker) && health.roles.contains(role)
                    && failedAt - max(health.since, state.queueTroubleUntil) > 20_000
            }
            if !excluded.isEmpty, !others.isEmpty, ticket.worker.map(excluded.contains) ?? true {
                state.violations.append("\(id.text) may go to a worker that failed on it: \(excluded.sorted())")
            }
        }
    }

    func reports(limit: Int, wait: Duration) async throws -> [ReportDelivery] {
        try checkPresence()
        let found = try await base.reports(limit: limit, wait: .zero)
        return record.takes(.reorderedReports) ? found.reversed() : found
    }

    func acknowledge(_ reports: [ReportDelivery]) async throws {
        try checkPresence()
        if record.takes(.refusedAcknowledgement) { throw FarmError(.unavailable, "the acknowledgement was lost") }
        await base.acknowledge(reports)
        for delivery in reports where delivery.report.outcome != .started {
            let id = delivery.report.id
            let attempts = await store.job(id.job, tenant: nil)?.attempts ?? []
            guard attempts.contains(where: { $0.number == id.attempt && $0.finishedAt == nil }) else { continue }
            record.violate("the end of \(id.text) is acknowledged, and the store does not know it")
        }
    }

    func reclaimExpired(idle: Duration) async throws -> [JobTicket] {
        try checkPresence()
        return FaultyQueue.sorted(await base.reclaimExpired(idle: idle))
    }

    func withdrawUnread(age: Duration, sentTo workers: [String]) async throws -> [JobTicket] {
        try checkPresence()
        return FaultyQueue.sorted(await base.withdrawUnread(age: age, sentTo: workers))
    }

    func withdrawUnread(age: Duration, besides workers: [WorkerStatus]) async throws -> [JobTicket] {
        try checkPresence()
        return FaultyQueue.sorted(await base.withdrawUnread(age: age, besides: workers))
    }

    func reported() async throws -> Set<AttemptID> {
        try checkPresence()
        return await base.reported()
    }

    func ping() async throws { try checkPresence() }

    func held() async throws -> Set<AttemptID> {
        try checkPresence()
        return await base.held()
    }

    func contents() async throws -> QueueContents {
        try checkPresence()
        return await base.contents()
    }

    func drain(_ worker: WorkerStatus) async throws {
        try checkPresence()
        await base.drain(worker)
    }

    func resume(_ worker: WorkerStatus) async throws {
        try checkPresence()
        await base.resume(worker)
    }

    func cancel(_ attempts: [AttemptID]) async throws {
        try checkPresence()
        if !record.isBroken(.lostCancel) { await base.cancel(attempts) }
    }

    func workers() async throws -> [WorkerStatus] {
        try checkPresence()
        return await base.workers()
    }
}

extension FaultyQueue: WorkerQueue {
    func take(
        roles: [WorkerRole], pools: [String], worker: String, limit: Int, wait: Duration
    ) async throws -> [JobDelivery] {
        try checkPresence()
        return try await base.take(
            roles: roles, pools: pools, worker: worker, limit: limit, wait: .zero)
    }

    func renew(_ deliveries: [JobDelivery], worker: String) async throws {
        try checkPresence()
        await base.renew(deliveries, worker: worker)
        if record.isBroken(.renewalForDeadWorkers) { await base.renew(record.with(\.orphans), worker: worker) }
    }

    func report(_ report: JobReport, finishing: JobDelivery?) async throws {
        try checkPresence()
        if record.takes(.refusedReport) { throw FarmError(.unavailable, "the report did not arrive") }
        await base.report(report, finishing: finishing)
        record.with { $0.called = true }
        if record.takes(.unansweredReport) { throw FarmError(.unavailable, "the connection broke after the report") }
    }

    func heartbeat(_ status: WorkerStatus, lifetime: Duration) async throws -> HeartbeatAnswer {
        try checkPresence()
        return await base.heartbeat(status, lifetime: lifetime)
    }

    func deregister(worker: String) async throws {
        try checkPresence()
        await base.deregister(worker: worker)
    }
}
