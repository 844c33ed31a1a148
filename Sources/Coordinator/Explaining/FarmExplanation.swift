package import FarmAPI
import ExportPlan
import JobQueue
import Scheduling
package import FoundationEssentials

/// Explains why a job or an export is not done yet, from what the database and the queue hold now.
///
/// The leader's scheduler is not asked, because any coordinator answers: the explanation applies the scheduler's rules to
/// the same facts (`ReadyJobFacts`).
package struct FarmExplanation: Sendable {
    private let store: any FarmStore
    private let workers: CachedLook<[WorkerStatus]>
    private let capableWorkerWait: Double

    /// - Parameter capableWorkerWait: how many seconds jobs wait for a worker that has what all others lack.
    package init(store: any FarmStore, workers: CachedLook<[WorkerStatus]>, capableWorkerWait: Double) {
        self.store = store
        self.workers = workers
        self.capableWorkerWait = capableWorkerWait
    }

    /// - Parameter tenant: nil for the operator, who sees all.
    /// - Returns: nil where there is no such job.
    package func job(_ id: Int64, tenant: Int64?, at now: Date = Date()) async throws -> WaitReport? {
        guard let (job, attempts) = try await store.job(id, tenant: tenant) else { return nil }
        let farm = try await look(at: now)
        let active = try await store.activeJobs(of: [job.export])
        let reasons = try await reasons(for: job, attempts, active, farm)
        return WaitReport(export: job.export, job: id, state: job.state.rawValue, reasons: reasons)
    }

    /// - Returns: nil where there is no such export.
    package func export(_ id: ExportID, tenant: Int64?, at now: Date = Date()) async throws -> WaitReport? {
        guard let export = try await store.export(id, tenant: tenant) else { return nil }
        let farm = try await look(at: now)
        let reasons: [WaitReason]
        switch export.state {
        case .completed, .failed, .cancelled: reasons = [ended(export)]
        case .submitted: reasons = try await compiling(export, farm)
        case .probing, .rendering: reasons = try await working(export, farm)
        }
        return WaitReport(export: id, state: export.state.rawValue, reasons: reasons)
    }

    // MARK: The farm

    /// The facts that are the same for all jobs.
    private struct Farm {
        var now: Date
        var hasLeader: Bool
        var paused: Set<WorkerRole>
        /// nil where the queue cannot be reached.
        var workers: [WorkerStatus]?
    }

    private func look(at now: Date) async throws -> Farm {
        let counts = try await store.observe(at: now)
        return Farm(now: now, hasLeader: counts.hasLeader, paused: counts.paused, workers: try? await workers.value())
    }

    // MARK: Exports

    private func ended(_ export: Export) -> WaitReason {
        if export.state == .completed, let publication = export.publication, publication.state == .pending {
            return WaitReason(
                .destination, "the film is complete and is being sent to its destination; see: spool status \(export.id.text)")
        }
        let reason = export.failure.map { ": \($0.message)" } ?? ""
        return WaitReason(.over, "it waits for nothing, because it is \(export.state.rawValue)\(reason)")
    }

    private func compiling(_ export: Export, _ farm: Farm) async throws -> [WaitReason] {
        guard farm.hasLeader else {
            return [WaitReason(.noLeader, "no coordinator leads, so its draft is not compiled; see whether one is running")]
        }
        let rivals = try await store.compileRivals(of: export)
        if let limit = rivals.maxOpenJobs, let open = rivals.openJobs, open >= limit {
            return [
                WaitReason(
                    .quota,
                    "its tenant has \(open) open jobs and may have \(limit), so it is compiled when some are done; an operator "
                        + "changes that with: spool tenant set --max-open-jobs")
            ]
        }
        let before = rivals.earlier > 0 ? ", after \(rivals.earlier) of the same tenant" : ""
        return [WaitReason(.compiling, "its draft is compiled next\(before)")]
    }

    private func working(_ export: Export, _ farm: Farm) async throws -> [WaitReason] {
        let active = try await store.activeJobs(of: [export.id])
        guard let first = active.first(where: { !$0.isInFlight }) ?? active.first else {
            // All probes are done, or the last job of a step is just being settled.
            return export.state == .probing
                ? try await compiling(export, farm)
                : [WaitReason(.next, "what it needs is done, and its next step begins at once")]
        }
        var reasons: [WaitReason] = []
        let running = active.filter { $0.isInFlight && $0.worker != nil }
        if !running.isEmpty {
            let workers = Set(running.compactMap(\.worker)).sorted()
            reasons.append(
                WaitReason(
                    .running, "\(running.count) of its jobs \(running.count == 1 ? "is" : "are") running",
                    jobs: running.prefix(FarmExplanation.namedJobs).map(\.job.id), workers: workers))
        }
        guard !first.isInFlight || first.worker == nil else { return reasons }
        guard let (job, attempts) = try await store.job(first.job.id, tenant: nil) else { return reasons }
        return reasons
            + (try await self.reasons(for: job, attempts, active, farm)).map { reason in
                var reason = reason
                reason.message = "job \(job.id) (\(job.kind.rawValue) \(job.ordinal)): \(reason.message)"
                reason.jobs = reason.jobs ?? [job.id]
                return reason
            }
    }

    // MARK: Jobs

    /// How many jobs a reason names.
    private static let namedJobs = 10

    private func reasons(
        for job: Job, _ attempts: [JobAttempt], _ active: [ActiveJob], _ farm: Farm
    ) async throws -> [WaitReason] {
        switch job.state {
        case .done, .cancelled: return [WaitReason(.over, "it waits for nothing, because it is \(job.state.rawValue)")]
        case .failed:
            let failure = attempts.last { $0.failure != nil }?.failure
            let reason = failure.map { " (\($0.description))" } ?? ""
            return [
                WaitReason(
                    .over, "it waits for nothing, because it has failed\(reason); retry it with: spool job retry \(job.id)")
            ]
        case .running: return [running(job, farm)]
        case .dispatched: return [sent(job, farm)]
        case .waiting: return try await dependencies(of: job, active, farm)
        case .ready: return try await ready(job, attempts, active, farm)
        }
    }

    private func running(_ job: Job, _ farm: Farm) -> WaitReason {
        let name = job.worker ?? "unknown"
        let since = job.startedAt.map { " since \(FarmJSON.text($0))" } ?? ""
        guard let workers = farm.workers, job.worker != nil else {
            return WaitReason(.running, "it runs on worker '\(name)'\(since)", workers: [name])
        }
        guard let worker = workers.first(where: { $0.id == name }) else {
            return WaitReason(
                .running,
                "it runs on worker '\(name)'\(since), which has sent no heartbeat lately; another worker gets it when its lease of "
                    + "\(Int(Leader.lease.inSeconds)) s has run out", workers: [name])
        }
        let status = worker.running.first { $0.job == job.id && $0.attempt == job.attempt }
        let progress = status.flatMap { $0.total > 0 ? ", \($0.done) of \($0.total) done" : nil } ?? ""
        return WaitReason(.running, "it runs on worker '\(name)'\(since)\(progress)", workers: [name])
    }

    private func sent(_ job: Job, _ farm: Farm) -> WaitReason {
        guard let workers = farm.workers else { return .noQueue }
        let id = AttemptID(job: job.id, attempt: job.attempt)
        let since = job.dispatchedAt.map { " since \(FarmJSON.text($0))" } ?? ""
        if let worker = workers.first(where: { $0.attempts.contains(id) }) {
            let begins = worker.running.contains { $0.id == id } ? "begins it" : "begins it when a slot of it is free"
            return WaitReason(.sent, "worker '\(worker.id)' has it\(since), and \(begins)", workers: [worker.id])
        }
        let serving = workers.filter { $0.roles.contains(job.kind.role) && $0.pools.contains(job.pool) }
        guard serving.contains(where: \.takesJobs) else {
            return WaitReason(
                .noWorker,
                "its ticket has been in the queue of the pool '\(job.pool)'\(since), and no worker takes jobs of the role "
                    + "'\(job.kind.role.rawValue)' there; the ticket is taken back after "
                    + "\(Int(Leader.lease.inSeconds)) s", workers: serving.map(\.id))
        }
        return WaitReason(
            .sent, "its ticket has been in the queue\(since), and the next free slot takes it", workers: serving.map(\.id))
    }

    private func dependencies(of job: Job, _ active: [ActiveJob], _ farm: Farm) async throws -> [WaitReason] {
        let needed = Set(job.kind.needs)
        let open = active.filter { needed.contains($0.job.kind) }
        let waiting = try await store.jobs(JobFilter(export: job.export, state: .waiting, limit: 1000))
            .filter { needed.contains($0.kind) }
        let counts = Dictionary(grouping: open.map(\.job.kind) + waiting.map(\.kind)) { $0 }.mapValues(\.count)
        let words = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        let ids = open.map(\.job.id) + waiting.map(\.id)
        guard !ids.isEmpty else {
            return [WaitReason(.next, "what it needs is done, and it becomes ready at once")]
        }
        let first = WaitReason(
            .jobs, "it needs \(ids.count) other job\(ids.count == 1 ? "" : "s") first: \(words.joined(separator: ", "))",
            jobs: Array(ids.prefix(FarmExplanation.namedJobs)))
        // The job that is furthest from its end says what all of them wait for.
        guard let next = open.first(where: { !$0.isInFlight }) ?? open.first,
            let (needed, attempts) = try await store.job(next.job.id, tenant: nil)
        else { return [first] }
        return [first]
            + (try await reasons(for: needed, attempts, active, farm)).map { reason in
                var reason = reason
                reason.message = "job \(needed.id) (\(needed.kind.rawValue) \(needed.ordinal)): \(reason.message)"
                return reason
            }
    }

    private func ready(
        _ job: Job, _ attempts: [JobAttempt], _ active: [ActiveJob], _ farm: Farm
    ) async throws -> [WaitReason] {
        guard let ready = active.first(where: { $0.job.id == job.id && !$0.isInFlight })?.job else {
            return [WaitReason(.next, "it is being sent at this moment")]
        }
        let failed = attempts.filter { $0.failure != nil }.max { $0.number < $1.number }
        let facts = ReadyJobFacts(
            job: ready, pool: job.pool, failure: failed.flatMap { attempt in attempt.failure.map { (attempt.number, $0) } },
            hasLeader: farm.hasLeader, isPaused: farm.paused.contains(job.kind.role), workers: farm.workers,
            rivals: try await store.rivals(of: job), capableWorkerWait: capableWorkerWait)
        return facts.reasons(at: farm.now)
    }
}
