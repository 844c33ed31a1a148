import Coordinator
import ExportPlan
import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("Every store: dead letters")
struct StoreConformanceDeadLetters {
    /// Lets a job fail until its export does.
    private func kill(_ farm: StoreFixture, _ job: Job, _ failureClass: FailureClass = .crash) async throws {
        var time = farm.now
        while try await !farm.job(job.id).state.isTerminal {
            time += 3600
            let ticket = try #require(try await farm.store.dispatch([job.id], at: time).first)
            let failure = JobFailure(failureClass, subject: "", message: "the rendering process died")
            let worker = "w\(ticket.attempt % 2)"
            _ = try await farm.store.apply(
                [
                    JobReport(ticket.identity, worker: worker, .started),
                    JobReport(ticket.identity, worker: worker, .failed(failure: failure)),
                ], at: time, jitter: 0)
        }
    }

    @Test("A job that crashes for good is listed until it is retried", arguments: StoreKind.allCases)
    func crash(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            let job = try await farm.job(id, .video, 1)
            try await kill(farm, job)
            #expect(try await farm.state(id) == .failed)
            let letter = try #require(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10).first)
            #expect(letter.job == job.id && letter.export == id && letter.tenant == farm.tenant)
            #expect(letter.kind == .video && letter.ordinal == 1 && letter.attempts == 3 && letter.workers == ["w0", "w1"])
            #expect(letter.failure == JobFailure(.crash, subject: "", message: "the rendering process died"))
            try await farm.store.retry(job.id)
            #expect(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10).isEmpty)
            #expect(try await farm.job(job.id).state == .ready)
            try await kill(farm, job)
            let again = try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10)
            #expect(again.map(\.job) == [job.id] && again.map(\.attempts) == [6])
        }
    }

    @Test("A probe that crashes for good is listed, too", arguments: StoreKind.allCases)
    func probe(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.probing(["/media/a.mp4"])
            try await kill(farm, try await farm.job(id, .probe))
            #expect(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10).map(\.kind) == [.probe])
        }
    }

    @Test("Other failures are no dead letters", arguments: StoreKind.allCases, [FailureClass.input, .transient, .resource])
    func others(kind: StoreKind, failureClass: FailureClass) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await kill(farm, try await farm.job(id, .video), failureClass)
            #expect(try await farm.state(id) == .failed)
            #expect(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10).isEmpty)
        }
    }

    @Test("They are listed in pages and by tenant, and can be discarded once", arguments: StoreKind.allCases)
    func discard(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let other = try await farm.store.createTenant("other", weight: 1).id
            var jobs: [Int64] = []
            for tenant in [farm.tenant, other, farm.tenant] {
                let id = try await farm.rendering(SampleFilm(pictures: ["\(jobs.count)"], sounds: []), tenant: tenant)
                let job = try await farm.job(id, .video)
                try await kill(farm, job)
                jobs.append(job.id)
            }
            func listed(_ tenant: Int64? = nil, after job: Int64? = nil, limit: Int = 10) async throws -> [Int64] {
                try await farm.store.deadLetters(tenant: tenant, after: job, limit: limit).map(\.job)
            }
            #expect(try await listed() == jobs)
            #expect(try await listed(farm.tenant) == [jobs[0], jobs[2]])
            #expect(try await listed(limit: 2) == [jobs[0], jobs[1]])
            #expect(try await listed(after: jobs[1]) == [jobs[2]])
            await #expect(throws: FarmError.self) { try await farm.store.discardDeadLetter(jobs[0], tenant: other) }
            try await farm.store.discardDeadLetter(jobs[0], tenant: farm.tenant)
            try await farm.store.discardDeadLetter(jobs[1], tenant: nil)
            #expect(try await listed() == [jobs[2]])
            await #expect(throws: FarmError.self) { try await farm.store.discardDeadLetter(jobs[0], tenant: nil) }
            // The job can be retried all the same.
            try await farm.store.retry(jobs[0])
        }
    }

    @Test("A dead letter goes with its export", arguments: StoreKind.allCases)
    func removed(kind: StoreKind) async throws {
        try await onStore(kind) { farm in
            let id = try await farm.rendering(SampleFilm())
            try await kill(farm, try await farm.job(id, .video))
            try await farm.store.removeExport(id)
            #expect(try await farm.store.deadLetters(tenant: nil, after: nil, limit: 10).isEmpty)
        }
    }
}
