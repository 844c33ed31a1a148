import ExportPlan
import FarmAPI
import JobQueue
import Scheduling
import FoundationEssentials

/// A worker that cannot do a kind of job of an export: it lacks a codec, a font or a plug-in.
struct WorkerLack: Hashable, Sendable {
    var export: ExportID
    var kind: JobKind
    var worker: String
    /// The job whose attempt found that.
    var job: Int64
    /// The failure that says what it lacks, and when that was found.
    var failure: JobFailure
    var since: Date
}

/// Jobs that the workers which are there cannot do.
extension Leader {
    /// Notes which workers lacked what a job needed, so that they are not asked for others like it.
    func noteLacks(in reports: [JobReport]) async throws {
        for report in reports {
            guard case .failed(let failure) = report.outcome, failure.failureClass == .environment,
                let job = try await store.job(report.id.job, tenant: nil)?.job
            else { continue }
            news.add(
                WorkerLack(
                    export: job.export, kind: job.kind, worker: report.worker, job: job.id, failure: failure, since: term.now()))
        }
    }

    /// Handles jobs for which every worker is excluded, which the scheduler has forgotten. A job that took workers down may
    /// go to them again. A job whose workers all lack what it needs (class `environment`) waits for a worker that has it.
    func handleWithoutWorker(_ jobs: [Int64], _ state: inout DispatchState) async throws {
        guard !jobs.isEmpty else { return }
        var toRead: Set<ExportID> = []
        var lacks: Set<WorkerLack> = []
        let ready = try await readyJobs(jobs)
        for job in ready {
            term.noteProgress()
            // Attempts are read only of jobs that failed themselves: an export may have thousands that did not.
            let isKnown = job.excludedWorkers.allSatisfy { state.lacking[job.export]?[job.kind]?[$0] != nil }
            if !isKnown, try await learn(from: job, &state) { toRead.insert(job.export) }
            let lacking = state.lacking[job.export]?[job.kind] ?? [:]
            let mayGoAgain = job.excludedWorkers.contains { lacking[$0] == nil }
            guard let last = lacking.values.max(by: { ($0.since, $0.worker) < ($1.since, $1.worker) }),
                !mayGoAgain || state.readmitted[job.id] != nil
            else {
                state.readmitted[job.id] = job.export
                toRead.insert(job.export)
                continue
            }
            state.waiting[job.id] = last
            lacks.insert(last)
        }
        if capableWorkerWait > 0 { try await store.noteWaits(lacks.compactMap { wait(for: $0, state) }) }
        guard !toRead.isEmpty else { return }
        // The scheduler has forgotten them, so they are new to it.
        news.add(ScheduleChanges(exports: toRead))
        dispatching.wake()
    }

    /// The jobs that are still ready, as the store holds them, in the order of their ids.
    private func readyJobs(_ jobs: [Int64]) async throws -> [ReadyJob] {
        let exports = try await store.exports(ofJobs: jobs, tenant: nil)
        let wanted = Set(jobs)
        var ready: [ReadyJob] = []
        var rest = Set(exports.values).sorted()[...]
        while !rest.isEmpty {
            term.noteProgress()
            let active = try await store.activeJobs(of: Array(rest.prefix(Leader.page)))
            rest = rest.dropFirst(Leader.page)
            ready += active.filter { !$0.isInFlight && wanted.contains($0.job.id) }.map(\.job)
        }
        return ready.sorted { $0.id < $1.id }
    }

    /// Learns from a job's attempts which workers lack what it needs.
    /// - Returns: whether one of them was not known.
    private func learn(from job: ReadyJob, _ state: inout DispatchState) async throws -> Bool {
        var isNew = false
        for attempt in try await store.job(job.id, tenant: nil)?.attempts ?? [] {
            guard let failure = attempt.failure, failure.failureClass == .environment, let worker = attempt.worker else {
                continue
            }
            let since = attempt.finishedAt ?? attempt.dispatchedAt
            let lack = WorkerLack(
                export: job.export, kind: job.kind, worker: worker, job: job.id, failure: failure, since: since)
            isNew = state.note(lack) || isNew
        }
        return isNew
    }

    /// The event that says what jobs of one kind wait for, with the first of them.
    private func wait(for lack: WorkerLack, _ state: DispatchState) -> JobWait? {
        guard let job = state.waiting.filter({ $0.value == lack }).keys.min() else { return nil }
        let message =
            "no worker that is there can do \(lack.kind.rawValue) jobs of this export (\(lack.failure.description)); they wait "
            + "until \(FarmJSON.text(lack.since.addingTimeInterval(capableWorkerWait))) for one that can"
        return JobWait(export: lack.export, job: job, message: message, since: lack.since)
    }

    /// Fails the exports of jobs that have waited long enough for a worker that can do them.
    func failOverdue(_ state: inout DispatchState, at now: Date) async throws {
        let cutoff = now.addingTimeInterval(-capableWorkerWait)
        for (job, lack) in state.waiting.filter({ $0.value.since <= cutoff }).sorted(by: { $0.key < $1.key }) {
            state.waiting[job] = nil
            // It may have been cancelled meanwhile, or another export may have made its artifact.
            guard try await store.job(job, tenant: nil)?.job.state == .ready else { continue }
            term.noteProgress()
            // Others like the job that failed wait with it, and have no attempt that says why.
            try await fail(
                lack.export,
                ExportFailure(.environment, message: "no worker can do the job: \(lack.failure.description)", job: lack.job))
        }
    }
}
