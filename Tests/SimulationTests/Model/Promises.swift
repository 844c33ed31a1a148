import FarmAPI
import Coordinator
import ExportPlan
import JobQueue

/// The reference model: it compares the store after each step with what it was before, and knows which changes the
/// farm's promises allow (docs/simulation.md lists them). What is to be true of the store at any time is in
/// `StoreRules`.
struct Promises {
    private var exports: [ExportID: Export] = [:]
    private var jobs: [Int64: Job] = [:]
    private var attempts: [Int64: [JobAttempt]] = [:]
    /// What the last check found changed, for the trace.
    private(set) var changes: [String] = []

    /// How many failures of each class end a job (farm.md, section 4); written down a second time on purpose.
    private static let limits: [FailureClass: Int] = [.input: 1, .transient: 5, .resource: 2, .crash: 3]

    /// - Returns: the first promise that is broken.
    mutating func check(_ store: MemoryFarmStore, _ record: FarmRecord, _ workers: [SimulatedWorker]) async -> String? {
        changes = []
        let before = (exports: exports, jobs: jobs, attempts: attempts)
        let present = await store.exports(ExportFilter(limit: .max))
        let all = await store.jobs(JobFilter(limit: .max))
        var inFlight: Set<Artifact> = []
        var touched: Set<ExportID> = []
        var changed: [Job] = []
        for job in all {
            if job.state.isInFlight, !inFlight.insert(Artifact(tenant: job.tenant, key: job.key)).inserted {
                return "two jobs make \(job.key) at the same time"
            }
            guard jobs[job.id] != job else { continue }
            touched.insert(job.export)
            changed.append(job)
            jobs[job.id] = job
            attempts[job.id] = await store.job(job.id, tenant: nil)?.attempts ?? []
        }
        for job in changed { noteChange(of: job, before.jobs[job.id]) }
        for export in present where exports[export.id] != export {
            touched.insert(export.id)
            if exports[export.id]?.state != export.state { changes.append("export \(export.number) is \(export.state)") }
            exports[export.id] = export
        }
        let ofExport = Dictionary(grouping: all.filter { touched.contains($0.export) }, by: \.export)
        let seen = record.with { $0 }
        for job in changed {
            let own = attempts[job.id] ?? []
            if let broken = StoreRules.violation(of: job, own) { return broken }
            if let broken = transition(job, before.jobs[job.id], before.attempts[job.id] ?? [], seen, workers, record) {
                return broken
            }
        }
        for export in present where touched.contains(export.id) {
            if let broken = StoreRules.violation(of: export, ofExport[export.id] ?? []) { return broken }
            if let broken = transition(export, before.exports[export.id], ofExport[export.id] ?? [], seen) { return broken }
        }
        return nil
    }

    /// What is to be true when everything is over.
    func final(_ store: MemoryFarmStore) async -> String? {
        for export in exports.values.sorted(by: { $0.number < $1.number }) {
            let events = await store.events(of: export.id, after: 0, limit: .max)
            if let broken = StoreRules.violation(of: export, events) { return broken }
        }
        return nil
    }

    private mutating func noteChange(of job: Job, _ old: Job?) {
        if let old, old.state == job.state, old.attempt == job.attempt { return }
        changes.append("job \(job.id) (\(job.key)) is \(job.state), attempt \(job.attempt)" + (job.reused ? ", reused" : ""))
    }

    // MARK: Jobs

    private func transition(
        _ job: Job, _ old: Job?, _ former: [JobAttempt], _ seen: FarmRecord.State, _ workers: [SimulatedWorker],
        _ record: FarmRecord
    ) -> String? {
        let own = attempts[job.id] ?? []
        var floor = seen.floors[job.id] ?? 0
        if let old {
            if job.attempt < old.attempt || job.attempt > old.attempt + 1 {
                return "job \(job.id) went from attempt \(old.attempt) to \(job.attempt)"
            }
            if old.state == .done, job.state != .done, !seen.missed.contains(Artifact(tenant: job.tenant, key: job.key)) {
                return "job \(job.id) was done and is \(job.state), and nobody missed its artifact"
            }
            if old.state == .failed || old.state == .cancelled, !job.state.isTerminal {
                if !seen.retried.contains(job.export) { return "job \(job.id) was \(old.state) and is \(job.state) again" }
                floor = old.attempt
                record.with { $0.floors[job.id] = old.attempt }
            }
        }
        for attempt in own {
            let earlier = former.first { $0.number == attempt.number }
            guard attempt.finishedAt != nil, earlier?.finishedAt == nil else { continue }
            let id = AttemptID(job: job.id, attempt: attempt.number)
            if attempt.state == .failed, !seen.failed.contains(id) { return "\(id.text) failed, and no worker said so" }
            if attempt.state == .lost, let broken = loss(of: id, seen, workers) { return broken }
        }
        return limits(of: job, own.filter { $0.number > floor }, seen.failures[job.id] ?? [])
    }

