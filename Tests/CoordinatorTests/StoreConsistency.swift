import FarmAPI
import Coordinator
import ExportPlan
import Scheduling
import JobQueue
import Testing

/// Checks the rules that hold in every store at every moment, whatever happened before.
func expectConsistency(of store: any FarmStore, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let exports = try await store.exports(ExportFilter(limit: 10_000))
    var inFlight: Set<AttemptID> = []
    var jobsInFlight = 0
    var keys: Set<String> = []
    for export in exports {
        let jobs = try await store.jobs(JobFilter(export: export.id, limit: 10_000))
        expectConsistency(of: export, jobs, sourceLocation)
        try await expectConsistency(of: export, store.events(of: export.id, after: 0, limit: 10_000), sourceLocation)
        for job in jobs {
            let attempts = try #require(try await store.job(job.id, tenant: nil), sourceLocation: sourceLocation).attempts
            expectConsistency(of: job, attempts, sourceLocation)
            guard job.state.isInFlight else { continue }
            jobsInFlight += 1
            // A job with a copy has two attempts in flight.
            for attempt in attempts where attempt.finishedAt == nil {
                inFlight.insert(AttemptID(job: job.id, attempt: attempt.number))
            }
            #expect(
                keys.insert("\(job.tenant) \(job.key)").inserted, "two jobs make \(job.key)", sourceLocation: sourceLocation)
        }
    }
    #expect(Set(try await store.inFlight().map(\.id)) == inFlight, sourceLocation: sourceLocation)
    #expect(
        try await store.activeJobs(of: exports.map(\.id)).count { $0.isInFlight } == jobsInFlight, "the counts add up",
        sourceLocation: sourceLocation)
    for batch in try await store.batches(tenant: nil, state: nil, before: nil, limit: 1000) {
        expectConsistency(
            of: batch, try await store.results(of: batch.id, after: 0, state: nil, limit: 100_000), sourceLocation)
    }
}

/// Checks that the counts, the state and the end of a batch are those of its rows.
private func expectConsistency(of batch: Batch, _ rows: [BatchResult], _ location: SourceLocation) {
    func count(_ state: BatchRowState) -> Int { rows.count { $0.state == state } }
    var progress = BatchProgress(
        rows: rows.count - count(.refused), refused: count(.refused), waiting: count(.waiting))
    progress.completed = count(.completed)
    progress.failed = count(.failed)
    progress.cancelled = count(.cancelled)
    #expect(batch.progress == progress, sourceLocation: location)
    #expect(batch.state == progress.state, sourceLocation: location)
    #expect((batch.endedAt != nil) == (batch.state != .running), sourceLocation: location)
}

private func expectConsistency(of export: Export, _ jobs: [Job], _ location: SourceLocation) {
    #expect((export.finishedAt != nil) == export.state.isTerminal, sourceLocation: location)
    #expect((export.failure != nil) == (export.state == .failed), sourceLocation: location)
    let open = jobs.filter { !$0.state.isTerminal }
    let rendering = jobs.filter { $0.kind != .probe }
    switch export.state {
    case .submitted:
        #expect(jobs.isEmpty, "nothing is planned yet", sourceLocation: location)
    case .probing:
        #expect(open.allSatisfy { $0.kind == .probe }, sourceLocation: location)
    case .rendering:
        #expect(!open.isEmpty && open.allSatisfy { $0.kind != .probe }, "it goes on", sourceLocation: location)
        #expect(export.filmKey != nil && export.frameCount != nil, sourceLocation: location)
        #expect(rendering.allSatisfy { $0.state != .failed && $0.state != .cancelled }, sourceLocation: location)
    case .completed:
        #expect(export.filmKey != nil && export.frameCount != nil, sourceLocation: location)
        #expect(rendering.allSatisfy { $0.state == .done }, "it has all its jobs", sourceLocation: location)
    case .failed, .cancelled:
        #expect(open.isEmpty, "a job of an export that is over is over", sourceLocation: location)
    }
    for job in jobs where job.state == .waiting {
        let needed = rendering.filter { job.kind.needs.contains($0.kind) }
        #expect(needed.contains { $0.state != .done }, "what waits, waits for something", sourceLocation: location)
    }
    let done = rendering.filter { $0.state == .done }
    #expect(export.progress.jobs == rendering.count, sourceLocation: location)
    #expect(export.progress.jobsDone == done.count, sourceLocation: location)
    #expect(export.progress.jobsReused == done.filter(\.reused).count, sourceLocation: location)
    #expect(
        export.progress.framesDone == done.filter { $0.kind == .video }.map(\.frameCount).reduce(0, +),
        sourceLocation: location)
}

private func expectConsistency(of job: Job, _ attempts: [JobAttempt], _ location: SourceLocation) {
    #expect((job.finishedAt != nil) == job.state.isTerminal, sourceLocation: location)
    #expect(attempts.map(\.number).sorted() == Array(0..<job.attempt).map { $0 + 1 }, sourceLocation: location)
    #expect(
        attempts.allSatisfy { ($0.finishedAt != nil) == ($0.state != .dispatched && $0.state != .running) },
        sourceLocation: location)
    let open = attempts.filter { $0.finishedAt == nil }
    // A job that runs may have a copy: two attempts are open then, and each may end before the other.
    let mayBeCopied = job.state == .running && job.attempt > 1 && (1...2).contains(open.count)
    #expect(mayBeCopied || open.map(\.number) == (job.state.isInFlight ? [job.attempt] : []), sourceLocation: location)
    #expect(mayBeCopied || open.allSatisfy { $0.state.rawValue == job.state.rawValue }, sourceLocation: location)
    let winners = attempts.filter { $0.state == .succeeded }
    #expect(winners.count <= 1, "a job has one winner", sourceLocation: location)
    #expect(job.state != .done || winners.count == 1 || job.reused, sourceLocation: location)
    #expect(!job.reused || job.state == .done, sourceLocation: location)
}

private func expectConsistency(of export: Export, _ events: [ExportEvent], _ location: SourceLocation) {
    #expect(events.map(\.id) == events.map(\.id).sorted(), sourceLocation: location)
    #expect(events.first?.kind == .submitted, sourceLocation: location)
    let states = events.compactMap { ExportState(rawValue: $0.kind.rawValue) }
    #expect(states.last == export.state, "who watches the events knows the state", sourceLocation: location)
    #expect(states.filter { $0 == .completed }.count <= 1, "it completes once", sourceLocation: location)
}
