public import JobQueue

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Looking at jobs and queues, and an operator's hand in them, in memory. Dispatch and reports have files of their own.
extension MemoryFarmStore: JobStore {
    public func job(_ id: Int64, tenant: Int64?) -> (job: Job, attempts: [JobAttempt])? {
        guard let place = place(ofJob: id), tenant == nil || tenant == jobRows[place].tenant else { return nil }
        return (jobRows[place].record, jobRows[place].attempts)
    }

    /// In order of creation.
    public func jobs(_ filter: JobFilter) -> [Job] {
        jobRows.lazy
            .filter { job in
                (filter.tenant == nil || filter.tenant == job.tenant) && (filter.export == nil || filter.export == job.export)
                    && (filter.state == nil || filter.state == job.lifecycle.state)
                    && (filter.role == nil || filter.role == job.role)
            }
            .prefix(filter.limit).map(\.record)
    }

    public func exports(ofJobs jobs: [Int64], tenant: Int64?) -> [Int64: ExportID] {
        jobs.reduce(into: [:]) { exports, id in exports[id] = job(id, tenant: tenant)?.job.export }
    }

    /// The one arrow that `ExportState` does not list, for it is the operator's: failed -> rendering, or -> probing when it was a
    /// probe that failed. The job starts afresh but for its attempts' numbers, and its cancelled siblings are open again.
    /// - Throws: `FarmError` `conflict` when the job or its export has not failed, `notFound` when there is no such job.
    public func retry(_ job: Int64) throws {
        guard let place = place(ofJob: job), let export = exportPlaces[jobRows[place].export] else {
            throw FarmError(.notFound, "there is no job \(job)")
        }
        guard jobRows[place].lifecycle.state == .failed else {
            throw FarmError(
                .conflict, "job \(job) is \(jobRows[place].lifecycle.state.rawValue), only a failed one is tried again")
        }
        guard exportRows[export].export.state == .failed else {
            throw FarmError(
                .conflict, "export \(jobRows[place].export) is \(exportRows[export].export.state.rawValue), not failed")
        }
        let now = clock()
        let isProbe = jobRows[place].new.kind == .probe
        exportRows[export].export.state = isProbe ? .probing : .rendering
        exportRows[export].export.failure = nil
        exportRows[export].export.finishedAt = nil
        if let location = jobRows[place].location { exportRows[export].findings[location] = nil }
        jobRows[place].lifecycle = JobLifecycle(state: .waiting, attempt: jobRows[place].lifecycle.attempt, notBefore: now)
        for sibling in exportRows[export].jobs where sibling == place || jobRows[sibling].lifecycle.state == .cancelled {
            jobRows[sibling].becomeWaiting()
        }
        log(isProbe ? .probing : .rendering, jobRows[place].export, job: job, "job \(job) is tried again", at: now)
        _ = settle(export, at: now)
    }

    public func queues(at now: Date) -> [QueueStatus] {
        WorkerRole.allCases.map { role in
            let jobs = jobRows.filter { $0.role == role }
            let counts = jobs.reduce(into: [JobState: Int]()) { $0[$1.lifecycle.state, default: 0] += 1 }
            let ready = jobs.filter { $0.lifecycle.state == .ready }
            let waits = jobs.compactMap { job -> Double? in
                guard let start = job.startedAt, let ready = job.readyAt, start > now - 60, start >= ready else { return nil }
                return start.timeIntervalSince(ready)
            }
            let attempts = jobs.flatMap(\.attempts)
            return QueueStatus(
                role: role, waiting: counts[.waiting] ?? 0, ready: counts[.ready] ?? 0, dispatched: counts[.dispatched] ?? 0,
                running: counts[.running] ?? 0, oldestReadySince: ready.compactMap(\.readyAt).min(),
                waitingTime: waits.isEmpty ? nil : waits.reduce(0, +) / Double(waits.count),
                finishedLastMinute: jobs.count { job in
                    job.lifecycle.state == .done && job.finishedAt.map { $0 > now - 60 } ?? false
                },
                errorsLastHour: attempts.count { attempt in
                    (attempt.state == .failed || attempt.state == .lost) && attempt.finishedAt.map { $0 > now - 3600 } ?? false
                },
                isPaused: paused.contains(role))
        }
    }

    public func setPaused(_ role: WorkerRole, _ isPaused: Bool) {
        if isPaused { paused.insert(role) } else { paused.remove(role) }
    }

    public func pausedRoles() -> Set<WorkerRole> { paused }

    public func note(_ workers: [WorkerStatus]) {
        for worker in workers { workerRows[worker.id] = worker }
    }
}