    /// An expired lease needs a worker that was not well.
    private func loss(of id: AttemptID, _ seen: FarmRecord.State, _ workers: [SimulatedWorker]) -> String? {
        if !seen.taken.contains(id) { return "the lease of \(id.text) expired, and no worker ever had it" }
        guard !seen.orphans.contains(where: { $0.ticket.identity == id }) else { return nil }
        let holders = workers.filter { worker in worker.deliveries.contains { $0.ticket.identity == id } }
        let now = seen.lastStep
        let areWell = holders.allSatisfy { holder in
            seen.well[holder.model.id].map { now - $0.since > 25_000 } ?? false
        }
        return !holders.isEmpty && areWell ? "the lease of \(id.text) expired, and its worker is well" : nil
    }

    /// Failures that reach the limit of their class end the job; nothing else does.
    /// - Parameter attempts: those since an operator last retried the job.
    private func limits(of job: Job, _ attempts: [JobAttempt], _ applied: [AppliedFailure]) -> String? {
        let numbers = Set(attempts.map(\.number))
        let failures = applied.filter { numbers.contains($0.id.attempt) && !$0.isOfInputs }
        let counts = failures.reduce(into: [FailureClass: Int]()) { $0[$1.failureClass, default: 0] += 1 }
        let lost = attempts.count { $0.state == .lost }
        if !job.state.isTerminal {
            for (failureClass, limit) in Promises.limits.sorted(by: { $0.value < $1.value })
            where counts[failureClass, default: 0] >= limit {
                return "job \(job.id) goes on after \(counts[failureClass, default: 0]) failures of class \(failureClass)"
            }
        }
        guard job.state == .failed else { return nil }
        let isJustified = Promises.limits.contains { failureClass, limit in
            counts[failureClass, default: 0] + (failureClass == .transient ? lost : 0) >= limit
        }
        return isJustified ? nil : "job \(job.id) failed after \(counts) and \(lost) expired leases"
    }

    // MARK: Exports

    private func transition(_ export: Export, _ old: Export?, _ jobs: [Job], _ seen: FarmRecord.State) -> String? {
        let number = export.number
        if let old, old.state.isTerminal, old.state != export.state {
            guard old.state == .failed, seen.retried.contains(export.id) else {
                return "export \(number) was \(old.state) and is \(export.state)"
            }
        }
        if seen.cancelled.contains(export.id), export.state != .cancelled {
            return "export \(number) was cancelled and is \(export.state)"
        }
        guard old?.state != export.state else { return nil }
        let results = jobs.filter(\.kind.isResult).map(\.key)
        if export.state == .completed,
            ![export.filmKey].compactMap(\.self).allSatisfy(results.contains)
                || !results.allSatisfy({ seen.made.contains(Artifact(tenant: export.tenant, key: $0)) })
        {
            return "export \(number) is completed, and nobody made its film, or a picture beside it"
        }
        guard export.state == .failed else { return nil }
        guard let failure = export.failure, let id = failure.job else {
            let isOfProbe = jobs.contains { $0.kind == .probe && $0.state == .failed }
            return isOfProbe ? nil : "export \(number) failed without a job: \(export.failure?.message ?? "")"
        }
        if failure.failureClass == .environment {
            let isTrue = seen.failures[id]?.contains { $0.failureClass == .environment } ?? false
            return isTrue ? nil : "export \(number) failed for what no worker lacks"
        }
        let job = jobs.first { $0.id == id }
        return job?.state == .failed ? nil : "export \(number) failed for job \(id), which has not failed"
    }
}
