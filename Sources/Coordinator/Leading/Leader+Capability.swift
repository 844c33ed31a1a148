import ExportPlan
import FarmAPI
import JobQueue
import FoundationEssentials

/// A worker that cannot do a kind of job of an export: it lacks a codec, a font or a plug-in.
struct WorkerLack: Hashable, Sendable {
    var export: ExportID
    var kind: JobKind
    var worker: String
    /// The failure that says what it lacks, and when that was found.
    var failure: JobFailure
    var since: Date
}

/// A job that waits for a worker that can do it.
struct WaitForWorker: Hashable, Sendable {
    var export: ExportID
    var kind: JobKind
    /// When it was found that the last worker cannot do it.
    var since: Date
    /// When its export fails.
    var until: Date
    /// The failure that says what the last worker lacked that tried it.
    var lack: JobFailure
}

/// Jobs of one kind of an export. Where they wait, one event says so for all of them.
private struct WaitGroup: Hashable {
    var export: ExportID
    var kind: JobKind
}

extension JobWait {
    fileprivate init(job: Int64, _ wait: WaitForWorker) {
        let message =
            "no worker that is there can do \(wait.kind.rawValue) jobs of this export (\(wait.lack.description)); they wait "
            + "until \(FarmJSON.text(wait.until)) for one that can"
        self.init(export: wait.export, job: job, message: message, since: wait.since)
    }
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
                    export: job.export, kind: job.kind, worker: report.worker, failure: failure, since: term.now()))
        }
    }

    /// Handles jobs for which every worker is excluded, which the scheduler has forgotten. A job that took workers down may
    /// go to them again. A job whose workers all lack what it needs (class `environment`) waits for a worker that has it.
    func handleWithoutWorker(_ jobs: [Int64], _ state: inout DispatchState) async throws {
        guard !jobs.isEmpty else { return }
        var toRead: Set<ExportID> = []
        var groups: Set<WaitGroup> = []
        for id in jobs {
            term.noteProgress()
            guard let (job, attempts) = try await store.job(id, tenant: nil) else { continue }
            for attempt in attempts {
                guard let failure = attempt.failure, failure.failureClass == .environment, let worker = attempt.worker else {
                    continue
                }
                let since = attempt.finishedAt ?? attempt.dispatchedAt
                let lack = WorkerLack(export: job.export, kind: job.kind, worker: worker, failure: failure, since: since)
                if state.note(lack) { toRead.insert(job.export) }
            }
            let lacking = state.lacking[job.export]?[job.kind] ?? [:]
            let mayGoAgain = attempts.contains { attempt in
                attempt.failure?.failureClass == .crash && attempt.worker.map { lacking[$0] == nil } == true
            }
            guard let last = lacking.values.max(by: { ($0.since, $0.worker) < ($1.since, $1.worker) }),
                !mayGoAgain || state.readmitted[id] != nil
            else {
                state.readmitted[id] = job.export
                toRead.insert(job.export)
                continue
            }
            let until = last.since.addingTimeInterval(capableWorkerWait)
            state.waiting[id] = WaitForWorker(
                export: job.export, kind: job.kind, since: last.since, until: until, lack: last.failure)
            groups.insert(WaitGroup(export: job.export, kind: job.kind))
        }
        if capableWorkerWait > 0 {
            try await store.noteWaits(
                groups.compactMap { group in
                    state.waiting.filter { $0.value.export == group.export && $0.value.kind == group.kind }
                        .min { $0.key < $1.key }.map { JobWait(job: $0.key, $0.value) }
                })
        }
        guard !toRead.isEmpty else { return }
        // The scheduler has forgotten them, so they are new to it.
        news.add(ScheduleChanges(exports: toRead))
        dispatching.wake()
    }

    /// Fails the exports of jobs that have waited long enough for a worker that can do them.
    func failOverdue(_ state: inout DispatchState, at now: Date) async throws {
        for (job, wait) in state.waiting.filter({ $0.value.until <= now }).sorted(by: { $0.key < $1.key }) {
            state.waiting[job] = nil
            // It may have been cancelled meanwhile, or another export may have made its artifact.
            guard try await store.job(job, tenant: nil)?.job.state == .ready else { continue }
            term.noteProgress()
            try await fail(
                wait.export,
                ExportFailure(.environment, message: "no worker can do the job: \(wait.lack.description)", job: job))
        }
    }
}
