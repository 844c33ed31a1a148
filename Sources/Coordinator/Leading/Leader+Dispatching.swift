package import FarmAPI
import ExportPlan
import JobQueue
import Logging
import Scheduling
import Telemetry
package import FoundationEssentials

/// Sends ready jobs to the queue.
extension Leader {
    /// What the dispatch loop remembers from one pass to the next.
    struct DispatchLoop {
        var state = DispatchState()
        var workers: [WorkerStatus] = []
        var workersRead = Interval()
        var looked = Interval()
        var noted = Interval()
        var compared = Interval()
        var reclaimed = Interval()
        var reconciled = Interval()
        var copied = Interval()
        /// When a dispatch failed of which it is unknown whether its tickets were sent; nil once that is known.
        var failedAt: ContinuousClock.Instant?
        /// When a worker last took no jobs because of its store.
        var pausedAt: ContinuousClock.Instant?
        /// When a job is due that is ready and waits for its time.
        var nextDue: Duration?

        /// How long to wait for a call. Workers do not call when they take jobs again.
        var pause: Duration {
            guard state.isBusy else { return .seconds(5) }
            guard state.knowsAll else { return .zero }
            let expectsChange = pausedAt.map { $0.duration(to: .now) < .seconds(10) } ?? false
            return max(.zero, min(expectsChange ? .milliseconds(250) : .seconds(1), nextDue ?? .seconds(1)))
        }

        /// How often the workers' statuses are read while calls come faster: on a large farm this costs something.
        var workersInterval: Duration { max(.milliseconds(100), .milliseconds(workers.count)) }
    }

    /// Measures the time since something was last done.
    struct Interval {
        private var last: ContinuousClock.Instant?

        /// Whether so much time has passed; the next interval begins then.
        mutating func hasPassed(_ time: Duration) -> Bool {
            let now = ContinuousClock.now
            if let last, last.duration(to: now) < time { return false }
            last = now
            return true
        }
    }

    /// One pass of the dispatch loop: waits for a call, does what is due, and sends what may be sent.
    func work(_ loop: inout DispatchLoop) async throws {
        let isCalled = await dispatching.wait(atMost: loop.pause)
        try Task.checkCancellation()
        term.noteProgress()
        if loop.looked.hasPassed(isCalled || loop.state.isBusy ? .seconds(1) : .seconds(5)) { try await look(&loop) }
        if loop.workersRead.hasPassed(isCalled ? loop.workersInterval : .zero) {
            loop.workers = try await queue.workers()
            noteMachines(of: loop.workers)
            if loop.workers.contains(where: { $0.pausedFor != nil }) { loop.pausedAt = .now }
            if loop.noted.hasPassed(.seconds(5)) { try await note(loop.workers) }
        }
        let now = term.now()
        do {
            try await dispatch(&loop.state, to: loop.workers, at: now)
        } catch {
            loop.failedAt = .now
            throw error
        }
        if loop.copied.hasPassed(.seconds(1)) { try await copyStragglers(loop.state, loop.workers) }
        loop.nextDue = loop.state.scheduler.nextDue().map { .seconds($0.timeIntervalSince(now)) }
    }

    /// After this time a ticket that was sent is in the queue, unless it is lost.
    private static let timeOnTheWay = Duration.seconds(3)

    /// What does not wait for a call.
    private func look(_ loop: inout DispatchLoop) async throws {
        // A leader that was stopped must not touch the queue either.
        try await store.confirmLead()
        if try await queue.prepare(pools: ["default"]) {
            logger.info("the queue is new or was lost: comparing it with the database")
            try await reconcile(olderThan: .zero)
        }
        // A job of a killed worker waits at most for its lease and this interval.
        if loop.reclaimed.hasPassed(.seconds(2)), loop.state.isBusy {
            try await reclaimExpired()
            try await withdrawUnread()
            try await withdrawWaiting(loop.state)
        }
        if let failedAt = loop.failedAt, failedAt.duration(to: .now) > Leader.timeOnTheWay {
            // The tickets of a dispatch that failed may be in the queue or not.
            try await reconcile(olderThan: Leader.timeOnTheWay)
            loop.failedAt = nil
        }
        if loop.reconciled.hasPassed(.seconds(5)), loop.state.isBusy { try await reconcile(olderThan: .seconds(5)) }
        if loop.compared.hasPassed(loop.state.isBusy ? .seconds(1) : .seconds(15)) { try await compareSome(&loop.state) }
    }

