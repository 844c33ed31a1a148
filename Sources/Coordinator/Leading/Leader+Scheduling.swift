import FarmAPI
import Logging
import Scheduling
import FoundationEssentials

/// How the scheduler learns what the store holds.
extension Leader {
    /// How many exports are read at a time. One export may have many thousands of jobs.
    static let page = 20
    /// About how many jobs are read before the next round, while the scheduler is built.
    private static let jobsInStep = 5000

    /// Tells the scheduler what is new, or builds it where it may have missed something.
    func update(_ state: inout DispatchState, _ workers: [WorkerStatus], at now: Date) async throws {
        var unread = news.take()
        for lack in unread.lacks where state.note(lack) { unread.changes.exports.insert(lack.export) }
        if state.isBuilt, !unread.isIncomplete {
            if unread.hasSettings { try await readSettings(&state) }
            try await read(unread.changes.exports.union(tell(unread.changes, &state)), &state)
        } else {
            try await beginBuilding(&state, workers, at: now)
        }
        try await build(&state)
    }

    /// Tells the scheduler what changed of jobs.
    /// - Returns: exports of ready jobs that it does not know.
    private func tell(_ changes: ScheduleChanges, _ state: inout DispatchState) -> Set<ExportID> {
        var doubtful: Set<ExportID> = []
        for event in changes.events {
            // Ends of what it does not know any more come late and mean nothing; a ready job must not be lost.
            guard !state.scheduler.handle(event), case .ready(let job) = event else { continue }
            doubtful.insert(job.export)
        }
        return doubtful
    }

    /// Begins to build the scheduler from the store. It first learns all that is in flight, because that takes room from
    /// everything else. The workers come before, because how many slots a job takes follows from its worker.
    private func beginBuilding(_ state: inout DispatchState, _ workers: [WorkerStatus], at now: Date) async throws {
        state.isBuilt = false
        state.scheduler = Scheduler(at: now)
        state.workers = []
        state.waiting = [:]
        try await readSettings(&state)
        update(&state, with: workers)
        let jobs = try await store.inFlight().map(\.id.job)
        state.isBuilt = true
        state.readUpTo = 0
        try await read(Set(try await store.exports(ofJobs: jobs, tenant: nil).values), &state)
    }

    /// Reads a few more exports, if the scheduler does not know all yet. With a large backlog that takes many rounds, and
    /// jobs are dispatched meanwhile. What changes meanwhile is among the news.
    private func build(_ state: inout DispatchState) async throws {
        var jobs = 0
        while state.isBuilt, let last = state.readUpTo, jobs < Leader.jobsInStep {
            let exports = try await store.openExports(after: last, limit: Leader.page)
            let before = state.scheduler.readyCount
            try await adopt(exports, &state)
            jobs += state.scheduler.readyCount - before + exports.count
            state.readUpTo = exports.count < Leader.page ? nil : exports.last?.number
            guard state.readUpTo == nil else { continue }
            logger.info("the scheduler has \(state.scheduler.readyCount) ready jobs, \(state.scheduler.inFlightCount) in flight")
        }
        guard state.isBuilt else {
            throw FarmError(.internalError, "the scheduler contradicts the database, and is built again from it")
        }
    }

    private func readSettings(_ state: inout DispatchState) async throws {
        for tenant in try await store.tenants() {
            state.scheduler.handle(.tenant(tenant.id, share: tenant.weight, priorityCap: tenant.priorityCap))
        }
        state.scheduler.handle(.pausedRoles(try await store.pausedRoles()))
    }

    /// Reads exports again, and forgets those that are over.
    func read(_ exports: Set<ExportID>, _ state: inout DispatchState) async throws {
        var rest = exports.sorted()[...]
        while !rest.isEmpty {
            let page = Set(rest.prefix(Leader.page))
            rest = rest.dropFirst(Leader.page)
            let open = try await store.openExports(among: page)
            for export in page.subtracting(open.map(\.id)).sorted() { state.remove(export) }
            try await adopt(open, &state)
        }
    }

