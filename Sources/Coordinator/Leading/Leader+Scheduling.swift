import FarmAPI
import Logging
import Scheduling
import FoundationEssentials

/// How the scheduler learns what the store holds.
extension Leader {
    /// How many exports are read at a time.
    private static let page = 200

    /// Tells the scheduler what is new, or builds it where it may have missed something.
    func update(_ state: inout DispatchState, at now: Date) async throws {
        let unread = news.take()
        guard state.isBuilt, !unread.isIncomplete else { return try await build(&state, at: now) }
        if unread.hasSettings { try await readSettings(&state) }
        var doubtful = unread.changes.exports
        for event in unread.changes.events {
            // Ends of what it does not know any more come late and mean nothing; a ready job must not be lost.
            guard !state.scheduler.handle(event), case .ready(let job) = event else { continue }
            doubtful.insert(job.export)
        }
        try await read(doubtful, &state)
    }

    /// Builds the scheduler from the store. What changes meanwhile is among the next news.
    private func build(_ state: inout DispatchState, at now: Date) async throws {
        state.isBuilt = false
        state.scheduler = Scheduler(at: now)
        state.workers = []
        try await readSettings(&state)
        state.isBuilt = true
        var last: Int64 = 0
        while state.isBuilt {
            let exports = try await store.openExports(after: last, limit: Leader.page)
            guard let newest = exports.last else { break }
            last = newest.number
            _ = try await compare(exports, &state)
        }
        guard state.isBuilt else { throw FarmError(.internalError, "the scheduler cannot be built from the store") }
        logger.info("the scheduler has \(state.scheduler.readyCount) ready jobs, \(state.scheduler.inFlightCount) in flight")
    }

    private func readSettings(_ state: inout DispatchState) async throws {
        for tenant in try await store.tenants() {
            state.scheduler.handle(.tenant(tenant.id, share: tenant.weight, priorityCap: SchedulerEvent.openCap))
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
            _ = try await compare(open, &state)
        }
    }

    /// Compares a few exports with the store, others with each call, until all have had their turn.
    func compareSome(_ state: inout DispatchState) async throws {
        guard state.isBuilt else { return }
        let exports = try await store.openExports(after: state.comparedUpTo, limit: Leader.page)
        state.comparedUpTo = exports.count < Leader.page ? 0 : exports.last?.number ?? 0
        let different = try await compare(exports, &state)
        if different > 0 { logger.info("the scheduler was not up to date on \(different) exports") }
    }

    /// Makes what the scheduler knows of open exports equal to what the store holds.
    /// - Returns: how many exports differed.
    private func compare(_ exports: [QueuedExport], _ state: inout DispatchState) async throws -> Int {
        guard !exports.isEmpty else { return 0 }
        term.noteProgress()
        let active = Dictionary(grouping: try await store.activeJobs(of: exports.map(\.id)), by: \.job.export)
        var different = 0
        for export in exports where state.update(export, active[export.id] ?? []) { different += 1 }
        return different
    }

    /// Tells the scheduler which workers there are.
    func update(_ state: inout DispatchState, with workers: [WorkerStatus]) {
        let present = Set(workers.map(\.id))
        for gone in state.workers.subtracting(present).sorted() { state.scheduler.handle(.workerGone(gone)) }
        for worker in workers { state.scheduler.handle(.worker(worker)) }
        state.workers = present
    }
}
