import FarmAPI
import Coordinator
import ExportPlan
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: history")
struct StoreConformanceHistory {
    @Test("A finished export moves to the history with all its rows, and is read as before", arguments: StoreKind.allCases)
    func moved(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.work()
            let before = try await Reading(id, farm)
            var cutoffs = RetentionCutoffs()
            cutoffs.jobs = farm.now + 10_000
            let expected = try await farm.store.expired(cutoffs)
            let counts = try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 1000)
            #expect(counts == expected)
            #expect(counts.movedExports == 1 && counts.movedJobs == before.jobs.count)
            #expect(counts.movedAttempts == before.attempts.count && counts.movedEvents == before.events.count)
            #expect(try await Reading(id, farm) == before)
            #expect(try await farm.store.jobs(JobFilter(limit: 100)).isEmpty, "the list of all jobs is that of live ones")
            #expect(try await farm.store.exports(ofJobs: before.jobs.map(\.id), tenant: farm.tenant).count == before.jobs.count)
            #expect(try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 1000).isEmpty, "nothing is left")
        }
    }

    @Test("Exports that are not over, or ended later, keep their rows", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let ended = try await farm.rendering(SampleFilm())
            try await farm.work()
            let open = [
                try await farm.submit().id, try await farm.probing(["sea.mp4"]),
                try await farm.rendering(SampleFilm(pictures: ["hills"])),
            ]
            let end = try #require(try await farm.export(ended).finishedAt)
            #expect(try await farm.store.moveToHistory(endedBefore: end, limit: 1000).isEmpty)
            #expect(try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 1000).movedExports == 1)
            for id in open {
                let own = try await farm.jobs(id).map(\.id)
                #expect(Set(own).isSubset(of: try await farm.store.jobs(JobFilter(limit: 100)).map(\.id)))
            }
        }
    }

    @Test("A move in small parts may stop after each of them, and the export reads the same", arguments: StoreKind.allCases)
    func parts(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.work()
            let before = try await Reading(id, farm)
            var parts = 0
            while true {
                let counts = try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 2)
                guard !counts.isEmpty else { break }
                parts += 1
                #expect(counts.movedJobs <= 2)
                #expect(try await Reading(id, farm) == before, "after part \(parts)")
            }
            #expect(parts == (before.jobs.count + 1) / 2)
        }
    }

    @Test("An export whose move has begun cannot be retried, and stays failed", arguments: StoreKind.allCases, [1, 1000])
    func retry(kind: StoreKind, limit: Int) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await farm.fail(try await farm.dispatch(id, .video, 1), .input)
            let failed = try await farm.job(id, .video, 1)
            _ = try await farm.store.moveToHistory(endedBefore: farm.now + 10, limit: limit)
            let error = await #expect(throws: FarmError.self) { try await farm.store.retry(failed.id) }
            #expect(error?.code == .conflict && error?.message.contains("submit its draft again") == true)
            #expect(try await farm.state(id) == .failed)
        }
    }

    @Test("A late report on a job in the history changes nothing", arguments: StoreKind.allCases)
    func lateReport(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            _ = try await farm.store.cancel(id)
            _ = try await farm.store.moveToHistory(endedBefore: farm.now + 10, limit: 1000)
            let before = try await Reading(id, farm)
            try await farm.finish(ticket)
            #expect(try await Reading(id, farm) == before)
        }
    }

    @Test("Logs, events, jobs and exports of the history go by their age, in parts", arguments: StoreKind.allCases)
    func expired(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let ticket = try await farm.dispatch(id, .video)
            let failure = JobFailure(.transient, subject: "sea.mp4", message: "went wrong")
            let report = JobReport(ticket.identity, worker: "w1", .failed(failure: failure), log: "the decoder's words")
            _ = try await farm.store.apply(report, at: farm.now, jitter: 0.5)
            try await farm.work()
            let before = try await Reading(id, farm)
            var cutoffs = RetentionCutoffs.all(at: farm.now + 10_000)
            let counts = try await farm.store.expired(cutoffs)
            #expect(counts.droppedJobs == before.jobs.count && counts.droppedExports == 1)
            #expect(counts.droppedEvents == before.events.count)
            #expect(counts.clearedLogs == before.attempts.count { !$0.log.isEmpty })
            #expect(counts.droppedAttempts == before.attempts.count)

            var done = try await repeated { try await farm.store.moveToHistory(endedBefore: farm.now + 10_000, limit: 3) }
            done = done + (try await repeated { try await farm.store.clearLogs(endedBefore: farm.now + 10_000, limit: 1) })
            #expect(try await Reading(id, farm).attempts.allSatisfy(\.log.isEmpty))
            done = done + (try await repeated { try await farm.store.dropEvents(before: farm.now + 10_000, limit: 2) })
            #expect(try await farm.store.events(of: id, after: 0, limit: 10).isEmpty)
            done = done + (try await repeated { try await farm.store.dropHistory(endedBefore: farm.now + 10_000, limit: 2) })
            #expect(try await farm.jobs(id).isEmpty)
            #expect(try await farm.store.job(ticket.job, tenant: nil) == nil)
            #expect(try await farm.export(id) == before.export, "the export itself, with its progress, is kept")
            done = done + (try await repeated { try await farm.store.dropExports(endedBefore: farm.now + 10_000, limit: 1) })
            #expect(done == counts, "what was foretold is what was done")
            #expect(try await farm.store.export(id, tenant: nil) == nil)
            #expect(try await farm.store.exports(ExportFilter(limit: 10)).isEmpty)
            cutoffs.jobs = nil
            #expect(try await farm.store.expired(cutoffs).isEmpty)
        }
    }

    @Test("Without a time nothing expires", arguments: StoreKind.allCases)
    func never(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            _ = try await farm.rendering(SampleFilm())
            try await farm.work()
            #expect(try await farm.store.expired(RetentionCutoffs()).isEmpty)
        }
    }

    @Test("The cutoff of a number of exports leaves the newest of them", arguments: StoreKind.allCases)
    func byCount(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            #expect(try await farm.store.cutoff(beyondNewest: 0) == nil)
            var exports: [ExportID] = []
            for name in ["sea", "hills", "wood"] {
                exports.append(try await farm.rendering(SampleFilm(pictures: [name])))
                try await farm.work()
            }
            #expect(try await farm.store.cutoff(beyondNewest: 4) == nil)
            let cutoff = try #require(try await farm.store.cutoff(beyondNewest: 2))
            #expect(try await farm.store.moveToHistory(endedBefore: cutoff, limit: 1000).movedExports == 1)
            let all = try #require(try await farm.store.cutoff(beyondNewest: 0))
            #expect(try await farm.store.moveToHistory(endedBefore: all, limit: 1000).movedExports == 2)
        }
    }

    @Test("Old revisions go; the newest ones, and those of exports, stay", arguments: StoreKind.allCases)
    func revisions(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            for revision in 1...5 {
                _ = try await farm.store.putDraft("intro", document: #"{"version":\#(revision)}"#, tenant: farm.tenant)
            }
            let request = ExportRequest(.named("intro", revision: 2), label: "film")
            _ = try await farm.store.submit(request, id: ExportID(), tenant: farm.tenant, idempotency: nil)
            var cutoffs = RetentionCutoffs()
            cutoffs.revisions = farm.now
            cutoffs.keptRevisions = 2
            #expect(try await farm.store.expired(cutoffs).droppedRevisions == 2)
            #expect(try await farm.store.dropRevisions(before: Date(timeIntervalSince1970: 0), keeping: 2, limit: 10).isEmpty)
            let counts = try await repeated { try await farm.store.dropRevisions(before: farm.now, keeping: 2, limit: 1) }
            #expect(counts.droppedRevisions == 2)
            var left: [Int] = []
            for revision in 1...5
            where try await farm.store.draft("intro", revision: revision, tenant: farm.tenant) != nil {
                left.append(revision)
            }
            #expect(left == [2, 4, 5])
            #expect(try await farm.store.putDraft("intro", document: "{}", tenant: farm.tenant).revision == 6)
        }
    }
}

