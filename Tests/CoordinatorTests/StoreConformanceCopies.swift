import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Scheduling
import Testing
import FoundationEssentials

@Suite("Every store: copies of stragglers, and the sources of jobs")
struct StoreConformanceCopies {
    /// An export with one picture segment, whose job runs at `w1`.
    private func running(_ farm: StoreFixture) async throws -> JobTicket {
        let film = SampleFilm(pictures: ["sea"], sounds: ["waves"])
        let jobs = film.jobs.map { job in
            var job = job
            if job.kind == .video { job.source = 77 }
            return job
        }
        let id = try await farm.probing([])
        try await farm.store.startRendering(
            id, PlannedExport(jobs: jobs, filmKey: film.filmKey, frameCount: film.frameCount))
        let ticket = try await farm.dispatch(id, .video)
        try await farm.report(ticket, .started)
        return ticket
    }

    @Test("A copy has the same work under the next number, and both attempts are in flight", arguments: StoreKind.allCases)
    func copied(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await running(farm)
            let wrong = AttemptID(job: first.job, attempt: first.attempt + 1)
            #expect(try await farm.store.copy(wrong, at: farm.now) == nil)
            let second = try #require(try await farm.store.copy(first.identity, at: farm.now))
            #expect(second.attempt == first.attempt + 1 && second.work == first.work && second.key == first.key)
            #expect(try await farm.store.inFlight().map(\.id) == [first.identity, second.identity])
            #expect(try await farm.store.copy(first.identity, at: farm.now) == nil)
            #expect(try await farm.store.copy(second.identity, at: farm.now) == nil, "one copy at a time")
            try await farm.report(second, .started, worker: "w2")
            #expect(try await farm.attempts(first.job).map(\.worker) == ["w1", "w2"])
            let job = try await farm.job(first.job)
            #expect(job.state == .running && job.worker == "w1")
        }
    }

    @Test("The first attempt to succeed counts, and the other is cancelled", arguments: StoreKind.allCases)
    func winner(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await running(farm)
            let second = try #require(try await farm.store.copy(first.identity, at: farm.now))
            try await farm.report(second, .started, worker: "w2")
            let effects = try await farm.finish(second, worker: "w2")
            #expect(effects.toCancel == [first.identity])
            #expect(try await farm.attempts(first.job).map(\.state) == [.cancelled, .succeeded])
            #expect(try await farm.job(first.job).state == .done)
            #expect(try await farm.finish(first).toCancel.isEmpty, "too late")
            #expect(try await farm.attempts(first.job).map(\.state) == [.cancelled, .succeeded])
        }
    }

    @Test("Where both attempts end without success, the job is ready once more", arguments: StoreKind.allCases)
    func neither(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await running(farm)
            let second = try #require(try await farm.store.copy(first.identity, at: farm.now))
            try await farm.report(second, .returned, worker: "nobody")
            #expect(try await farm.job(first.job).state == .running)
            #expect(try await farm.store.inFlight().map(\.id) == [first.identity])
            let effects = try await farm.store.expireLeases([first.identity], at: farm.now, jitter: 0)
            #expect(effects.changes.ready.keys.map { $0 } == [first.job] && effects.changes.ended.keys.map { $0 } == [first.job])
            #expect(try await farm.attempts(first.job).map(\.state) == [.lost, .returned])
            let third = try #require(try await farm.store.dispatch([first.job], at: farm.now + 3600).first)
            #expect(third.attempt == 3)
            #expect(try await farm.store.inFlight().map(\.id) == [third.identity])
            try await farm.report(third, .started)
            #expect(try await farm.store.copy(third.identity, at: farm.now) != nil, "a later attempt may have a copy again")
        }
    }

    @Test("The source of a job is told to the scheduler", arguments: StoreKind.allCases)
    func source(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let first = try await running(farm)
            #expect(try await farm.active().first { $0.job.job.id == first.job }?.job.job.source == 77)
            let effects = try await farm.report(first, .returned)
            #expect(effects.changes.ready.values.map(\.source) == [77])
            #expect(try await farm.candidates(.audio).map(\.source) == [0])
        }
    }
}
