import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Scheduling
import Testing
import FoundationEssentials

/// A store with one tenant, and the steps that tests consist of: those of the API, the leader and the workers.
struct StoreFixture: Sendable {
    let store: any FarmStore
    let tenant: Int64

    /// A second after the present, so that every job that has become ready is due.
    var now: Date { Date() + 1 }

    // MARK: Exports

    func submit(
        _ label: String = "film", document: String = "{}", tenant: Int64? = nil, priority: Int? = nil,
        mayExceedCap: Bool = false, idempotency: (key: String, bodyHash: String)? = nil
    ) async throws -> Export {
        let request = ExportRequest(.document(document), label: label, priority: priority, mayExceedCap: mayExceedCap)
        return try await store.submit(request, id: ExportID(), tenant: tenant ?? self.tenant, idempotency: idempotency).export
    }

    /// An export in `probing`, whose probes are ready.
    func probing(
        _ locations: [String], tenant: Int64? = nil, priority: Int? = nil, mayExceedCap: Bool = false
    ) async throws -> ExportID {
        let id = try await submit(tenant: tenant, priority: priority, mayExceedCap: mayExceedCap).id
        try await store.startProbing(
            id, jobs: locations.enumerated().map { ($1, .probe($1, ordinal: $0)) })
        return id
    }

    /// An export in `rendering` whose jobs are ready, without probes.
    func rendering(
        _ film: SampleFilm, tenant: Int64? = nil, priority: Int? = nil, mayExceedCap: Bool = false
    ) async throws -> ExportID {
        let id = try await probing([], tenant: tenant, priority: priority, mayExceedCap: mayExceedCap)
        try await store.startRendering(id, film.plan)
        return id
    }

    func export(_ id: ExportID) async throws -> Export {
        try #require(try await store.export(id, tenant: nil))
    }

    func state(_ id: ExportID) async throws -> ExportState { try await export(id).state }

    func isToCompile(_ id: ExportID) async throws -> Bool {
        try await store.exportsToCompile(limit: 1000).contains { $0.source.id == id }
    }

    func eventKinds(_ id: ExportID) async throws -> [ExportEvent.Kind] {
        try await store.events(of: id, after: 0, limit: 1000).map(\.kind)
    }

    // MARK: Jobs

    func jobs(_ id: ExportID, _ kind: JobKind? = nil) async throws -> [Job] {
        try await store.jobs(JobFilter(export: id, limit: 1000))
            .filter { kind == nil || $0.kind == kind }
            .sorted { ($0.kind.rawValue, $0.ordinal) < ($1.kind.rawValue, $1.ordinal) }
    }

    func job(_ id: ExportID, _ kind: JobKind, _ ordinal: Int = 0) async throws -> Job {
        try #require(try await jobs(id, kind).first { $0.ordinal == ordinal })
    }

