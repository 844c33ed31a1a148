import FarmAPI
import JobQueue
import Logging
import Scheduling
import FoundationEssentials

/// Reclaims jobs that nobody works on any more.
extension Leader {
    /// Looks at the queue each second, until the task is cancelled.
    func watchQueue() async {
        while !Task.isCancelled {
            do {
                try await queue.ping()
                watch.look()
            } catch {
                watch.fail()
            }
            try? await Task.sleep(for: .seconds(1))  // cancelled: the loop's condition ends the loop
        }
    }

    // MARK: Expired leases

    /// How many expired leases the log lists one by one.
    private static let listedLeases = 20

    /// Reclaims jobs whose lease has expired, once the queue has been watched for a whole lease.
    ///
    /// A lease that was last renewed before a gap does not count against the retry limits: its worker may have been
    /// unable to renew it.
    package func reclaimExpired(at now: ContinuousClock.Instant = .now) async throws {
        let watched = watch.duration(at: now)
        guard watched >= Leader.lease else { return }
        if watch.takeGap() {
            let silent = try await queue.reclaimExpired(idle: watched)
            try await makeReady(silent.map(\.identity), "had workers that are silent since the queue was away")
        }
        let asked = ContinuousClock.now
        let expired = try await queue.reclaimExpired(idle: Leader.lease)
        guard !expired.isEmpty else { return }
        guard asked.duration(to: .now) <= QueueWatch.longestGap else {
            return try await makeReady(expired.map(\.identity), "had workers that are silent, while the queue was away")
        }
        logger.warning("reclaiming \(expired.count) jobs whose leases have expired")
        for ticket in expired.prefix(Leader.listedLeases) {
            logger.warning(
                "the lease has expired", metadata: .ids(export: ticket.export, job: ticket.job, attempt: ticket.attempt))
        }
        let effects = try await together {
            try await store.expireLeases(expired.map(\.identity), at: term.now(), jitter: Double.random(in: 0...1))
        }
        if let effects { try await follow(effects) }
        for ticket in expired where effects == nil {
            term.noteProgress()
            let effects = try await isolated(.attempt(ticket.job)) {
                try await store.expireLeases([ticket.identity], at: term.now(), jitter: Double.random(in: 0...1))
            } setAside: { reason in
                try await setAside(ticket.job, "the expired lease of job \(ticket.job) could not be stored: \(reason)")
            }
            if let effects { try await follow(effects) }
        }
    }

    /// Withdraws tickets that have waited for a whole lease in a lane without workers. Their jobs wait in the database
    /// then, until the lane has workers.
    package func withdrawUnread(at now: ContinuousClock.Instant = .now) async throws {
        guard watch.duration(at: now) >= Leader.lease else { return }
        let working = try await queue.workers().filter(\.takesJobs)
        let unread = try await queue.withdrawUnread(age: Leader.lease, besides: working)
        try await makeReady(unread.map(\.identity), "waited for workers that do not come")
    }

    /// How long a ticket may wait at a busy worker that has the job's source while other slots are idle.
    private static let longestChoice = Duration.seconds(5)

    /// Withdraws tickets that wait at busy workers, where they were sent because of what these workers have, although
    /// others are idle. Their jobs then go to whoever is free.
    package func withdrawWaiting(_ state: DispatchState) async throws {
        let workers = state.scheduler.workersWithWaitingTickets
        guard !workers.isEmpty else { return }
        let waiting = try await queue.withdrawUnread(age: Leader.longestChoice, sentTo: workers)
        try await makeReady(waiting.map(\.identity), "waited at busy workers while others were idle")
    }

    // MARK: Lost tickets

    /// Makes ready again the jobs that the database believes in flight and the queue does not hold. A worker that has
    /// such a job all the same reports it done, and then it is done. A job whose end is reported already is left alone.
    /// - Parameter age: jobs that were dispatched less than this ago are left out, because their tickets may still be
    ///   on their way into the queue. Zero leaves out none, whatever time their dispatch was recorded with.
    package func reconcile(olderThan age: Duration) async throws {
        // In this order: an attempt that ends meanwhile is among the reports, or the store knows of its end.
        let inFlight = try await store.inFlight()
        guard !inFlight.isEmpty else { return }
        let held = try await queue.held()
        let reported = try await queue.reported()
        let now = term.now()
        let lost = inFlight.filter { attempt in
            !held.contains(attempt.id) && !reported.contains(attempt.id)
                && (age == .zero || now.timeIntervalSince(attempt.dispatchedAt) >= age.inSeconds)
        }
        try await makeReady(lost.map(\.id), "were no longer in the queue")
    }

    /// Makes jobs ready again. That is no failure of these jobs, so it does not count against the retry limits.
    private func makeReady(_ attempts: [AttemptID], _ reason: String) async throws {
        guard !attempts.isEmpty else { return }
        let reports = attempts.map { JobReport($0, worker: "nobody", .returned) }
        let effects = try await together { try await store.apply(reports, at: term.now(), jitter: 0) }
        if let effects { try await follow(effects) }
        for (attempt, report) in zip(attempts, reports) where effects == nil {
            term.noteProgress()
            let effects = try await isolated(.attempt(attempt.job)) {
                try await store.apply(report, at: term.now(), jitter: 0)
            } setAside: { reason in
                try await setAside(attempt.job, "job \(attempt.job), which is to be ready again, could not be stored: \(reason)")
            }
            if let effects { try await follow(effects) }
        }
        logger.warning("\(attempts.count) jobs \(reason) and are ready again")
    }
}
