package import FarmAPI
import ExportPlan
import JobQueue
package import FoundationEssentials

/// Jobs and queues as operators see and change them, in memory. Dispatch and reports have files of their own.
extension MemoryFarmStore: JobStore {
    package func job(_ id: Int64, tenant: Int64?) -> (job: Job, attempts: [JobAttempt])? {
        guard let place = place(ofJob: id), tenant == nil || tenant == jobRows[place].tenant else { return nil }
        guard jobRows[place].place != .nowhere else { return nil }
        return (jobRows[place].record, jobRows[place].attempts)
    }

    /// In order of creation. The history is read only for one export.
    package func jobs(_ filter: JobFilter) -> [Job] {
        jobRows.lazy
            .filter { job in
                (job.place == .hot || (job.place == .history && filter.export != nil))
                    && (filter.tenant == nil || filter.tenant == job.tenant)
                    && (filter.export == nil || filter.export == job.export)
                    && (filter.state == nil || filter.state == job.lifecycle.state)
                    && (filter.role == nil || filter.role == job.role)
                    && job.record.id > filter.after ?? 0
            }
            .prefix(filter.limit).map(\.record)
    }

    package func filmParts(of export: ExportID) -> FilmParts? {
        let jobs = jobRows.filter { $0.export == export && $0.place == .hot }
        guard let stitch = jobs.first(where: { $0.new.kind == .stitch }) else { return nil }
        return FilmParts(
            stitch: stitch.new.work, done: Set(jobs.filter { $0.lifecycle.state == .done }.map(\.new.key)))
    }

    package func exports(ofJobs jobs: [Int64], tenant: Int64?) -> [Int64: ExportID] {
        jobs.reduce(into: [:]) { exports, id in exports[id] = job(id, tenant: tenant)?.job.export }
    }

    /// The failed and cancelled jobs of the export start afresh, except for their attempts' numbers.
    /// - Throws: `FarmError` `conflict` when the job or its export has not failed, `notFound` when there is no such
    ///   job.
    package func retry(_ job: Int64) throws {
        guard let place = place(ofJob: job), let export = exportPlaces[jobRows[place].export] else {
            throw FarmError(.notFound, "there is no job \(job)")
        }
        guard exportRows[export].progress == nil else {
            throw FarmError(
                .conflict,
                "the export of job \(job) ended long ago and is history, so it cannot go on; submit its draft again")
        }
        guard jobRows[place].lifecycle.state == .failed else {
            throw FarmError(.conflict, "job \(job) has not failed, so there is nothing to retry")
        }
        guard advance(export, .jobRetried(job, jobRows[place].new.kind), at: clock()) != nil else {
            throw FarmError(.conflict, "the export of job \(job) has not failed; only jobs of a failed export are retried")
        }
        forgetDeadLetters(of: jobRows[place].export)
    }

    package func queues(at now: Date) -> [QueueStatus] {
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
                isPaused: paused.contains(role),
                pools: Set(jobs.filter { [.ready, .dispatched].contains($0.lifecycle.state) }.map(\.pool)).sorted(),
                backlog: jobs.filter { [.waiting, .ready].contains($0.lifecycle.state) }.reduce(0) { $0 + $1.new.weight })
        }
    }

    package func queueHistory(at now: Date) -> [QueueHistory] {
        WorkerRole.allCases.map { role in
            var history = QueueHistory(role: role)
            for job in jobRows where job.role == role {
                if job.lifecycle.state == .done, let minute = job.finishedAt.flatMap({ QueueHistory.minute(of: $0, at: now) }) {
                    history.finished[minute] += 1
                }
                for attempt in job.attempts where attempt.state == .failed || attempt.state == .lost {
                    guard let minute = attempt.finishedAt.flatMap({ QueueHistory.minute(of: $0, at: now) }) else { continue }
                    history.errors[minute] += 1
                }
            }
            return history
        }
    }

    package func setPaused(_ role: WorkerRole, _ isPaused: Bool) {
        if isPaused { paused.insert(role) } else { paused.remove(role) }
    }

    package func pausedRoles() -> Set<WorkerRole> { paused }

    package func noteWaits(_ waits: [JobWait]) {
        for wait in waits { log(.jobRetried, wait.export, job: wait.job, wait.message, at: wait.since) }
    }

    package func note(_ workers: [WorkerStatus]) {
        for worker in workers { workerRows[worker.id] = worker }
    }
}