    /// Stores which workers there are. Where the database refuses the status of one worker, the others are stored all
    /// the same.
    private func note(_ workers: [WorkerStatus]) async throws {
        do {
            try await store.note(workers)
        } catch let error as FarmError where !error.concernsAll {
            for worker in workers {
                try await isolated(.worker(worker.id)) {
                    try await store.note([worker])
                } setAside: { _ in
                }
            }
        }
    }

    // MARK: A round

    /// How many jobs are dispatched in one transaction.
    private static let jobsAtOnce = 500

    /// Tells the scheduler what is new, and sends the jobs that it chooses.
    ///
    /// Where a step fails, it is unknown which of the chosen jobs are on their way, so the scheduler is built again.
    package func dispatch(_ state: inout DispatchState, to workers: [WorkerStatus], at now: Date) async throws {
        do {
            try await update(&state, workers, at: now)
            update(&state, with: workers)
            let decisions = state.scheduler.dispatch(at: now)
            try await handleWithoutWorker(decisions.withoutWorker, &state)
            try await failOverdue(&state, at: now)
            var rest = decisions.dispatches[...]
            while !rest.isEmpty {
                term.noteProgress()
                try await send(rest.prefix(Leader.jobsAtOnce), &state, at: now)
                rest = rest.dropFirst(Leader.jobsAtOnce)
            }
            pace.set(ahead: state.scheduler.secondsAhead)
        } catch {
            state.isBuilt = false
            pace.set(ahead: 0)
            throw error
        }
    }

    private func send(
        _ chosen: ArraySlice<SchedulerDecisions.Dispatch>, _ state: inout DispatchState, at now: Date
    ) async throws {
        if state.farm == nil { state.farm = try await store.farm() }
        var tickets = try await store.dispatch(chosen.map(\.job), at: now)
        let places = Dictionary(chosen.map { ($0.job, $0) }) { first, _ in first }
        for index in tickets.indices {
            tickets[index].farm = state.farm
            tickets[index].worker = places[tickets[index].job]?.worker
            if places[tickets[index].job]?.isExpress == true { tickets[index].isExpress = true }
        }
        let readySince = takeReadyTimes(&tickets)
        LeaderTraces.mark(&tickets)
        if !tickets.isEmpty { try await queue.send(tickets) }
        var waits = MetricTally()
        for ticket in tickets {
            guard let since = readySince[ticket.job] else { continue }
            waits.observe(.queueWait, seconds: max(0, now.timeIntervalSince(since)), ticket.kind.rawValue)
        }
        waits.record()
        LeaderTraces.sent(tickets, readySince: readySince, at: now)
        let sent = Set(tickets.map(\.job))
        for job in sent { (state.readmitted[job], state.waiting[job]) = (nil, nil) }
        let refused = chosen.map(\.job).filter { !sent.contains($0) }
        guard !refused.isEmpty else { return }
        // The store knows better what became of these jobs.
        for job in refused { state.scheduler.handle(.ended(job, seconds: 0)) }
        news.add(ScheduleChanges(exports: Set(try await store.exports(ofJobs: refused, tenant: nil).values)))
    }

    /// Takes the times at which jobs became ready out of their tickets, by job. Workers have no use for them.
    private func takeReadyTimes(_ tickets: inout [JobTicket]) -> [Int64: Date] {
        var times: [Int64: Date] = [:]
        for index in tickets.indices {
            times[tickets[index].job] = tickets[index].readyAt
            tickets[index].readyAt = nil
        }
        return times
    }
}