    func job(_ id: Int64) async throws -> Job { try #require(try await store.job(id, tenant: nil)).job }

    func attempts(_ job: Int64) async throws -> [JobAttempt] {
        try #require(try await store.job(job, tenant: nil)).attempts.sorted { $0.number < $1.number }
    }

    /// What the scheduler would learn: all jobs that are ready or in flight, with their exports.
    func active() async throws -> [(export: QueuedExport, job: ActiveJob)] {
        let exports = try await store.openExports(after: 0, limit: 10_000)
        let known = Dictionary(uniqueKeysWithValues: exports.map { ($0.id, $0) })
        return try await store.activeJobs(of: exports.map(\.id)).map { job in
            (try #require(known[job.job.export]), job)
        }
    }

    /// The jobs of a role that may be dispatched: they are ready and due, and no job for the same artifact of the tenant is
    /// in flight. In each export probes come first, then the longest jobs.
    func candidates(_ role: WorkerRole = .video, perExport: Int = 1000, at time: Date? = nil) async throws -> [ReadyJob] {
        let active = try await active()
        let taken = Set(active.filter(\.job.isInFlight).map { "\($0.export.tenant) \($0.job.job.key)" })
        let due = active.filter { export, job in
            !job.isInFlight && job.job.kind.role == role && job.job.notBefore <= time ?? now
                && !taken.contains("\(export.tenant) \(job.job.key)")
        }.map(\.job.job)
        func place(_ job: ReadyJob) -> (Int, Double, Int) { (job.kind == .probe ? 0 : 1, -job.predicted, job.ordinal) }
        return Dictionary(grouping: due, by: \.export).sorted { $0.key < $1.key }.flatMap { _, jobs in
            jobs.sorted { place($0) < place($1) }.prefix(perExport)
        }
    }

    // MARK: Dispatch and reports

    /// Dispatches one job.
    func dispatch(_ id: ExportID, _ kind: JobKind, _ ordinal: Int = 0) async throws -> JobTicket {
        let job = try await job(id, kind, ordinal)
        return try #require(try await store.dispatch([job.id], at: now).first)
    }

    /// Dispatches all jobs of all roles that may be dispatched.
    func dispatchAll(at time: Date? = nil) async throws -> [JobTicket] {
        var tickets: [JobTicket] = []
        for role in WorkerRole.allCases {
            let jobs = try await candidates(role, at: time).map(\.id)
            tickets += try await store.dispatch(jobs, at: time ?? now)
        }
        return tickets
    }

    @discardableResult
    func report(
        _ ticket: JobTicket, _ outcome: JobReport.Outcome, worker: String = "w1", at time: Date? = nil
    ) async throws -> JobEffects {
        try await store.apply(JobReport(ticket.identity, worker: worker, outcome), at: time ?? now, jitter: 0.5)
    }

    @discardableResult
    func finish(
        _ ticket: JobTicket, facts: SourceFacts? = nil, reused: Bool = false, worker: String = "w1"
    ) async throws -> JobEffects {
        try await report(
            ticket, .finished(result: JobResult(facts: facts), reused: reused), worker: worker)
    }

    @discardableResult
    func finish(_ id: ExportID, _ kind: JobKind, _ ordinal: Int = 0) async throws -> JobEffects {
        try await finish(try await dispatch(id, kind, ordinal))
    }

    @discardableResult
    func fail(
        _ ticket: JobTicket, _ failureClass: FailureClass, missing: ArtifactKey, worker: String = "w1"
    ) async throws -> JobEffects {
        try await fail(ticket, failureClass, missing: [missing], worker: worker)
    }

    @discardableResult
    func fail(
        _ ticket: JobTicket, _ failureClass: FailureClass, missing: [ArtifactKey] = [], worker: String = "w1"
    ) async throws -> JobEffects {
        try await report(
            ticket,
            .failed(
                failure: JobFailure(failureClass, subject: "sea.mp4", message: "went wrong", missingArtifacts: missing)),
            worker: worker)
    }

    /// Does all jobs, as workers without a fault would.
    /// - Returns: the tickets, in the order of their dispatch.
    @discardableResult
    func work() async throws -> [JobTicket] {
        var done: [JobTicket] = []
        while true {
            // Far in the future, so that no retry has to be waited for.
            let tickets = try await dispatchAll(at: now + 3600)
            if tickets.isEmpty { return done }
            for ticket in tickets {
                try await report(ticket, .started)
                if case .probe(let location, _) = ticket.work {
                    try await finish(ticket, facts: .sample(location))
                } else {
                    try await finish(ticket)
                }
            }
            done += tickets
        }
    }
}

extension ExportStore {
    /// The exports to compile, with what they are made from.
    func exportsToCompile(limit: Int) async throws -> [(source: ExportSource, state: ExportState)] {
        var found: [(source: ExportSource, state: ExportState)] = []
        for export in try await exportsToCompile(ofEachTenant: limit, besides: []).prefix(limit) {
            found.append((try #require(try await source(of: export.id)), export.state))
        }
        return found
    }
}