/// Calls until nothing is left to do, and adds up.
private func repeated(_ step: () async throws -> RowCounts) async throws -> RowCounts {
    var sum = RowCounts()
    while true {
        let counts = try await step()
        guard !counts.isEmpty else { return sum }
        sum = sum + counts
    }
}

/// All that clients can read of an export.
private struct Reading: Equatable {
    var export: Export
    var jobs: [Job]
    var attempts: [JobAttempt] = []
    var events: [ExportEvent]

    init(_ id: ExportID, _ farm: StoreFixture) async throws {
        export = try await farm.export(id)
        jobs = try await farm.store.jobs(JobFilter(export: id, limit: 1000))
        events = try await farm.store.events(of: id, after: 0, limit: 1000)
        for job in jobs { attempts += try await farm.attempts(job.id) }
    }
}

extension RetentionCutoffs {
    /// Everything that ended before a time expires.
    fileprivate static func all(at time: Date) -> RetentionCutoffs {
        var cutoffs = RetentionCutoffs()
        cutoffs.jobs = time + 10_000
        cutoffs.logs = cutoffs.jobs
        cutoffs.events = cutoffs.jobs
        cutoffs.history = cutoffs.jobs
        cutoffs.exports = cutoffs.jobs
        return cutoffs
    }
}