    /// Compares a few exports with the store, others with each call, until all have had their turn.
    ///
    /// What differs is only suspected at first: the news of it may be on their way. What still differs at the next call is a
    /// fault, which is corrected and noted for `spool audit`. A call does nothing while a step is under way that may have
    /// stored what is suspected, because its news are still to come.
    package func compareSome(_ state: inout DispatchState) async throws {
        guard state.suspected.isEmpty || !news.isUnderWay(upTo: state.suspectedStep) else { return }
        try await correctSuspected(&state)
        for _ in 0..<2 where state.knowsAll {
            let exports = try await store.openExports(after: state.comparedUpTo, limit: Leader.page)
            let active = try await activeJobs(of: exports, &state)
            for export in exports {
                state.isBuilt = state.scheduler.handle(.export(export)) && state.isBuilt
                let difference = state.difference(of: export.id, active[export.id] ?? [])
                if !difference.isEmpty { state.suspected[export.id] = difference }
            }
            state.suspectedStep = news.lastStep
            state.comparedUpTo = exports.count < Leader.page ? 0 : exports.last?.number ?? 0
            if state.comparedUpTo == 0 { break }
        }
    }

    /// Looks at the exports again that differed at the last comparison.
    private func correctSuspected(_ state: inout DispatchState) async throws {
        // What was told and not taken yet is not missing.
        let suspected = state.suspected.filter { !news.mayName($0.key) }
        state.suspected = [:]
        guard state.knowsAll, !suspected.isEmpty else { return }
        let exports = try await store.openExports(among: Set(suspected.keys))
        let active = try await activeJobs(of: exports, &state)
        let lasting = exports.compactMap { export -> (export: QueuedExport, difference: ScheduleDifference)? in
            let difference = suspected[export.id].map {
                state.difference(of: export.id, active[export.id] ?? []).common(with: $0)
            }
            // The news may have come while the database was asked.
            guard let difference, !difference.isEmpty, !news.mayName(export.id) else { return nil }
            return (export, difference)
        }
        try await store.noteFaults(
            lasting.map { export, difference in
                AuditFault(
                    .scheduler, subject: export.id.text, detail: "the scheduler \(difference.description)", foundAt: term.now())
            })
        for (export, difference) in lasting {
            logger.error(
                "the scheduler \(difference.description) of export \(export.id.text)", metadata: .ids(export: export.id))
            state.update(export, active[export.id] ?? [])
        }
    }

    /// Makes what the scheduler knows of open exports equal to what the store holds.
    private func adopt(_ exports: [QueuedExport], _ state: inout DispatchState) async throws {
        let active = try await activeJobs(of: exports, &state)
        for export in exports { state.update(export, active[export.id] ?? []) }
    }

    /// The jobs of exports that are ready or in flight, by export. The scheduler is told first what ended until now: the
    /// news say how long it took, by which tenants' shares are corrected, and the store only that it is over.
    private func activeJobs(
        of exports: [QueuedExport], _ state: inout DispatchState
    ) async throws -> [ExportID: [ActiveJob]] {
        guard !exports.isEmpty else { return [:] }
        term.noteProgress()
        let doubtful = tell(news.takeJobs(), &state)
        if !doubtful.isEmpty { news.add(ScheduleChanges(exports: doubtful)) }
        return Dictionary(grouping: try await store.activeJobs(of: exports.map(\.id)), by: \.job.export)
    }

    /// Tells the scheduler which workers there are.
    func update(_ state: inout DispatchState, with workers: [WorkerStatus]) {
        let present = Set(workers.map(\.id))
        for gone in state.workers.subtracting(present).sorted() { state.forget(worker: gone) }
        for worker in workers { state.scheduler.handle(.worker(worker)) }
        if !present.isSubset(of: state.workers) { news.add(ScheduleChanges(exports: state.tryNewWorkers())) }
        state.workers = present
    }
}
